import { RecentSenders } from "../_shared/platform/recent_senders.ts";
import { type Slices, waitForTurn } from "../_shared/platform/slices.ts";

/** How long one request may keep the event loop for itself, in ms. */
const sliceMs = 5;
/** What a request may use of the event loop before its workspace rests: most need less. */
const freeMs = 15;
/** A workspace rests so many times as long as its request has worked: a tenth is work. */
const restPerWork = 9;
/** Most workspaces whose rests are remembered. */
const maxWorkspaces = 10_000;

/**
 * Shares the event loop between workspaces: a request that works for longer than most is done in
 * slices, between which its workspace rests while other workspaces are about.
 */
export interface LoopShare {
  /** The slices of a request of the workspace. */
  slicesOf(workspaceId: string): Slices;
}

export interface LoopShareOptions {
  /** Monotonic, in ms. */
  now?: () => number;
  /** Resolves after so many ms, and never before others had their turn. */
  wait?: (ms: number) => Promise<void>;
}

export function createLoopShare(
  { now = () => performance.now(), wait = waitForTurn }: LoopShareOptions = {},
): LoopShare {
  const senders = new RecentSenders();
  const restsUntil = new Map<string, number>();

  /** The end of the rest that the workspace owes, also for its other requests. */
  function addRest(workspaceId: string, ms: number): void {
    const from = Math.max(now(), restsUntil.get(workspaceId) ?? 0);
    if (restsUntil.size >= maxWorkspaces) restsUntil.clear();
    restsUntil.set(workspaceId, from + ms);
  }

  function restOf(workspaceId: string): number {
    return senders.areSeveral(now()) ? (restsUntil.get(workspaceId) ?? 0) - now() : 0;
  }

  return {
    slicesOf(workspaceId) {
      senders.see(workspaceId, now());
      let startedAt = now();
      /** Of this slice, and of the whole request, in ms. */
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
          // Another request of the workspace may add to the rest meanwhile.
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
