import { runAtOnce, type Steps } from "../event_loop/slices.ts";

const [quote, backslash, minus, plus, point, smallE, largeE] = [34, 92, 45, 43, 46, 101, 69];
const comma = 44;
const [openArray, openObject, closeArray, closeObject] = [91, 123, 93, 125];

/** Characters to scan in one step: about a millisecond. */
const stepCharacters = 256 * 1024;

/** Checks whether arrays and objects of a text are nested deeper than `limit`; it may be invalid JSON. */
export function nestsOver(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = text.length > 2 * limit ? 0 : text.length; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = findClosingQuote(text, i);
    else if (code === openArray || code === openObject) {
      if (++depth > limit) return true;
    } else if (code === closeArray || code === closeObject) depth--;
  }
  return false;
}

/** Contents of a text that may be JSON. */
export interface JsonCounts {
  /** Arrays and objects. */
  containers: number;
  numbers: number;
  /** Members of the top-level array named `envelope`. */
  members: number;
}

/** Counts the content of a text, in a fraction of the time that parsing takes. */
export function countJson(text: string, envelope = ""): JsonCounts {
  return runAtOnce(countJsonInSteps(text, envelope));
}

/** Runs `countJson` in steps. */
export function* countJsonInSteps(text: string, envelope = ""): Steps<JsonCounts> {
  const counts = { containers: 0, numbers: 0, members: 0 };
  let depth = 0;
  let key = "";
  let isEnclosed = false;
  let pauseAt = stepCharacters;
  for (let i = 0; i < text.length; i++) {
    if (i >= pauseAt) {
      yield;
      pauseAt = i + stepCharacters;
    }
    const code = text.charCodeAt(i);
    if (code === quote) {
      const end = findClosingQuote(text, i);
      if (depth === 1) key = text.slice(i + 1, end);
      i = end;
    } else if (code === openArray || code === openObject) {
      counts.containers++;
      depth++;
      if (depth !== 2) continue;
      isEnclosed = code === openArray && key === envelope;
      if (isEnclosed) counts.members++;
    } else if (code === closeArray || code === closeObject) depth--;
    else if (code === comma && isEnclosed && depth === 2) counts.members++;
    else if (isDigit(code)) {
      counts.numbers++;
      i = findEndOfNumber(text, i);
    }
  }
  return counts;
}

/**
 * Replaces numbers of a valid JSON text in steps: `replace` returns the new text of a number,
 * undefined to keep it, or null to end the scan, which then returns null. Numbers of few digits
 * without an exponent are kept without a call.
 */
export function* replaceNumbers(
  text: string,
  replace: (source: string) => string | undefined | null,
): Steps<string | null> {
  const pieces: string[] = [];
  let copied = 0;
  let pauseAt = stepCharacters;
  for (let i = 0; i < text.length; i++) {
    if (i >= pauseAt) {
      yield;
      pauseAt = i + stepCharacters;
    }
    const code = text.charCodeAt(i);
    if (code === quote) i = findClosingQuote(text, i);
    if (!isDigit(code) && code !== minus) continue;
    const from = i;
    i = findEndOfNumber(text, i);
    const source = text.slice(from, i + 1);
    if (source.length < 16 && !/e/i.test(source)) continue;
    const written = replace(source);
    if (written === undefined) continue;
    if (written === null) return null;
    pieces.push(text.slice(copied, from), written);
    copied = i + 1;
  }
  return copied === 0 ? text : pieces.join("") + text.slice(copied);
}

/** Returns the position of the quote that ends the string, or the end of the text. */
function findClosingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** An odd number of backslashes in front escapes a quote. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

function findEndOfNumber(text: string, from: number): number {
  let i = from;
  while (isInNumber(text.charCodeAt(i + 1))) i++;
  return i;
}

function isInNumber(code: number): boolean {
  return isDigit(code) || code === point || code === minus || code === plus ||
    code === smallE || code === largeE;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
