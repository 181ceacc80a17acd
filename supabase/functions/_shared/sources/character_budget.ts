import { ApiError } from "../errors/errors.ts";
import { workPerToken } from "../rate_limit/rate_limit.ts";
import { waitForTurn } from "../event_loop/slices.ts";

/**
 * Budget of one request for the characters that its mapping builds. Between two entries it lets
 * other requests run.
 */
export interface CharacterBudget {
  /**
   * Counts built characters, or equivalent steps.
   *
   * @throws {ApiError} `payload_too_large` over the limit of one request
   */
  spend(units: number): void;
  /** Await between two entries: lets other requests run, and pays for what was spent. */
  breathe(): Promise<void>;
  /** Number of tokens taken so far. */
  paid(): number;
}

export interface CharacterBudgetOptions {
  /** Takes a token of the workspace per further 4 KiB of characters; throws if there is none. */
  takeToken?: () => Promise<unknown>;
  /** @default the event loop's next turn */
  yieldToOthers?: () => Promise<void>;
  /** A clock in ms. @default the process's own */
  clock?: () => number;
}

/** Most characters that one request may build: some tenths of a second of processor time. */
export const maxBuiltCharacters = 8 * 1024 * 1024;
const sliceMs = 5;

/** Creates the budget of one request. */
export function createCharacterBudget(options: CharacterBudgetOptions = {}): CharacterBudget {
  const { takeToken, yieldToOthers = waitForTurn, clock = () => performance.now() } = options;
  let done = 0;
  let paid = 0;
  let sliceStart = clock();
  return {
    spend(units) {
      done += units;
      if (done <= maxBuiltCharacters) return;
      const message = `Payload must not produce over ${maxBuiltCharacters} characters of entries`;
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
