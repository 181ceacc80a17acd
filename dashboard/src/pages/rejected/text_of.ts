import type { RejectedEntry } from "../../api/types.ts";

/** Returns the text of an entry as it arrived; its start if it was truncated. */
export function textOf({ entry, is_truncated }: RejectedEntry): string {
  return is_truncated ? String(entry) : JSON.stringify(entry, null, 2);
}
