import { diffLines } from "diff";

/** A line of a difference. */
export interface DiffLine {
  kind: "same" | "added" | "removed" | "skipped";
  text: string;
}

/** Unchanged lines that are shown around a change. */
const contextLines = 3;

/** Compares two texts line by line. Longer runs of the same lines become one that counts them. */
export function compareLines(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after);
  return parts.flatMap(({ value, added, removed }, index): DiffLine[] => {
    const lines = value.replace(/\n$/, "").split("\n");
    if (added) return lines.map((text) => ({ kind: "added", text }));
    if (removed) return lines.map((text) => ({ kind: "removed", text }));
    const same = lines.map((text): DiffLine => ({ kind: "same", text }));
    const head = index === 0 ? 0 : contextLines;
    const tail = index === parts.length - 1 ? 0 : contextLines;
    const hidden = same.length - head - tail;
    if (hidden <= 1) return same;
    return [
      ...same.slice(0, head),
      { kind: "skipped", text: `${hidden} lines are the same` },
      ...same.slice(same.length - tail),
    ];
  });
}
