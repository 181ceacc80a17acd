const blank = /[ \t\n\r]*/y;
/** A character of a text besides escapes: no quote, no backslash and no control character. */
const plain = String.raw`[ !#-[\]-\uffff]`;
const escaped = String.raw`\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const token = new RegExp(
  String.raw`[{}[\],:]|"(?:${plain}|${escaped})*"|(?:${number}|true|false|null)(?![\w.+-])`,
  "y",
);
const closedText = new RegExp(String.raw`"(?:${plain}|\\.)*"`, "y");
const word = /[\w.+-]+|./suy;

/** The parts that may come next: each with its words. */
const expected = {
  value: "a value",
  item: "a value or ]",
  name: "a name in double quotes",
  member: "a name in double quotes or }",
  colon: "a colon",
  nextItem: "a comma or ]",
  nextMember: "a comma or }",
  end: "the end of the text",
};

type Next = keyof typeof expected;

/**
 * Says where a text is not JSON, and what belongs there; undefined for JSON. Not every browser's
 * parser says where.
 */
export function describeJsonError(text: string): string | undefined {
  const open: ("{" | "[")[] = [];
  let next: Next = "value";
  let at = 0;
  while (true) {
    at += matchAt(blank, text, at).length;
    const found = matchAt(token, text, at);
    if (found === "" && at === text.length && next === "end") return undefined;
    const follows: Next | undefined = found === "" ? undefined : follow(next, found, open);
    if (follows === undefined) {
      return `Line ${countLines(text, at)}: ${describeFound(text, at, next)}`;
    }
    next = follows;
    at += found.length;
  }
}

/** Returns what may come after a part; undefined if the part must not come here. */
function follow(next: Next, part: string, open: ("{" | "[")[]): Next | undefined {
  const isClosing = part === "}"
    ? next === "member" || next === "nextMember"
    : part === "]" && (next === "item" || next === "nextItem");
  if (isClosing) {
    open.pop();
    return afterValue(open);
  }
  if (next === "name" || next === "member") return part.startsWith('"') ? "colon" : undefined;
  if (next === "colon") return part === ":" ? "value" : undefined;
  if (next === "nextItem") return part === "," ? "value" : undefined;
  if (next === "nextMember") return part === "," ? "name" : undefined;
  if (next === "end" || "}],:".includes(part)) return undefined;
  if (part !== "{" && part !== "[") return afterValue(open);
  open.push(part);
  return part === "{" ? "member" : "item";
}

function afterValue(open: readonly string[]): Next {
  const last = open.at(-1);
  if (last === undefined) return "end";
  return last === "{" ? "nextMember" : "nextItem";
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** The place as "2, position 14": both count from 1. */
function countLines(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `${lines.length}, position ${lines.at(-1)!.length + 1}`;
}

function describeFound(text: string, at: number, next: Next): string {
  if (at === text.length) return `the text ends, but ${expected[next]} is missing`;
  if (text[at] === '"' && matchAt(token, text, at) === "") {
    return matchAt(closedText, text, at) === ""
      ? "the text that begins here has no closing quote in its line"
      : "the text that begins here has a wrong character after a backslash";
  }
  const found = matchAt(token, text, at) || matchAt(word, text, at);
  return `expected ${expected[next]}, found ${found.slice(0, 20)}`;
}
