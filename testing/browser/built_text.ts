/** Sizes of the texts that `JSON.stringify` writes until this is disposed of. */
export interface BuiltText extends Disposable {
  /** Characters, all in all. */
  total(): number;
  /** Characters of the longest text. */
  longest(): number;
}

/** Counts what the process builds; `onText` hears of each text. */
export function countBuiltText(onText: (text: string) => void = () => {}): BuiltText {
  const stringify = JSON.stringify;
  let total = 0;
  let longest = 0;
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    total += text?.length ?? 0;
    longest = Math.max(longest, text?.length ?? 0);
    onText(text ?? "");
    return text;
  }) as typeof stringify;
  return {
    total: () => total,
    longest: () => longest,
    [Symbol.dispose]() {
      JSON.stringify = stringify;
    },
  };
}
