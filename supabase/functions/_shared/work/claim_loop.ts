import { errorFields, type Log } from "../log/log.ts";
import { pause, type WorkClock } from "./clock.ts";
import type { HeldItems } from "./held_items.ts";
import type { RunState } from "./run_state.ts";
import type { Signal } from "./signal.ts";
import type { TaskTurns } from "./task_turns.ts";
import type { RunLimits, Work } from "./work.ts";

/** Parts of one run, connected by its loop. */
export interface ClaimLoopOptions<Item, Result> {
  work: Work<Item, Result>;
  limits: RunLimits;
  state: RunState;
  held: HeldItems<Item>;
  turns: TaskTurns;
  /** Raised when there is something new to claim, or the run is to stop. */
  news: Signal;
  /** Returns true if the database announces work, so that the loop may ask less often. */
  isHearing: () => boolean;
  clock: WorkClock;
  log: Log;
}

const claimLimit = 500;
const maxWaitMs = 5_000;
const minPollMs = 20;
const maxPollMs = 50;
// Announcements may come faster than it makes sense to claim: the more a claim finds, the longer
// the next claim waits. It also waits longer after each of several claims that found nothing.
const minGapMs = 4;
const gapMsPerItem = 2;
// An announcement may be lost, so the loop still asks from time to time.
const maxHearingPollMs = 1_000;
const failurePauseMs = 1_000;

/** Claims until the run is spent or idle; returns whether work may be left. */
export async function claimAll<Item, Result>(
  options: ClaimLoopOptions<Item, Result>,
): Promise<boolean> {
  const step = createStep(options);
  let hasMore = true;
  while (hasMore && !options.state.isSpent()) hasMore = await step();
  return hasMore;
}

/**
 * Creates the step of a loop: one claim and the pause after it. It returns false to end the loop.
 */
function createStep<Item, Result>(options: ClaimLoopOptions<Item, Result>) {
  const { work, limits, state, held, turns, news, isHearing, clock, log } = options;
  const watch = createWatch(options);
  let pollMs = minPollMs;
  let emptyClaims = 0;

  async function wait(ms: number): Promise<void> {
    if (await news.wait(ms)) turns.hurry();
  }

  async function waitForDueWork(): Promise<boolean> {
    const ms = await work.findNextWork();
    if (ms === null || ms > Math.min(limits.horizonMs, state.endsAt - clock.now())) return false;
    await wait(Math.max(ms, maxPollMs));
    return true;
  }

  /** Returns a longer pause while the run is idle and the database announces work. */
  async function findPollMs(claimed: number): Promise<number> {
    if (claimed > 0 || !held.isIdle || !isHearing()) return pollMs;
    const ms = await work.findNextWork();
    return Math.max(pollMs, Math.min(ms ?? Infinity, maxHearingPollMs));
  }

  return async (): Promise<boolean> => {
    const startedAt = clock.now();
    held.giveBackWaiting(startedAt - maxWaitMs);
    try {
      // Next to the claim, so that new items do not wait for these statements.
      const [claimed] = await Promise.all([
        claim(options),
        watch(startedAt),
        turns.takeIfDue(startedAt),
      ]);
      emptyClaims = claimed > 0 ? 0 : emptyClaims + 1;
      const isQuiet = held.isIdle && clock.now() > state.lastWorkAt + limits.lingerMs;
      if (claimed === 0 && isQuiet) return await waitForDueWork();
      pollMs = claimed > 0 ? minPollMs : Math.min(pollMs * 1.5, maxPollMs);
      const nextPollMs = await findPollMs(claimed);
      const restMs = startedAt + findGapMs(claimed, emptyClaims) - clock.now();
      if (restMs > 0) await pause(clock, restMs);
      await wait(claimed < claimLimit ? startedAt + nextPollMs - clock.now() : 0);
    } catch (error) {
      log.error(work.failedEvent, errorFields(error));
      await wait(failurePauseMs);
    }
    return true;
  };
}

/**
 * Returns the shortest time between the start of a claim of so many items and of the next.
 * `emptyClaims` is how many claims in a row have found nothing.
 */
function findGapMs(claimed: number, emptyClaims: number): number {
  if (claimed >= claimLimit) return 0;
  // A look that found nothing delays what is announced right after it by no more than 1 ms.
  if (claimed === 0) return Math.min(emptyClaims, minGapMs);
  return Math.max(minGapMs, Math.min(claimed * gapMsPerItem, minPollMs));
}

/** Claims what there is room for; returns how many items. */
async function claim<Item, Result>(
  { work, limits: { maxHeld }, state, held }: ClaimLoopOptions<Item, Result>,
): Promise<number> {
  // Lanes that hang may hold at most half of the items.
  const isOnlyProven = held.size >= maxHeld / 2;
  const room = (isOnlyProven ? maxHeld : Math.ceil(maxHeld / 2)) - held.size;
  const limit = Math.min(room, state.itemsLeft, claimLimit);
  if (limit <= 0) return 0;
  state.noteClaim();
  const items = await work.claim({ limit, isOnlyProven });
  if (items.length > 0) state.noteWork();
  state.spend(items.length);
  // Stopped in the meantime: other workers take the items that were not started.
  if (state.isStopping) held.giveBack(items);
  else held.add(items);
  return items.length;
}

const watchMs = 1_500;
const watchAgainMs = 500;
// A transaction that woke no worker, because this run was watching, has this long to commit.
const commitMs = 1_000;

/** Creates the function that prevents wake-ups for work that this run will find. */
function createWatch<Item, Result>(
  { work, limits, state }: ClaimLoopOptions<Item, Result>,
): (at: number) => Promise<void> {
  let watchedAt = -Infinity;
  return async (at) => {
    if (at - watchedAt < watchAgainMs) return;
    const lastLookAt = Math.min(state.lastWorkAt + limits.lingerMs, state.endsAt);
    const ms = Math.min(watchMs, lastLookAt - commitMs - at);
    if (ms <= 0) return;
    watchedAt = at;
    await work.watch(ms);
  };
}
