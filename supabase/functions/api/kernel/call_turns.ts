import { RecentSenders } from "../../_shared/event_loop/recent_senders.ts";

/** Shares the connections of an instance between its callers. */
export interface CallTurns {
  /** Runs a call of a workspace, or of a user where no workspace pays for it. */
  run<Result>(payerId: string, call: () => Promise<Result>): Promise<Result>;
}

export interface CallTurnsOptions {
  /** Most calls of one payer under way while others call too: an instance has 4 connections. */
  maxOfOne?: number;
  /** A call that takes longer keeps its place for as long again. @default 100 */
  slowMs?: number;
  /** Monotonic, in ms. */
  now?: () => number;
  /** Runs something later. */
  schedule?: (run: () => void, ms: number) => void;
}

interface PayerCalls {
  underWay: number;
  waiting: (() => void)[];
}

/**
 * Leaves connections and database time to other callers, however many slow calls one of them makes.
 */
export function createCallTurns(options: CallTurnsOptions = {}): CallTurns {
  const { maxOfOne = 2, slowMs = 100, now = () => performance.now() } = options;
  const { schedule = setTimeout } = options;
  const senders = new RecentSenders();
  const calls = new Map<string, PayerCalls>();

  function end(payerId: string, own: PayerCalls): void {
    own.underWay--;
    if (own.underWay < maxOfOne) own.waiting.shift()?.();
    if (own.underWay === 0) calls.delete(payerId);
  }

  return {
    async run(payerId, call) {
      senders.see(payerId, now());
      const own = calls.get(payerId) ?? { underWay: 0, waiting: [] };
      calls.set(payerId, own);
      const isTooMany = own.underWay >= maxOfOne && senders.areSeveral(now());
      // Counted at once, so that nothing overtakes the one whose turn it is.
      if (!isTooMany) own.underWay++;
      else await new Promise<void>((go) => own.waiting.push(() => (own.underWay++, go())));
      const startedAt = now();
      try {
        return await call();
      } finally {
        const took = now() - startedAt;
        if (took > slowMs && senders.areSeveral(now())) schedule(() => end(payerId, own), took);
        else end(payerId, own);
      }
    },
  };
}
