/** Time for which a workspace counts as active, in ms. */
const recentMs = 30_000;

/** Tracks whether more than one workspace has sent something lately. */
export class RecentSenders {
  #lastSeen: string | undefined;
  #sharedUntil = -Infinity;

  /** Records a request. */
  see(workspaceId: string, now: number): void {
    if (this.#lastSeen !== undefined && this.#lastSeen !== workspaceId) this.seeSeveral(now);
    this.#lastSeen = workspaceId;
  }

  /** Records that several workspaces were served together. */
  seeSeveral(now: number): void {
    this.#sharedUntil = now + recentMs;
  }

  areSeveral(now: number): boolean {
    return now <= this.#sharedUntil;
  }
}
