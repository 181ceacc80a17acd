import { RecentSenders } from "../event_loop/recent_senders.ts";

/** Time for which a workspace is stored separately after a slow call, in ms. */
const apartMs = 30_000;

/**
 * Tracks the workspaces that slow down others. A workspace whose own call was slow is stored apart
 * for a while; one that shared a slow call is stored apart until a call of its own is quick.
 */
export class Pace {
  readonly #slowMs: number;
  readonly #slowUntil = new Map<string, number>();
  readonly #suspects = new Set<string>();
  readonly #senders = new RecentSenders();

  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  /** Records a request. */
  see(workspaceId: string, now: number): void {
    this.#senders.see(workspaceId, now);
  }

  /** Returns true if more than one workspace sent something recently. */
  isShared(now: number): boolean {
    return this.#senders.areSeveral(now);
  }

  /** Records the end of a call with entries of these workspaces. */
  note(workspaceIds: ReadonlySet<string>, { tookMs, now }: { tookMs: number; now: number }): void {
    const isSlow = tookMs > this.#slowMs;
    if (workspaceIds.size > 1) this.#senders.seeSeveral(now);
    for (const workspaceId of workspaceIds) {
      if (workspaceIds.size > 1) {
        if (isSlow) this.#suspects.add(workspaceId);
        continue;
      }
      this.#suspects.delete(workspaceId);
      if (isSlow) this.#slowUntil.set(workspaceId, now + apartMs);
    }
  }

  /** Returns true if the workspace should be stored separately now; never if it is the only one. */
  isApart(workspaceId: string, now: number): boolean {
    if (!this.isShared(now)) return false;
    const until = this.#slowUntil.get(workspaceId) ?? -Infinity;
    if (until > now || this.#suspects.has(workspaceId)) return true;
    this.#slowUntil.delete(workspaceId);
    return false;
  }

  /** Returns true if any workspace may be stored separately. */
  get isAnyApart(): boolean {
    return this.#slowUntil.size > 0 || this.#suspects.size > 0;
  }
}
