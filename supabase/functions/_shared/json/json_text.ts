import { runAtOnce, type Steps } from "../platform/slices.ts";

// Only these can be changed by parsing: integers of 16 digits and more, numbers with an exponent.
const suspiciousNumber = /[:[,]\s*-?(?:\d{16}|[\d.]+[eE])/;

// As JSON.stringify writes it: in most strings no digits follow these characters at once.
const exponentNumber = /[:[,]-?[\d.]+e[+-]\d/;
const stringOrExponentNumber = /"(?:[^"\\]|\\.)*"|-?([\d.]+)e([+-])(\d+)/g;

const [quote, backslash, minus, plus, point, smallE, largeE] = [34, 92, 45, 43, 46, 101, 69];
const comma = 44;

/** Characters that are looked through in one step, a millisecond or so. */
const stepCharacters = 256 * 1024;
const [openArray, openObject, closeArray, closeObject] = [91, 123, 93, 125];

/** A JSON text whose changed numbers are strings: `mark`, then the number as it was sent. */
export interface MarkedJson {
  text: string;
  /** Undefined when no number was changed, and the text is as it was. */
  mark: string | undefined;
}

/** More numbers that parsing would change than this are more than anybody sends by mistake. */
export const maxChangedNumbers = 20_000;

/**
 * Replaces the numbers of a valid JSON text that parsing would change; undefined when there are
 * over `maxChangedNumbers` of them. A reviver sees their source too, but costs seconds for a body
 * of millions of numbers.
 */
export function* markChangedNumbers(text: string): Steps<MarkedJson | undefined> {
  if (!suspiciousNumber.test(text)) return { text, mark: undefined };
  // By chance, so that no text can hold it.
  const mark = crypto.randomUUID().slice(0, 8);
  let left = maxChangedNumbers;
  const marked = yield* replaceNumbers(text, (source) => {
    if (describeChange(source) === undefined) return undefined;
    return --left < 0 ? null : `"${mark}${source}"`;
  });
  if (marked === null) return undefined;
  return { text: marked, mark: marked === text ? undefined : mark };
}

/**
 * Makes strings of the numbers of a valid JSON text that are no safe integers or out of a double's
 * range: their digits stay as they were sent.
 */
export function quoteUnsafeNumbers(text: string): string {
  if (!suspiciousNumber.test(text)) return text;
  const quoted = replaceNumbers(text, (source) => {
    const value = Number(source);
    const isKept = Number.isFinite(value) && (Number.isSafeInteger(value) || value % 1 !== 0);
    return isKept ? undefined : `"${source}"`;
  });
  return runAtOnce(quoted) ?? text;
}

/**
 * Writes the numbers of a valid JSON text anew: undefined keeps one, null ends it all. Those of
 * few digits and no exponent are kept unasked.
 */
function* replaceNumbers(
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

/** How many characters Postgres adds to a text of JSON.stringify: it writes out `1e+308`. */
export function countWrittenOut(text: string): number {
  if (!exponentNumber.test(text)) return 0;
  let added = 0;
  for (const [token, mantissa, sign, exponent] of text.matchAll(stringOrExponentNumber)) {
    if (mantissa === undefined) continue;
    const digits = mantissa.replace(".", "").length;
    // "1.5e+21" has 22 digits; "1.5e-7" becomes "0.00000015", where the point is one more.
    const printed = Number(exponent) + 1 + (sign === "-" ? digits : 0);
    added += printed + (token.startsWith("-") ? 1 : 0) - token.length;
  }
  return added;
}

/** Whether a text that may be JSON has arrays and objects inside each other over `limit` levels. */
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

/** What a text that may be JSON holds. */
export interface JsonCounts {
  /** Arrays and objects. */
  containers: number;
  numbers: number;
  /** Members of the array that the top-level object has under the name `envelope`. */
  members: number;
}

/** Counts what a text holds, at a fraction of what parsing it takes. */
export function countJson(text: string, envelope = ""): JsonCounts {
  return runAtOnce(countJsonInSteps(text, envelope));
}

/** `countJson` in steps. */
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

/** What parsing would do to a number, as the end of a sentence; undefined when it survives. */
export function describeChange(source: string): string | undefined {
  const value = Number(source);
  if (!Number.isFinite(value)) {
    return "must be within the range of a 64-bit float: send it as a string";
  }
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return undefined;
  // What is stored is the shortest text of the float: most that a float prints comes back whole.
  const stored = String(value);
  if (stored === source) return undefined;
  if (BigInt(source) === readInteger(stored)) return undefined;
  return `would be changed to ${stored}, the nearest 64-bit float: send it as a string`;
}

function findClosingQuote(text: string, from: number): number {
  let i = from + 1;
  for (; i < text.length && text.charCodeAt(i) !== quote; i++) {
    if (text.charCodeAt(i) === backslash) i++;
  }
  return i;
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

/** An integer as `String` writes it, from 1e21 on with an exponent. */
function readInteger(text: string): bigint {
  const [mantissa = "", exponent = "0"] = text.split("e+");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}
