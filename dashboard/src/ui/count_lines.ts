import { formatCount } from "../format/numbers.ts";

/** Most lines about the rows in a question. */
const mostLines = 5;

/** Lists the texts, each once with how often it occurs, the most frequent first: "12 × Order". */
export function countLines(texts: readonly (string | undefined)[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const lines = [...counts].sort(([, a], [, b]) => b - a)
    .map(([text, count]) => count === 1 ? text : `${formatCount(count)} × ${text}`);
  const rest = lines.length - mostLines;
  return rest > 0 ? [...lines.slice(0, mostLines), `And ${formatCount(rest)} more`] : lines;
}
