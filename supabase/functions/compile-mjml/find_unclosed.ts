/** A fault of MJML source. */
export interface MjmlFault {
  line: number;
  message: string;
}

// A quoted attribute may contain ">".
const elementTag = /<(\/?)(mj(?:ml|-[a-z-]+))\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;

/**
 * Finds elements of MJML that are not closed, or closed in another order. The compiler closes them
 * somewhere, which loses or moves what follows. HTML inside of them is left alone.
 */
export function findUnclosed(source: string): MjmlFault[] {
  // Behind the last end of a comment, none is looked for.
  const end = source.lastIndexOf("-->") + 3;
  const text = source.slice(0, end).replaceAll(
    /<!--[\s\S]*?-->/g,
    (comment) => comment.replaceAll(/[^\n]/g, " "),
  ) + source.slice(end);
  const open: { name: string; line: number }[] = [];
  let [line, done] = [1, 0];
  for (const match of text.matchAll(elementTag)) {
    line += text.slice(done, match.index).split("\n").length - 1;
    done = match.index;
    const [, slash, name = "", attributes = ""] = match;
    if (slash === "") {
      if (!attributes.trimEnd().endsWith("/")) open.push({ name: name.toLowerCase(), line });
      continue;
    }
    const last = open.at(-1);
    if (last?.name !== name.toLowerCase()) {
      return [{ line, message: describe(name, last) }];
    }
    open.pop();
  }
  return open.slice(-1).map(({ name, line }) => ({
    line,
    message: `Element ${name} is not closed`,
  }));
}

function describe(name: string, last: { name: string; line: number } | undefined): string {
  return last === undefined
    ? `Element ${name} is closed but was not opened`
    : `Element ${last.name} of line ${last.line} is not closed before ${name}`;
}
