/** Lets one loop sleep until somebody has news for it. */
export class Signal {
  #isRaised = false;
  #wakeUp: (() => void) | null = null;

  /** Raised since the last wait began or ended. */
  get isRaised(): boolean {
    return this.#isRaised;
  }

  raise(): void {
    this.#isRaised = true;
    this.#wakeUp?.();
  }

  /**
   * Resolves at the next `raise`, at once when there was one since the last wait, or in time;
   * tells whether it was raised.
   */
  async wait(ms: number): Promise<boolean> {
    if (!this.#isRaised && ms > 0) {
      const woken = Promise.withResolvers<void>();
      const timer = setTimeout(woken.resolve, ms);
      this.#wakeUp = woken.resolve;
      await woken.promise;
      clearTimeout(timer);
      this.#wakeUp = null;
    }
    const wasRaised = this.#isRaised;
    this.#isRaised = false;
    return wasRaised;
  }
}
