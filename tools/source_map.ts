const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const continues = 32;

/** The parts of a source map (revision 3) that a stack trace needs. */
export interface LineMap {
  version: 3;
  sources: string[];
  names: [];
  mappings: string;
}

/**
 * Keeps one position for each generated line: the file and line that a stack trace shows. Columns,
 * names and the sources' text are most of a map, and would double the size of a bundle.
 */
export function keepLines({ sources, mappings }: { sources: string[]; mappings: string }): LineMap {
  // Every number but the column of the output counts from the segment before.
  let read = [0, 0, 0];
  let written = [0, 0, 0];
  const lines = mappings.split(";").map((line) => {
    let first: string | undefined;
    for (const segment of line.split(",")) {
      const [column = 0, ...place] = decodeNumbers(segment);
      if (place.length < 3) continue;
      read = read.map((value, index) => value + place[index]!);
      if (first !== undefined) continue;
      first = encodeNumbers([column, ...read.map((value, index) => value - written[index]!)]);
      written = read;
    }
    return first ?? "";
  });
  return { version: 3, sources, names: [], mappings: lines.join(";") };
}

/** The comment that carries the map, in the only spelling that Deno 2.1.4 reads. */
export function inlineMap(map: LineMap): string {
  return `//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}\n`;
}

function decodeNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = digits.indexOf(digit);
    value += (bits & (continues - 1)) << shift;
    shift += 5;
    if (bits & continues) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function encodeNumbers(numbers: number[]): string {
  return numbers.map((number) => {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    let text = "";
    do {
      const bits = rest & (continues - 1);
      rest >>>= 5;
      text += digits[rest > 0 ? bits | continues : bits];
    } while (rest > 0);
    return text;
  }).join("");
}
