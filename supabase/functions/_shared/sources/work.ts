import { ApiError } from "../platform/errors.ts";
import { workPerToken } from "../rate_limit/rate_limit.ts";
import { waitForTurn } from "../platform/slices.ts";

/** Budget of a request, and the way it yields to others. */
export interface Work {
  /**
   * Counts characters that were built, or steps that were taken for them.
   *
   * @throws {ApiError} `payload_too_large` over the bound of one request
   */
  spend(units: number): void;
  /** To be awaited between two entries: lets other requests run, and pays for what was done. */
  breathe(): Promise<void>;
  /** Tokens that were taken so far. */
  paid(): number;
}

export interface WorkOptions {
  /** Takes a token of the workspace for another 32 KiB of work; throws when there is none. */
  takeToken?: () => Promise<unknown>;
  /** @default the event loop's next turn */
  yieldToOthers?: () => Promise<void>;
  /** In ms. @default the process's own clock */
  clock?: () => number;
}

/** Most that one request may build: some tenths of a second of processor time. */
export const maxWorkUnits = 8 * 1024 * 1024;
const sliceMs = 5;

/** Counts and slices the work of one request. */
export function createWork(options: WorkOptions = {}): Work {
  const { takeToken, yieldToOthers = waitForTurn, clock = () => performance.now() } = options;
  let done = 0;
  let paid = 0;
  let sliceStart = clock();
  return {
    spend(units) {
      done += units;
      if (done <= maxWorkUnits) return;
      const message = `Payload must not produce over ${maxWorkUnits} characters of entries`;
      throw new ApiError("payload_too_large", message);
    },
    async breathe() {
      while (takeToken !== undefined && paid < Math.floor(done / workPerToken)) {
        await takeToken();
        paid++;
      }
      if (clock() - sliceStart < sliceMs) return;
      await yieldToOthers();
      sliceStart = clock();
    },
    paid: () => paid,
  };
}
