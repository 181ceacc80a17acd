/** A promise did not settle in time. */
export class DeadlineError extends Error {
  override name = "DeadlineError";
}

/**
 * Settles as a promise does, or rejects after `timeoutMs`. The work behind the promise continues.
 *
 * @throws DeadlineError with the message
 */
export function withDeadline<Result>(
  promise: Promise<Result>,
  { timeoutMs, message }: { timeoutMs: number; message: string },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineError(message)), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
