import type { Chart } from "chart.js";
import { type RefObject, useEffect } from "react";

/** Redraws a chart when a font arrives: a canvas keeps the font that it was drawn with. */
export function useFontRedraw(chart: RefObject<Pick<Chart, "update"> | null>): void {
  useEffect(() => {
    const redraw = () => chart.current?.update("none");
    document.fonts.addEventListener("loadingdone", redraw);
    return () => document.fonts.removeEventListener("loadingdone", redraw);
  }, [chart]);
}
