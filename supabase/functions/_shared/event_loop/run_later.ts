declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/** Runs work after a pause in milliseconds, and keeps the instance alive until it is done. */
export function runLater(work: () => unknown, ms: number): void {
  const done = new Promise<void>((resolve, reject) =>
    setTimeout(() => {
      Promise.resolve(work()).then(() => resolve(), reject);
    }, ms)
  );
  if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(done);
}
