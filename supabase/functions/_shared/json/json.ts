import { ApiError, type ErrorDetail } from "../platform/errors.ts";
import { describeChange, markChangedNumbers, maxChangedNumbers } from "./numbers.ts";
import { countJsonInSteps, type JsonCounts } from "./scan.ts";
import { runAtOnce, type Steps } from "../platform/slices.ts";

export type JsonPath = readonly (string | number)[];

/** Value that JSON allows and the service cannot store unchanged. */
export interface JsonFault {
  path: JsonPath;
  message: string;
}

/** Parsed document with its faults. */
export interface ParsedJson {
  value: unknown;
  /** At most ten for each document. */
  faults: readonly JsonFault[];
}

export interface JsonOptions {
  /**
   * Name of a top-level member that counts as a document of its own or, where it is an array, whose
   * members do.
   */
  envelope?: string | undefined;
  /** An array with more members is not looked into, for its caller refuses it. @default no limit */
  maxMembers?: number;
  /** Most characters of a text whose envelope holds no array. @default no limit */
  maxSingle?: number;
  /** What `countJson` has found in the text already, with the same envelope. */
  counts?: JsonCounts | undefined;
}

const maxDepth = 10;
const maxKeys = 300;
/** Most faults that are told of one document. */
export const maxFaults = 10;
const maxPathCharacters = 200;

// Five megabytes of brackets are sent as five kilobytes, and take seconds to parse.
const maxContainers = 200_000;
// Ten characters for each number of the largest body.
const maxNumbers = 500_000;

/** Escapes of what Postgres cannot hold: U+0000 and surrogates. */
export const suspiciousText = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses JSON and finds what would be changed silently or cannot be stored: U+0000, lone
 * surrogates, numbers no double holds, over 300 keys in one object, over 10 levels inside a
 * document. Of a key that occurs twice the last one counts, as in `JSON.parse`; `__proto__` is a
 * key like any other.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export function parseJson(text: string, options: JsonOptions = {}): ParsedJson {
  return runAtOnce(parseJsonInSteps(text, options));
}

/**
 * `parseJson` in steps; `JSON.parse` is one of them.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export function* parseJsonInSteps(text: string, options: JsonOptions = {}): Steps<ParsedJson> {
  const { envelope = "", maxMembers = Infinity, maxSingle = Infinity } = options;
  const counts = options.counts ?? (yield* countLarge(text, envelope));
  requireBounded(counts);
  yield;
  const value = parseText(text);
  const sent = findEnclosed(value, envelope);
  if (!Array.isArray(sent) && text.length > maxSingle) {
    const message = `Body of one entry must not be over ${maxSingle} characters`;
    throw new ApiError("payload_too_large", message);
  }
  if (Array.isArray(sent) && sent.length > maxMembers) return { value, faults: [] };
  yield;
  const marked = yield* markChangedNumbers(text);
  if (marked === undefined) {
    const message =
      `Body must not hold over ${maxChangedNumbers} numbers that no 64-bit float holds`;
    throw new ApiError("payload_too_large", message);
  }
  yield;
  const inspected = marked.mark === undefined ? value : parseText(marked.text);
  yield;
  const inspection: Inspection = {
    faults: [],
    mark: marked.mark,
    isTextSuspicious: marked.mark !== undefined || suspiciousText.test(text),
    enclosed: findEnclosed(inspected, envelope),
    path: [],
    limit: 0,
  };
  inspectDocument(inspection, inspected, []);
  yield* inspectEnclosed(inspection, envelope);
  return { value, faults: inspection.faults };
}

/**
 * Parses JSON and looks into nothing of it, which takes most of the time of `parseJson`.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export function parseUninspected(text: string): unknown {
  requireBounded(runAtOnce(countLarge(text)));
  return parseText(text);
}

/** Counts what a text holds, where it is long enough to hold too much: each takes two characters. */
function* countLarge(text: string, envelope?: string): Steps<JsonCounts | undefined> {
  return text.length <= 2 * maxContainers ? undefined : yield* countJsonInSteps(text, envelope);
}

function requireBounded(counts: JsonCounts | undefined): void {
  const { containers = 0, numbers = 0 } = counts ?? {};
  const excess = containers > maxContainers
    ? `${maxContainers} arrays and objects`
    : numbers > maxNumbers
    ? `${maxNumbers} numbers`
    : undefined;
  if (excess === undefined) return;
  throw new ApiError("payload_too_large", `Body must not hold over ${excess}`);
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

/** Checks whether a parsed value is an object, not an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Inspection {
  faults: JsonFault[];
  /** What strings start with that stand for a changed number. */
  mark: string | undefined;
  /** Whether a string may hold what cannot be stored, or stand for a number. */
  isTextSuspicious: boolean;
  /** What the envelope holds, which is inspected apart from it. */
  enclosed: object | undefined;
  path: (string | number)[];
  /** How many faults there may be before this document's are enough. */
  limit: number;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("invalid_json", `Body is not valid JSON: ${reason}`);
  }
}

function findEnclosed(value: unknown, envelope: string): object | undefined {
  const member = isRecord(value) && Object.hasOwn(value, envelope) ? value[envelope] : undefined;
  return typeof member === "object" && member !== null ? member : undefined;
}

function* inspectEnclosed(inspection: Inspection, envelope: string): Steps<void> {
  const { enclosed } = inspection;
  if (Array.isArray(enclosed)) {
    for (const [i, document] of enclosed.entries()) {
      inspectDocument(inspection, document, [envelope, i]);
      yield;
    }
  } else if (enclosed !== undefined) inspectDocument(inspection, enclosed, [envelope]);
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
  } else if (typeof value === "string") inspectText(inspection, value);
}

function inspectText(inspection: Inspection, text: string): void {
  if (!inspection.isTextSuspicious) return;
  const { mark } = inspection;
  if (mark !== undefined && text.startsWith(mark)) {
    addFault(inspection, describeChange(text.slice(mark.length)) ?? "must be a number");
    return;
  }
  const found = findUnstorable(text);
  if (found !== undefined) addFault(inspection, `must not contain ${found}: remove it`);
}

function inspectArray(inspection: Inspection, array: readonly unknown[], depth: number): void {
  for (let i = 0; i < array.length; i++) {
    const isPlain = typeof array[i] !== "object" || array[i] === null;
    if (isPlain && (typeof array[i] !== "string" || !inspection.isTextSuspicious)) continue;
    inspectMember(inspection, { key: i, value: array[i], depth });
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
    if (inspection.enclosed !== undefined && value === inspection.enclosed) continue;
    const isPlain = typeof value !== "object" || value === null;
    if (isPlain && !inspection.isTextSuspicious) continue;
    inspectMember(inspection, { key, value, depth });
  }
}

interface Member {
  key: string | number;
  value: unknown;
  depth: number;
}

function inspectMember(inspection: Inspection, { key, value, depth }: Member): void {
  if (inspection.faults.length >= inspection.limit) return;
  const inKey = inspection.isTextSuspicious && findUnstorable(String(key));
  if (inKey) addFault(inspection, `must not have a key that contains ${inKey}: remove it`);
  inspection.path.push(key);
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
