import {
  maxReasonLength,
  readReason,
} from "../../../../supabase/functions/api/contract/read_reason.ts";
import { ApiCallError, type ApiClient } from "../../api/api_client.ts";
import type { RejectedEntry, RejectionReason } from "../../api/types.ts";
import { applyFix, type Fix } from "./fix_entry.ts";
import { statusFilters } from "./labels.ts";

/** The entries that are fixed and resent: those of a reason, or some of the list. */
export type Target =
  | { kind: "reason"; reason: RejectionReason }
  | { kind: "selected"; entries: readonly RejectedEntry[] };

/** Outcome for all entries. */
export interface ResendResult {
  /** IDs of the entries that were resent. */
  resent: ReadonlySet<string>;
  /** Entries that the fix does not change, or of which only the start was kept. They were not sent. */
  skipped: number;
  /** Reasons of the entries that were rejected again, with the number of each. */
  failures: ReadonlyMap<string, number>;
  isStopped: boolean;
}

interface ResendOptions {
  api: ApiClient;
  target: Target;
  fix: Fix;
  isStopped: () => boolean;
  /** Called with the number of entries that were tried. */
  onProgress: (done: number) => void;
}

const pageSize = 100;

/** Longest wait for the rate limit; a longer one ends the work. */
const longestWaitMs = 60_000;

/** Returns the filter of the list that finds the entries of a reason. */
export function filterOf({ reason, code, field, origin, source_id }: RejectionReason) {
  return {
    code: code as "invalid_input",
    origin,
    ...field !== null && field !== "" && { field },
    ...source_id !== null && { source_id },
    // A longer one does not fit into an address: others of the field are found too.
    ...reason.length <= maxReasonLength && { reason },
  };
}

/** Returns whether an entry was rejected for this reason. */
export function hasReason(entry: RejectedEntry, { reason, code }: RejectionReason): boolean {
  return entry.code === code && readReason(entry.error) === reason;
}

/** The number of entries of a target. */
export function countTarget(target: Target): number {
  return target.kind === "reason" ? target.reason.entries : target.entries.length;
}

/** Returns what is left of a target after entries were resent. */
export function withoutResent(target: Target, resent: ReadonlySet<string>): Target {
  if (target.kind === "selected") {
    return { ...target, entries: target.entries.filter(({ id }) => !resent.has(id)) };
  }
  const { reason } = target;
  return { ...target, reason: { ...reason, entries: reason.entries - resent.size } };
}

/**
 * Fixes and resends entries, the oldest first: a later one may change the same profile. Entries that
 * are rejected again stay as they were.
 */
export async function resendAll(options: ResendOptions): Promise<ResendResult> {
  const { api, target, fix, isStopped, onProgress } = options;
  const failures = new Map<string, number>();
  const resent = new Set<string>();
  let skipped = 0;
  for await (const entry of readTarget(api, target)) {
    if (isStopped()) return { resent, skipped, failures, isStopped: true };
    const fixed = fixEntry(entry, fix);
    if (fixed === undefined) skipped++;
    else {
      const failure = await resend(api, entry.id, fixed);
      if (failure === undefined) resent.add(entry.id);
      else failures.set(failure, (failures.get(failure) ?? 0) + 1);
    }
    const rejected = [...failures.values()].reduce((sum, count) => sum + count, 0);
    onProgress(resent.size + skipped + rejected);
  }
  return { resent, skipped, failures, isStopped: false };
}

/** The body that resends an entry; undefined if the fix does not concern it. */
function fixEntry(entry: RejectedEntry, fix: Fix) {
  if (entry.is_truncated) return undefined;
  if (fix.kind === "none") return {};
  const fixed = applyFix(entry.entry, fix);
  return fixed && { entry: fixed };
}

async function* readTarget(api: ApiClient, target: Target): AsyncGenerator<RejectedEntry> {
  if (target.kind === "selected") {
    yield* target.entries.toSorted((a, b) => a.id < b.id ? -1 : 1);
    return;
  }
  const { reason } = target;
  const query = {
    ...filterOf(reason),
    ...statusFilters.rejected,
    sort: "oldest",
    limit: pageSize,
  } as const;
  let cursor: string | null = null;
  do {
    const page: { data: RejectedEntry[]; next_cursor: string | null } = await api.call(
      "GET /rejected-entries",
      { query: { ...query, since: reason.first_at, ...cursor !== null && { cursor } } },
    );
    for (const entry of page.data) {
      // Later ones were not counted.
      if (entry.rejected_at > reason.last_at) return;
      if (hasReason(entry, reason)) yield entry;
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
}

/** Resends an entry, after the rate limit allows it; returns why it was rejected again. */
async function resend(
  api: ApiClient,
  id: string,
  body: { entry?: Record<string, unknown> },
): Promise<string | undefined> {
  while (true) {
    try {
      await api.call("POST /rejected-entries/{id}/resend", { params: { id }, body });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiCallError)) throw error;
      if (error.status !== 429) return nameFailure(error.message);
      const waitMs = 1000 * Number(/retry in (\d+) s/.exec(error.message)?.[1] ?? 1);
      if (waitMs > longestWaitMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** The error without its place in the call. */
function nameFailure(message: string): string {
  return message.replaceAll('"entry.', '"');
}
