/** Where a page of a list begins: the place of the last row of the page before, if any. */
export interface PageRequest {
  limit: number;
  after: readonly string[] | undefined;
}

/** The greatest UUID: what comes before every id of a list that begins with the newest. */
export const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** A row with the values that its list is sorted by, as text. */
export interface Placed {
  place: readonly string[];
}
