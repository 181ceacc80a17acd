import type { List } from "./types.ts";

/** The most rows that the api returns in one page. */
const largestPage = 200;

/** Reads every page of a list and returns the rows of all of them. */
export async function readAll<T>(
  readPage: (query: { limit: number; cursor?: string }) => Promise<List<T>>,
): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = null;
  do {
    const page: List<T> = await readPage({ limit: largestPage, ...cursor ? { cursor } : {} });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}
