import { useWholeList } from "../api/use_api.ts";
import { listBoards } from "../pages/explore/boards.ts";
import type { NavigationEntry } from "../ui/navigation_entry.ts";
import { searchOfView } from "../ui/views/current_view.ts";
import type { PageLink } from "./search_links.ts";

/** Something saved, and the page that shows it. */
interface SavedChoice extends PageLink {
  key: string;
  title: string;
  subtitle: string | null;
  group: string;
}

/** Paths of the pages whose lists the api names differently. */
const otherPaths: Readonly<Record<string, string>> = {
  "audit-log": "/settings/audit-log",
  "rejected-entries": "/rejected",
};

/** Saved views, saved questions and boards, of the pages that the person may read. */
export function useSavedChoices(
  pages: readonly NavigationEntry[],
  { enabled }: { enabled: boolean },
): SavedChoice[] {
  const views = useWholeList("GET /views", {}, { enabled });
  if (!enabled) return [];
  const saved = views.flatMap((view): SavedChoice[] => {
    const path = otherPaths[view.list] ?? `/${view.list}`;
    const page = pages.find((page) => page.path === path);
    if (!page) return [];
    return [{
      key: `view ${view.id}`,
      title: view.name,
      subtitle: page.label,
      group: view.list === "explore" ? "Saved questions" : "Views",
      path,
      search: searchOfView(view),
    }];
  });
  const boards = listBoards(views).map((board): SavedChoice => ({
    key: `board ${board}`,
    title: board,
    subtitle: "Explore",
    group: "Boards",
    path: "/explore/board",
    search: { board },
  }));
  return [...saved, ...boards];
}
