import type { Segment } from "./segment_queries.ts";

/** Describes a new segment for the audit log. Its condition can hold data of customers. */
export function describeCreated({ name, key, kind }: Segment) {
  return { name, key, kind };
}
