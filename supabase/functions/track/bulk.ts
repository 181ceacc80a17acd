import type { ReadEntry } from "../_shared/entries/read_entry.ts";
import { readSent, type WireFormat } from "../_shared/entries/wire_format.ts";
import type { JsonFault } from "../_shared/json/json.ts";
import { mapSteps, runInSlices, type Slices } from "../_shared/event_loop/slices.ts";
import { chargeRemainingEntries, setRateLimitHeaders } from "../_shared/rate_limit/rate_limit.ts";
import type { TrackContext, TrackService } from "./service.ts";

/** Entries of a bulk as sent. */
export interface SentEntries {
  format: WireFormat;
  sent: readonly unknown[];
  /** Returns the faults of an entry. */
  faultsOf(index: number): readonly JsonFault[];
  /** Adds the fields that the request sets for all entries. */
  complete(sent: unknown): unknown;
  findOffset: FindOffset;
}

/** Returns the milliseconds to add to the times of a completed entry; `receivedAt` is in ms. */
export type FindOffset = (entry: unknown, receivedAt: number) => number;

/** Entries of a bulk, read. */
export interface EntryBatch {
  format: WireFormat;
  /** The entries as sent, completed. */
  entries: readonly unknown[];
  /** The entries as read, in the same order. */
  read: readonly ReadEntry[];
  slices: Slices;
}

/** Reads the entries of a bulk, after they are paid for. */
export async function readBulk(
  c: TrackContext,
  { limiter, now }: TrackService,
  { paid, slices, format, sent, faultsOf, complete, findOffset }: SentEntries & {
    /** Tokens that the request has cost so far. */
    paid: number;
    slices: Slices;
  },
): Promise<EntryBatch> {
  const { workspaceId } = c.get("apiKey");
  const charge = { workspaceId, entries: sent.length, paid };
  setRateLimitHeaders(c, await chargeRemainingEntries(limiter, charge));
  const receivedAt = now().getTime();
  const steps = mapSteps(sent, (each, i) => {
    const entry = complete(each);
    const path = [format.envelope, i];
    const offsetMs = findOffset(entry, receivedAt);
    const origin = { workspaceId, receivedAt, path, faults: faultsOf(i), offsetMs };
    return { entry, read: readSent(format, entry, origin) };
  });
  const results = await runInSlices(steps, slices);
  return {
    format,
    entries: results.map(({ entry }) => entry),
    read: results.map(({ read }) => read),
    slices,
  };
}
