import { type Token, TypeGuards } from "liquidjs";

/** Most tags and outputs of one text; a line of the tag `liquid` counts as one. */
export const maxTags = 2000;
/** Most characters of one tag or output. */
export const maxTagLength = 10_000;
/** Most brackets inside of one another in a tag, and most tags `liquid`. */
export const maxTagNesting = 20;

/** Describes the limit of tags that a text exceeds, before it is read; a rough count. */
export function findManyTags(source: string): string | undefined {
  let tags = 0;
  for (const _ of source.matchAll(/\{[{%]/g)) {
    if (++tags > maxTags) return describeMany();
  }
  return undefined;
}

/** Describes the limit that a tag of a text exceeds. */
export function findLargeTag(tokens: readonly Token[]): string | undefined {
  let tags = 0;
  for (const token of tokens) {
    if (!TypeGuards.isTagToken(token) && !TypeGuards.isOutputToken(token)) continue;
    const parts = readParts(token);
    tags += parts.length;
    if (tags > maxTags) return describeMany();
    if (token.end - token.begin > maxTagLength) {
      return `A tag has over ${maxTagLength} characters`;
    }
    if (parts.some((part) => countLiquid(part) > maxTagNesting)) {
      return `A tag has over ${maxTagNesting} tags "liquid" inside of one another`;
    }
    if (parts.some((part) => countNesting(part) > maxTagNesting)) {
      return `A tag has over ${maxTagNesting} brackets inside of one another`;
    }
  }
  return undefined;
}

function describeMany(): string {
  return `Text has over ${maxTags} tags`;
}

/** Returns what the engine reads at once: each line of a tag `liquid`, or the whole tag. */
function readParts(token: Token): string[] {
  const text = token.input.slice(token.begin, token.end);
  if (!TypeGuards.isTagToken(token)) return [text];
  if (token.name === "#") return [""];
  return token.name === "liquid" ? text.split("\n") : [text];
}

function countLiquid(part: string): number {
  return part.match(/\bliquid\b/g)?.length ?? 0;
}

/** Counts the brackets that are open at once, outside of quoted texts. */
function countNesting(part: string): number {
  const open: string[] = [];
  let deepest = 0;
  let isFirst = false;
  for (let at = 0; at < part.length; at++) {
    const char = part[at]!;
    if (char === "[" || char === "(") {
      deepest = Math.max(deepest, open.push(char));
      isFirst = true;
      continue;
    }
    // After the first value, the engine takes a quote in square brackets for any other character.
    const mayQuote = isFirst || open.at(-1) !== "[";
    if (mayQuote && (char === '"' || char === "'")) at = findQuoteEnd(part, at);
    if (open.at(-1) === (char === "]" ? "[" : char === ")" ? "(" : undefined)) open.pop();
    if (char.trim() !== "") isFirst = false;
  }
  return deepest;
}

function findQuoteEnd(part: string, start: number): number {
  for (let at = start + 1; at < part.length; at++) {
    if (part[at] === "\\") at++;
    else if (part[at] === part[start]) return at;
  }
  return part.length;
}
