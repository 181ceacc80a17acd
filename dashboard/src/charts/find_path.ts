import type { Flow } from "./picture.ts";

/** The stream between two places that paths pass, or a place, which is both of them. */
export interface Passage {
  from: string;
  to: string;
}

/** Returns the indexes of the streams on all paths through a place or a stream. */
export function findPath({ streams }: Pick<Flow, "streams">, { from, to }: Passage): Set<number> {
  const found = new Set<number>();
  const follow = (start: string, [here, next]: readonly ["from" | "to", "from" | "to"]) => {
    const reached = new Set([start]);
    // The loop continues with what is added meanwhile.
    for (const key of reached) {
      streams.forEach((stream, index) => {
        if (stream[here] !== key) return;
        found.add(index);
        reached.add(stream[next]);
      });
    }
  };
  follow(from, ["to", "from"]);
  follow(to, ["from", "to"]);
  streams.forEach((stream, index) => {
    if (stream.from === from && stream.to === to) found.add(index);
  });
  return found;
}
