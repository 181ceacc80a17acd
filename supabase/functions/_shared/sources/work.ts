import { ApiError } from "../platform/errors.ts";
import { workPerToken } from "../rate_limit/rate_limit.ts";
import { waitForTurn } from "../platform/slices.ts";

/** Budget of a request, and the way it yields to others. */
export interface Work {
  /**
   * Counts built characters, or equivalent steps.
   *
   * @throws {ApiError} `payload_too_large` over the limit of one request
   */
  spend(units: number): void;
  /** Await between two entries: lets other requests run, and pays for the work done. */
  breathe(): Promise<void>;
  /** Number of tokens taken so far. */
  paid(): number;
}

export interface WorkOptions {
  /** Takes a token of the workspace per further 32 KiB of work; throws if there is none. */
  takeToken?: () => Promise<unknown>;
  /** @default the event loop's next turn */
  yieldToOthers?: () => Promise<void>;
  /** A clock in ms. @default the process's own */
  clock?: () => number;
}

/** Most characters that one request may build: some tenths of a second of processor time. */
export const maxWorkUnits = 8 * 1024 * 1024;
const sliceMs = 5;

/** Counts and divides the work of one request. */
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
