import type { Sql } from "../_shared/db/connect.ts";
import {
  type AttemptResult,
  claimDeliveries,
  type ClaimedDelivery,
  completeDeliveries,
  expireClaims,
  findNextWork,
  passOnWork,
  wakeDispatcher,
  watchQueue,
  workFanOuts,
  workJobs,
} from "./dispatch_queue.ts";
import { errorFields, type Log } from "../_shared/platform/log.ts";
import { createLanes, type Lanes } from "./lanes.ts";
import type { Reencrypt } from "./reencrypt.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { createSendDelivery, endUnsent, type SendDeps } from "./send_delivery.ts";
import { Signal } from "./signal.ts";

export interface RunDeps extends SendDeps {
  sql: Sql;
  /** Time for the database; left out, its own clock counts. */
  databaseNow?: () => Date;
  limits?: Partial<RunLimits>;
}

/** What the runs of one dispatcher share. */
export interface SharedByRuns {
  reencrypt: Reencrypt;
  /** Whether one of them holds results that it could not record so far. */
  isAnyBehind: () => boolean;
  /** Whether the database tells them of work, so that they need not ask often. */
  isHearing: () => boolean;
}

/** Bounds of one run, for a platform that bounds the time and work of a request. */
export interface RunLimits {
  /** A run takes no more work after this. */
  maxRunMs: number;
  maxDeliveries: number;
  /** Claimed at once, waiting or being sent. */
  maxHeld: number;
  /** How long to look on when there is nothing to do. */
  lingerMs: number;
  /** What is due within this time is waited for. */
  horizonMs: number;
}

const defaultLimits: RunLimits = {
  maxRunMs: 100_000,
  maxDeliveries: Infinity,
  maxHeld: 2_000,
  lingerMs: 5_000,
  horizonMs: 15_000,
};
const claimLimit = 500;
/** Longer than a delivery may wait here, be sent and be recorded. */
const leaseSeconds = 60;
const maxWaitMs = 5_000;
const minPollMs = 20;
const maxPollMs = 50;
/** For what arrives while the ear is deaf for a moment. */
const maxHearingPollMs = 1_000;
const watchMs = 1_500;
const watchAgainMs = 500;
/** Who published without a call, because this run watches, has so long to commit. */
const commitMs = 1_000;
const choresMs = 5_000;
const toldChoresMs = 500;
const jobPauseMs = 100;
const failurePauseMs = 1_000;

/** One run of a dispatcher: claims while it sends, until its time is up or nothing is left. */
export class DispatchRun {
  readonly #deps: RunDeps;
  readonly #shared: SharedByRuns;
  readonly #limits: RunLimits;
  readonly #worker = crypto.randomUUID();
  readonly #startedAt = performance.now();
  readonly #news = new Signal();
  readonly #cut = new AbortController();
  readonly #lanes: Lanes;
  readonly #recorder: Recorder;
  #isStopping = false;
  #isTold = true;
  /** Deliveries claimed and secrets encrypted: what takes up the processor's time. */
  #worked = 0;
  #pollMs = minPollMs;
  #lastWorkAt = performance.now();
  #watchedAt = -Infinity;
  #choresAt = -Infinity;
  #jobs: Promise<void> | null = null;
  #fanOuts: Promise<void> | null = null;
  #reencryption: Promise<void> | null = null;
  #cutTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: RunDeps, shared: SharedByRuns) {
    this.#deps = deps;
    this.#shared = shared;
    this.#limits = { ...defaultLimits, ...deps.limits };
    const send = createSendDelivery(deps);
    this.#recorder = createRecorder({
      record: (results) => completeDeliveries(deps.sql, results, deps.databaseNow?.()),
      log: deps.log,
    });
    this.#lanes = createLanes(async (delivery) =>
      this.#finish(await send(delivery, this.#cut.signal))
    );
  }

  /** Whether the run was told of something that it did not look for any more. */
  get hasNews(): boolean {
    return this.#news.isRaised;
  }

  /** Whether it sent what it could not record so far. */
  get isBehind(): boolean {
    return this.#recorder.isBehind;
  }

  /** There is something new to claim. */
  tell(): void {
    this.#news.raise();
  }

  /** Takes no more work, and in `graceMs` cuts off what is still being sent. */
  stop(graceMs: number): void {
    this.#isStopping = true;
    this.#news.raise();
    this.#cutTimer ??= setTimeout(() => {
      this.#cut.abort();
      this.#recorder.giveUp();
    }, graceMs);
  }

  /** Claims and sends; resolves when no more is claimed, while the last may still be under way. */
  async claimAll(): Promise<void> {
    let hasMore = true;
    while (hasMore && !this.#isSpent()) hasMore = await this.#step();
    if (hasMore) await this.#passOn();
    this.#release(this.#lanes.takeWaiting(Infinity));
  }

  /** Resolves when everything that was claimed is sent or given back, and recorded. */
  async finish(): Promise<void> {
    const isSending = this.#lanes.size > 0;
    await this.#jobs;
    await this.#fanOuts;
    await this.#reencryption;
    await this.#lanes.empty();
    await this.#recorder.drain();
    clearTimeout(this.#cutTimer);
    // Its last requests may have kept their lanes from all others.
    if (isSending) await this.#passOn();
  }

  #isSpent(): boolean {
    const ranMs = performance.now() - this.#startedAt;
    return this.#isStopping || ranMs > this.#limits.maxRunMs ||
      this.#worked >= this.#limits.maxDeliveries;
  }

  /** One claim and the pause after it; false when there is nothing more to do for this run. */
  async #step(): Promise<boolean> {
    const startedAt = performance.now();
    this.#release(this.#lanes.takeWaiting(startedAt - maxWaitMs));
    try {
      await this.#watch(startedAt);
      if (this.#areChoresDue(startedAt)) await this.#doChores(startedAt);
      const count = await this.#claim();
      if (count === 0 && this.#isQuiet()) return await this.#waitForDueWork();
      this.#pollMs = count > 0 ? minPollMs : Math.min(this.#pollMs * 1.5, maxPollMs);
      const pollMs = await this.#findPollMs(count);
      await this.#wait(count < claimLimit ? startedAt + pollMs - performance.now() : 0);
    } catch (error) {
      this.#deps.log.error("dispatch_failed", errorFields(error));
      await this.#wait(failurePauseMs);
    }
    return true;
  }

  async #wait(ms: number): Promise<void> {
    if (await this.#news.wait(ms)) this.#isTold = true;
  }

  #areChoresDue(at: number): boolean {
    return at - this.#choresAt > (this.#isTold ? toldChoresMs : choresMs);
  }

  /** Lets nobody call a dispatcher for what this run will see by itself. */
  async #watch(at: number): Promise<void> {
    if (at - this.#watchedAt < watchAgainMs) return;
    const lastLookAt = Math.min(
      this.#lastWorkAt + this.#limits.lingerMs,
      this.#startedAt + this.#limits.maxRunMs,
    );
    const ms = Math.min(watchMs, lastLookAt - commitMs - at);
    if (ms <= 0) return;
    this.#watchedAt = at;
    await watchQueue(this.#deps.sql, ms);
  }

  /** Asks seldom while nothing is under way, and the database would tell of what arrives. */
  async #findPollMs(claimed: number): Promise<number> {
    if (claimed > 0 || !this.#isIdle() || !this.#shared.isHearing()) return this.#pollMs;
    const ms = await findNextWork(this.#deps.sql, this.#deps.databaseNow?.());
    return Math.max(this.#pollMs, Math.min(ms ?? Infinity, maxHearingPollMs));
  }

  /** What is not recorded yet still takes up its lane's room. */
  #isIdle(): boolean {
    return this.#lanes.size === 0 && this.#recorder.isIdle;
  }

  /** Nothing to do for a while. */
  #isQuiet(): boolean {
    return this.#isIdle() && performance.now() > this.#lastWorkAt + this.#limits.lingerMs;
  }

  async #claim(): Promise<number> {
    const { maxHeld, maxDeliveries } = this.#limits;
    // Destinations that hang may fill half of what is held, and no more.
    const isOnlyProven = this.#lanes.size >= maxHeld / 2;
    const room = (isOnlyProven ? maxHeld : Math.ceil(maxHeld / 2)) - this.#lanes.size;
    const limit = Math.min(room, maxDeliveries - this.#worked, claimLimit);
    if (limit <= 0) return 0;
    const deliveries = await claimDeliveries(this.#deps.sql, {
      worker: this.#worker,
      limit,
      leaseSeconds: leaseSeconds,
      isOnlyProven,
      now: this.#deps.databaseNow?.(),
    });
    if (deliveries.length > 0) this.#lastWorkAt = performance.now();
    this.#worked += deliveries.length;
    // Told to stop in the meantime: what was not begun is another dispatcher's.
    if (this.#isStopping) this.#release(deliveries);
    else this.#lanes.add(deliveries);
    return deliveries.length;
  }

  async #waitForDueWork(): Promise<boolean> {
    const ms = await findNextWork(this.#deps.sql, this.#deps.databaseNow?.());
    const leftMs = this.#startedAt + this.#limits.maxRunMs - performance.now();
    if (ms === null || ms > Math.min(this.#limits.horizonMs, leftMs)) return false;
    await this.#wait(Math.max(ms, maxPollMs));
    return true;
  }

  #finish(result: AttemptResult): void {
    this.#recorder.add(result);
    this.#lastWorkAt = performance.now();
    if (result.action === "drop" || result.action === "release") return;
    logDelivery(this.#deps.log, result);
    // What else waits for a destination that fails is for the database to hand out again.
    if (!result.ok) this.#release(this.#lanes.takeLane(result.destination_id));
  }

  #release(deliveries: readonly ClaimedDelivery[]): void {
    for (const delivery of deliveries) this.#recorder.add(endUnsent(delivery, "release"));
  }

  /** Takes up what other dispatchers left behind, messages that are still to be queued, and jobs. */
  async #doChores(at: number): Promise<void> {
    this.#choresAt = at;
    this.#isTold = false;
    // What could not be recorded yet must not be taken for lost, and sent again.
    if (!this.#shared.isAnyBehind()) {
      await expireClaims(this.#deps.sql, this.#deps.databaseNow?.());
    }
    this.#fanOuts ??= this.#workFanOuts().finally(() => this.#fanOuts = null);
    this.#jobs ??= this.#workJobs().finally(() => this.#jobs = null);
    this.#reencryption ??= this.#reencryptSecrets();
  }

  /** Once a run: who changes the encryption key starts new instances. */
  async #reencryptSecrets(): Promise<void> {
    try {
      for await (const count of this.#shared.reencrypt()) {
        this.#worked += count;
        if (!this.#isSpent()) continue;
        await wakeDispatcher(this.#deps.sql);
        break;
      }
    } catch (error) {
      this.#deps.log.error("reencrypt_failed", errorFields(error));
    }
  }

  /** One step after the other: what is queued by one is claimed while the next is under way. */
  async #workFanOuts(): Promise<void> {
    try {
      while (!this.#isSpent() && await workFanOuts(this.#deps.sql) > 0) {
        this.#lastWorkAt = performance.now();
      }
    } catch (error) {
      this.#deps.log.error("fan_out_failed", errorFields(error));
    }
  }

  async #workJobs(): Promise<void> {
    try {
      while (!this.#isSpent() && await workJobs(this.#deps.sql, this.#deps.databaseNow?.()) > 0) {
        this.#lastWorkAt = performance.now();
        await new Promise((resolve) => setTimeout(resolve, jobPauseMs));
      }
    } catch (error) {
      this.#deps.log.error("job_failed", errorFields(error));
    }
  }

  /** The next dispatcher goes on with whatever is left. */
  async #passOn(): Promise<void> {
    try {
      await passOnWork(this.#deps.sql, this.#deps.databaseNow?.());
    } catch (error) {
      this.#deps.log.error("dispatch_failed", errorFields(error));
    }
  }
}

/** A delivery in the log; no address, body, secret or answer in it. */
function logDelivery(log: Log, result: AttemptResult): void {
  const { action, status_code, error } = result;
  log.event({
    msg: "delivery",
    level: "info",
    kind: result.ok ? "success" : "failure",
    id: result.id,
    durationMs: result.duration_ms,
    group: { action, status_code, error },
    fields: {
      delivery_id: result.id,
      workspace_id: result.workspace_id,
      destination_id: result.destination_id,
      message_id: result.message_id,
      event_type: result.event_type,
      attempt_number: result.attempt_number,
      trigger: result.trigger,
      action,
      status_code,
      error,
      duration_ms: result.duration_ms,
      next_attempt_at: result.next_attempt_at,
    },
  });
}
