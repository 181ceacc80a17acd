// Only these can be changed by parsing: integers of 16 digits and more, numbers with an exponent.
const suspiciousNumber = /[:[,]\s*-?(?:\d{16}|[\d.]+[eE])/;

// As JSON.stringify writes it: in most strings no digits follow these characters at once.
const exponentNumber = /[:[,]-?[\d.]+e[+-]\d/;
const stringOrExponentNumber = /"(?:[^"\\]|\\.)*"|-?([\d.]+)e([+-])(\d+)/g;

const [quote, backslash, minus, plus, point, smallE, largeE] = [34, 92, 45, 43, 46, 101, 69];
const [openArray, openObject] = [91, 123];

/** A JSON text whose changed numbers are strings: `mark`, then the number as it was sent. */
export interface MarkedJson {
  text: string;
  /** Undefined when no number was changed, and the text is as it was. */
  mark: string | undefined;
}

/**
 * Replaces the numbers of a valid JSON text that parsing would change. A reviver sees their source
 * too, but costs seconds for a body of millions of numbers.
 */
export function markChangedNumbers(text: string): MarkedJson {
  if (!suspiciousNumber.test(text)) return { text, mark: undefined };
  // By chance, so that no text can hold it.
  const mark = crypto.randomUUID().slice(0, 8);
  const pieces: string[] = [];
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = findClosingQuote(text, i);
    if (!isDigit(code) && code !== minus) continue;
    const from = i;
    i = findEndOfNumber(text, i);
    const source = text.slice(from, i + 1);
    if (describeChange(source) === undefined) continue;
    pieces.push(text.slice(copied, from), `"${mark}${source}"`);
    copied = i + 1;
  }
  if (copied === 0) return { text, mark: undefined };
  return { text: pieces.join("") + text.slice(copied), mark };
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

/** Whether a text that may be JSON has more arrays and objects than `limit`. */
export function holdsOver(text: string, limit: number): boolean {
  let left = limit;
  // Each takes two characters, so that most texts need no closer look.
  for (let i = text.length > 2 * limit ? 0 : text.length; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = findClosingQuote(text, i);
    else if ((code === openArray || code === openObject) && --left < 0) return true;
  }
  return false;
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
