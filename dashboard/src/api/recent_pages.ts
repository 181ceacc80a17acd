const prefix = "signalpost-recent:";

/** Pages that are shown, and the one that is open. */
const mostKept = 9;

/** A page that somebody has opened. */
export interface RecentPage {
  /** Below the path of the workspace. */
  path: string;
  /** Parameters without which the page would show something else. */
  search: Record<string, string>;
  title: string;
}

/** The person whose pages are remembered, and the workspace. */
export interface RecentOwner {
  userId: string;
  workspaceId: string;
}

function keyOf({ userId, workspaceId }: RecentOwner): string {
  return `${prefix}${userId}:${workspaceId}`;
}

/** Lists the pages that a person opened last in a workspace, the last one first. */
export function listRecentPages(owner: RecentOwner): RecentPage[] {
  return JSON.parse(localStorage.getItem(keyOf(owner)) ?? "[]");
}

/** Remembers that a person has opened a page. */
export function rememberPage(owner: RecentOwner, page: RecentPage): void {
  const others = listRecentPages(owner).filter((other) => !isSamePage(other, page));
  write(owner, [page, ...others].slice(0, mostKept));
}

/** Forgets the pages at a path: what they showed is gone. */
export function forgetPages(owner: RecentOwner, path: string): void {
  const pages = listRecentPages(owner);
  const kept = pages.filter((page) => page.path !== path);
  if (kept.length < pages.length) write(owner, kept);
}

function write(owner: RecentOwner, pages: readonly RecentPage[]): void {
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify(pages));
  } catch {
    // The storage is full.
    localStorage.removeItem(keyOf(owner));
  }
}

/** Returns whether two pages have the same address. */
export function isSamePage(
  one: Pick<RecentPage, "path" | "search">,
  other: Pick<RecentPage, "path" | "search">,
): boolean {
  return one.path === other.path && JSON.stringify(one.search) === JSON.stringify(other.search);
}

/** Deletes the pages that were remembered in this browser, except those of one user. */
export function deleteRecentPages(keptUserId?: string): void {
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith(prefix))) {
    const isKept = keptUserId !== undefined && key.startsWith(`${prefix}${keptUserId}:`);
    if (!isKept) localStorage.removeItem(key);
  }
}
