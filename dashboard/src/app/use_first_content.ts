import { useEffect, useState } from "react";
import type { Services } from "../api/services.ts";
import type { makeRouter } from "./router.tsx";

/**
 * Returns whether the first page has its content, or had it once. Fonts, notices and
 * the client of Supabase Auth wait for this: a slow network would carry the content later.
 */
export function useFirstContent(
  { queries }: Services,
  router: ReturnType<typeof makeRouter>,
): boolean {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    if (isThere) return;
    let isRendered = false;
    let frame = 0;
    const look = () => {
      if (isRendered && queries.isFetching() === 0) setThere(true);
    };
    // Two frames later, because a part of the page that has its data draws others, which ask too.
    const lookLater = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(look);
      });
    };
    const leaveRouter = router.subscribe("onRendered", () => {
      isRendered = true;
      lookLater();
    });
    const leaveQueries = queries.getQueryCache().subscribe(lookLater);
    return () => {
      cancelAnimationFrame(frame);
      leaveRouter();
      leaveQueries();
    };
  }, [queries, router, isThere]);
  return isThere;
}
