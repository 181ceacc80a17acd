import { matchPage, type PageEntry } from "./match_page.ts";

/** Files of every page, which the build writes into the document: see page_files.ts. */
interface PageFiles {
  files: readonly string[];
  /** Places of a page's files in the list. */
  pages: readonly PageEntry<readonly number[]>[];
  /** Places of the files that renew a session. */
  renewal: readonly number[];
}

/** Requests the files of the page at this path, which its first script would request later. */
export function loadPageFiles(path: string, isFresh: boolean): void {
  const list = document.getElementById("page-files")?.textContent;
  if (!list) return;
  const { files, pages, renewal }: PageFiles = JSON.parse(list);
  const needed = matchPage(path, pages)?.value ?? [];
  for (const place of isFresh ? needed : [...renewal, ...needed]) {
    const link = document.createElement("link");
    const href = `/assets/${files[place]}`;
    const isStyle = href.endsWith(".css");
    Object.assign(link, isStyle ? { rel: "preload", as: "style" } : { rel: "modulepreload" });
    Object.assign(link, { href, crossOrigin: "" });
    document.head.append(link);
  }
}
