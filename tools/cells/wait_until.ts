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
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
