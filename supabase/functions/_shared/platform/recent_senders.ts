/** How long a workspace counts as being about. */
const recentMs = 30_000;

/** Tracks whether more than one workspace has sent something lately. */
export class RecentSenders {
  #lastSeen: string | undefined;
  #sharedUntil = -Infinity;

  /** A request has come. */
  see(workspaceId: string, now: number): void {
    if (this.#lastSeen !== undefined && this.#lastSeen !== workspaceId) this.seeSeveral(now);
    this.#lastSeen = workspaceId;
  }

  /** Several workspaces were served at once. */
  seeSeveral(now: number): void {
    this.#sharedUntil = now + recentMs;
  }

  areSeveral(now: number): boolean {
    return now <= this.#sharedUntil;
  }
}
