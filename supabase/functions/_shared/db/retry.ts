import { isRetryable } from "./errors.ts";

const maxAttempts = 10;
const maxPauseMs = 100;

/**
 * Retries a transaction while it loses races (40001, 40P01), with random delays so that the same
 * two do not collide again. Throws the last error.
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
