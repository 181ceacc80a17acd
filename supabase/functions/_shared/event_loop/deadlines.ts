/** Calls `onLate` at the deadline, unless the returned function is called first. */
export type Deadline = (onLate: () => void) => () => void;

/** Creates deadlines of one duration, in ms. All of them share one timer. */
export function createDeadlines(ms: number): Deadline {
  // In the order in which they were set, which is also the order in which they end.
  const waiting = new Map<symbol, { endsAt: number; onLate: () => void }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(delayMs: number): void {
    timer = setTimeout(end, delayMs);
  }

  function end(): void {
    timer = undefined;
    for (const [id, { endsAt, onLate }] of waiting) {
      const left = endsAt - performance.now();
      if (left > 0) return start(left);
      waiting.delete(id);
      onLate();
    }
  }

  return (onLate) => {
    const id = Symbol();
    waiting.set(id, { endsAt: performance.now() + ms, onLate });
    if (timer === undefined) start(ms);
    return () => {
      waiting.delete(id);
      if (waiting.size > 0) return;
      clearTimeout(timer);
      timer = undefined;
    };
  };
}
