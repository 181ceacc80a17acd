/** Returns whether a text has all the words that were typed, or their beginnings. */
export function hasWords(text: string, typed: string): boolean {
  const simplify = (words: string) => words.toLowerCase().replaceAll("’", "'");
  return simplify(typed).split(/\s+/).every((word) => simplify(text).includes(word));
}
