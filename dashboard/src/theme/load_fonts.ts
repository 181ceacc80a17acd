/** Loads the fonts of the page. Texts show in a font of the system until then. */
export function loadFonts(): void {
  // A page is whole without its own fonts.
  import("./fonts.css").catch(() => {});
}

/** Returns whether this script came from the browser's cache, where its fonts are as well. */
export function isVisitedBefore(): boolean {
  return performance.getEntriesByName(import.meta.url).some((entry) =>
    entry instanceof PerformanceResourceTiming && entry.transferSize === 0 &&
    entry.decodedBodySize > 0
  );
}
