import { ApiError, type ErrorDetail } from "./errors.ts";

export type JsonPath = readonly (string | number)[];

/** Something JSON allows and the service cannot keep as it was sent. */
export interface JsonFault {
  path: JsonPath;
  message: string;
}

export interface ParsedJson {
  value: unknown;
  /** At most ten for each document. */
  faults: readonly JsonFault[];
}

export interface JsonOptions {
  /** Name of a top-level array whose members count as documents of their own. */
  envelope?: string;
}

const maxDepth = 10;
const maxKeys = 300;
const maxFaults = 10;
const maxPathCharacters = 200;

// Everything that needs a closer look: escaped U+0000 and surrogates, integers of 16 digits and
// more, exponents. Text without any of it is parsed at full speed.
const suspicious = /\\u(?:0000|[dD][89a-fA-F])|[:[,]\s*-?(?:\d{16}|[\d.]+[eE])/;

/**
 * Parses JSON and finds what would be changed silently or cannot be stored: U+0000, lone
 * surrogates, numbers no double holds, over 300 keys in one object, over 10 levels inside a
 * document. Of a key that occurs twice the last one counts, as in `JSON.parse`; `__proto__` is a
 * key like any other.
 *
 * @throws {ApiError} `invalid_json`
 */
export function parseJson(text: string, options: JsonOptions = {}): ParsedJson {
  const changed: ChangedNumbers | undefined = suspicious.test(text) ? new Map() : undefined;
  const value = parseText(text, changed);
  const envelope = options.envelope ?? "";
  const member = isRecord(value) ? value[envelope] : undefined;
  const documents = Array.isArray(member) ? member : [];
  const inspection: Inspection = { faults: [], changed, documents, path: [], limit: 0 };
  inspectDocument(inspection, value, []);
  documents.forEach((document, i) => inspectDocument(inspection, document, [envelope, i]));
  return { value, faults: inspection.faults };
}

/** A path as people write it: `events[3].properties["first name"]`, cut when it is very long. */
export function formatPath(path: JsonPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
    if (text.length > maxPathCharacters) return text.slice(0, maxPathCharacters) + "…";
  }
  return text;
}

/** Faults as details of an answer. */
export function describeFaults(faults: readonly JsonFault[]): ErrorDetail[] {
  return faults.map(({ path, message }) => ({ field: formatPath(path), message }));
}

/** Whether a parsed value is an object, not an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For each object or array, the members whose number was changed by parsing, and why. */
type ChangedNumbers = Map<object, Map<string, string>>;

interface Inspection {
  faults: JsonFault[];
  /** Undefined for text that cannot hold a changed number or a character that cannot be stored. */
  changed: ChangedNumbers | undefined;
  /** The envelope's array, whose members are inspected one by one. */
  documents: readonly unknown[];
  path: (string | number)[];
  /** How many faults there may be before this document's are enough. */
  limit: number;
}

function parseText(text: string, changed: ChangedNumbers | undefined): unknown {
  try {
    return changed === undefined ? JSON.parse(text) : JSON.parse(text, noteChanges(changed));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "it is nested too deeply";
    throw new ApiError("invalid_json", `Body is not valid JSON: ${reason}`);
  }
}

function noteChanges(changed: ChangedNumbers) {
  return function (this: object, key: string, value: unknown, context?: { source?: string }) {
    if (typeof value !== "number" || context?.source === undefined) return value;
    const message = describeChange(value, context.source);
    if (message === undefined) return value;
    const members = changed.get(this) ?? new Map<string, string>();
    changed.set(this, members.set(key, message));
    return value;
  };
}

function describeChange(value: number, source: string): string | undefined {
  if (!Number.isFinite(value)) {
    return "must be within the range of a 64-bit float: send it as a string";
  }
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return undefined;
  // What is stored is the shortest text of the float: most that a float prints comes back whole.
  const stored = String(value);
  if (BigInt(source) === readInteger(stored)) return undefined;
  return `would be changed to ${stored}, the nearest 64-bit float: send it as a string`;
}

/** An integer as `String` writes it, from 1e21 on with an exponent. */
function readInteger(text: string): bigint {
  const [mantissa = "", exponent = "0"] = text.split("e+");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

function inspectDocument(inspection: Inspection, value: unknown, path: JsonPath): void {
  inspection.path = [...path];
  inspection.limit = inspection.faults.length + maxFaults;
  inspectValue(inspection, value, 0);
}

function inspectValue(inspection: Inspection, value: unknown, depth: number): void {
  if (typeof value === "object" && value !== null) {
    if (depth > maxDepth) addFault(inspection, `must not be nested over ${maxDepth} levels deep`);
    else if (Array.isArray(value)) inspectArray(inspection, value, depth);
    else inspectObject(inspection, value as Record<string, unknown>, depth);
  } else if (inspection.changed !== undefined && typeof value === "string") {
    const found = findUnstorable(value);
    if (found !== undefined) addFault(inspection, `must not contain ${found}: remove it`);
  }
}

function inspectArray(inspection: Inspection, array: readonly unknown[], depth: number): void {
  for (let i = 0; i < array.length; i++) {
    if (isPlain(inspection, array[i])) continue;
    inspectMember(inspection, { holder: array, key: i, value: array[i], depth });
  }
}

function inspectObject(
  inspection: Inspection,
  object: Record<string, unknown>,
  depth: number,
): void {
  let keys = 0;
  for (const key in object) {
    if (++keys > maxKeys) return addFault(inspection, `must not have over ${maxKeys} keys`);
    const value = object[key];
    if (isPlain(inspection, value)) continue;
    inspectMember(inspection, { holder: object, key, value, depth });
  }
}

/** What the fast pass skips: anything but objects, when the text showed nothing suspicious. */
function isPlain(inspection: Inspection, value: unknown): boolean {
  if (value === inspection.documents) return true;
  return inspection.changed === undefined && (typeof value !== "object" || value === null);
}

interface Member {
  holder: object;
  key: string | number;
  value: unknown;
  depth: number;
}

function inspectMember(inspection: Inspection, { holder, key, value, depth }: Member): void {
  if (inspection.faults.length >= inspection.limit) return;
  const inKey = inspection.changed && findUnstorable(String(key));
  if (inKey) addFault(inspection, `must not have a key that contains ${inKey}: remove it`);
  inspection.path.push(key);
  const changed = inspection.changed?.get(holder)?.get(String(key));
  if (changed !== undefined) addFault(inspection, changed);
  inspectValue(inspection, value, depth + 1);
  inspection.path.pop();
}

function addFault(inspection: Inspection, message: string): void {
  inspection.faults.push({ path: [...inspection.path], message });
}

function findUnstorable(text: string): string | undefined {
  if (text.includes("\0")) return "U+0000";
  return text.isWellFormed() ? undefined : "a lone surrogate";
}
