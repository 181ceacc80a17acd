import { isRetryable } from "./errors.ts";

const maxAttempts = 10;
const maxPauseMs = 100;

/**
 * Runs a transaction again while it loses races (40001, 40P01), with a little chance in between so
 * that two that met do not meet again. The last failure is thrown.
 */
export async function retryLostRaces<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1;; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error) || attempt === maxAttempts) throw error;
      const pauseMs = Math.random() * Math.min(2 ** attempt, maxPauseMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
