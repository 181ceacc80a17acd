/** Text that a stream has delivered so far. */
export interface CollectedText {
  text(): string;
  /** Waits until the text passes the check; false when it ends before. */
  waitFor(check: (text: string) => boolean): Promise<boolean>;
  /** Stops reading. */
  end(): Promise<void>;
}

/** Reads a stream to its end, so that its writer never has to wait. */
export function collectText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): CollectedText {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let hasEnded = false;
  let step = Promise.withResolvers<void>();
  const reading = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      step.resolve();
      step = Promise.withResolvers();
    }
  })().catch(() => {}).finally(() => {
    hasEnded = true;
    step.resolve();
  });
  return {
    text: () => text,
    async waitFor(check) {
      while (!check(text) && !hasEnded) await step.promise;
      return check(text);
    },
    async end() {
      await reader.cancel().catch(() => {});
      await reading;
    },
  };
}
