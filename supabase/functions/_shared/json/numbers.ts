import { runAtOnce, type Steps } from "../event_loop/slices.ts";
import { replaceNumbers } from "./scan.ts";

/*
 * Numbers that `JSON.parse` would change: integers beyond a double's precision, numbers beyond its
 * range, and numbers so small that they lose digits or become 0. One scan of the text finds them for both policies: `markChangedNumbers` reports each
 * with its path, and `quoteUnsafeNumbers` keeps its digits. A reviver of `JSON.parse` sees their
 * source too, but runs for every value: 1 MB of numbers takes it 60 to 900 ms on Deno 2.9 and 180
 * to 1,300 ms on Deno 2.1. Parse, scan and second parse take 10 to 125 ms on either.
 */

// Only these can be changed by parsing: integers of 16 digits and more, numbers with an exponent, and
// numbers below 1e-300.
const suspiciousNumber = /[:[,]\s*-?(?:\d{16}|[\d.]+[eE]|0\.0{300})/;

/** Below this number, a double has fewer and fewer digits. */
const smallestNormal = 2.2250738585072014e-308;

// As JSON.stringify writes it. In most strings, no digits follow right after these characters.
const exponentNumber = /[:[,]-?[\d.]+e[+-]\d/;
const stringOrExponentNumber = /"(?:[^"\\]|\\.)*"|-?([\d.]+)e([+-])(\d+)/g;

/** A JSON text whose changed numbers are strings: `mark`, then the number as it was sent. */
export interface MarkedJson {
  text: string;
  /** Undefined when no number was changed, and the text is as it was. */
  mark: string | undefined;
}

/** Most changed numbers to report: nobody sends more by mistake. */
export const maxChangedNumbers = 20_000;

/**
 * Replaces the numbers of a valid JSON text that parsing would change, to report them; undefined
 * when there are over `maxChangedNumbers` of them.
 */
export function* markChangedNumbers(text: string): Steps<MarkedJson | undefined> {
  if (!suspiciousNumber.test(text)) return { text, mark: undefined };
  // Random, so that no text can hold it.
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
 * Replaces the integers of a valid JSON text that are not safe, and the numbers beyond a double's
 * range or below it, by strings of their digits.
 */
export function quoteUnsafeNumbers(text: string): string {
  if (!suspiciousNumber.test(text)) return text;
  const quoted = replaceNumbers(text, (source) => {
    const value = Number(source);
    const isKept = Number.isFinite(value) && (Number.isSafeInteger(value) || value % 1 !== 0);
    return isKept && !losesDigits(source, value) ? undefined : `"${source}"`;
  });
  return runAtOnce(quoted) ?? text;
}

/** Returns the end of a sentence on what parsing would do to a number; undefined for nothing. */
export function describeChange(source: string): string | undefined {
  const value = Number(source);
  if (!Number.isFinite(value)) {
    return "must be within the range of a 64-bit float: send it as a string";
  }
  // What is stored is the shortest text of the float: most that a float prints comes back whole.
  const stored = String(value);
  if (stored === source) return undefined;
  if (!losesDigits(source, value)) {
    if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return undefined;
    if (BigInt(source) === readInteger(stored)) return undefined;
  }
  return `would be changed to ${stored}, the nearest 64-bit float: send it as a string`;
}

/** Counts the characters that Postgres adds to a text of JSON.stringify: it writes out `1e+308`. */
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

/** An integer as `String` writes it, from 1e21 on with an exponent. */
function readInteger(text: string): bigint {
  const [mantissa = "", exponent = "0"] = text.split("e+");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

/** Checks whether a number is so small that its double is another number, 0 for instance. */
function losesDigits(source: string, value: number): boolean {
  return Math.abs(value) < smallestNormal && readDecimal(source) !== readDecimal(String(value));
}

/** Returns the digits and the exponent of a number, without its sign; equal for equal numbers. */
function readDecimal(text: string): string {
  const [mantissa = "", exponent = "0"] = text.replace(/^-/, "").split(/e/i);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const scale = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${scale}`;
}
