/** Asks until the answer is true. */
export async function waitUntil(
  check: () => Promise<boolean>,
  { limitMs, what, pauseMs = 20 }: { limitMs: number; what: string; pauseMs?: number },
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!await check()) {
    if (Date.now() > deadline) {
      throw new Error(`Cannot finish the move: ${what} took over ${limitMs} ms, run it again`);
    }
    await pause(pauseMs);
  }
}

/** Resolves after so many milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
