import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import { RecentSenders } from "../_shared/event_loop/recent_senders.ts";
import { atOnce, type Slices, waitForTurn } from "../_shared/event_loop/slices.ts";

/** Longest time that one request may block the event loop, in ms. */
const sliceMs = 5;
/** Time on the event loop that a request may use before its workspace rests, in ms: most need less. */
const freeMs = 15;
/** Ratio of a workspace's rest to its work: it works a tenth of the time. */
const restPerWork = 9;
/** Most workspaces whose rests are kept in memory. */
const maxWorkspaces = 10_000;

/**
 * Shares the event loop between workspaces. A long request runs in slices, and its workspace rests
 * between them while other workspaces are active.
 */
export interface LoopShare {
  /** Returns the slices of one request of the workspace. A small one takes no time worth measuring. */
  slicesOf(workspaceId: string, isSmall?: boolean): Slices;
}

export interface LoopShareOptions {
  /** A monotonic clock in ms. */
  now?: () => number;
  /** Resolves after that many ms, and never before other requests had their turn. */
  wait?: (ms: number) => Promise<void>;
}

export function createLoopShare(
  { now = () => performance.now(), wait = waitForTurn }: LoopShareOptions = {},
): LoopShare {
  const senders = new RecentSenders();
  const restsUntil = new BoundedMap<string, number>(maxWorkspaces);

  /** Extends the workspace's rest, also for its other requests. */
  function addRest(workspaceId: string, ms: number): void {
    const from = Math.max(now(), restsUntil.get(workspaceId) ?? 0);
    restsUntil.set(workspaceId, from + ms);
  }

  function restOf(workspaceId: string): number {
    return senders.areSeveral(now()) ? (restsUntil.get(workspaceId) ?? 0) - now() : 0;
  }

  return {
    slicesOf(workspaceId, isSmall = false) {
      const seenAt = now();
      senders.see(workspaceId, seenAt);
      if (isSmall) return atOnce;
      let startedAt = seenAt;
      /** Work of this slice, and of the whole request, in ms. */
      let worked = 0;
      let used = 0;
      const workedSoFar = () => worked + now() - startedAt;
      return {
        start: () => startedAt = now(),
        stop: () => worked = workedSoFar(),
        isOver: () => workedSoFar() >= sliceMs,
        async next() {
          const took = workedSoFar();
          used += took;
          const excess = Math.min(took, used - freeMs);
          if (excess > 0) addRest(workspaceId, restPerWork * excess);
          // Another request of the workspace may extend the rest during the wait.
          do await wait(Math.max(0, excess > 0 ? restOf(workspaceId) : 0)); while (
            excess > 0 && restOf(workspaceId) > 0
          );
          worked = 0;
          startedAt = now();
        },
      };
    },
  };
}
