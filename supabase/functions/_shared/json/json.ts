import { ApiError, type ErrorDetail } from "../errors/errors.ts";
import { describeChange, markChangedNumbers, maxChangedNumbers } from "./numbers.ts";
import { countJsonInSteps, type JsonCounts } from "./scan.ts";
import { runAtOnce, type Steps } from "../event_loop/slices.ts";

export type JsonPath = readonly (string | number)[];

/** Value that JSON allows and the service cannot store unchanged. */
export interface JsonFault {
  path: JsonPath;
  message: string;
}

/** Parsed document with its faults. */
export interface ParsedJson {
  value: unknown;
  /** At most ten faults per document. */
  faults: readonly JsonFault[];
}

export interface JsonOptions {
  /**
   * Name of a top-level member that counts as a document of its own; if it is an array, each of its
   * members does.
   */
  envelope?: string | undefined;
  /**
   * An array with more members is not inspected, because its caller refuses it. @default no limit
   */
  maxMembers?: number;
  /** Most characters of a value whose envelope is not an array, as JSON. @default no limit */
  maxSingle?: number;
  /** Most levels inside a document. @default 10 */
  maxDepth?: number | undefined;
  /** Result of an earlier `countJson` of the text with the same envelope. */
  counts?: JsonCounts | undefined;
}

const defaultDepth = 10;
const maxKeys = 300;
/** Most faults reported per document. */
export const maxFaults = 10;
const maxPathCharacters = 200;

// Five megabytes of brackets compress to five kilobytes, and take seconds to parse.
const maxContainers = 200_000;
// Ten characters per number of the largest body.
const maxNumbers = 500_000;

/** Escapes that Postgres cannot store: U+0000 and surrogates. */
export const suspiciousText = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Parses JSON and finds values that would change silently or cannot be stored: U+0000, lone
 * surrogates, numbers beyond a double, over 300 keys in one object, too many levels inside a
 * document. The last of two equal keys counts, as in `JSON.parse`; `__proto__` is a key like any
 * other.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export function parseJson(text: string, options: JsonOptions = {}): ParsedJson {
  return runAtOnce(parseJsonInSteps(text, options));
}

/**
 * Runs `parseJson` in steps; `JSON.parse` is a single step.
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
  // White space and escapes make a text longer than what is stored of it.
  const isLong = text.length > maxSingle && !Array.isArray(sent);
  if (isLong && JSON.stringify(value).length > maxSingle) {
    const message = `Body of one entry must not be over ${maxSingle} characters of JSON`;
    throw new ApiError("payload_too_large", message);
  }
  if (Array.isArray(sent) && sent.length > maxMembers) return { value, faults: [] };
  yield;
  const marked = yield* markChangedNumbers(text);
  if (marked === undefined) {
    const message =
      `Body must not contain over ${maxChangedNumbers} numbers that a 64-bit float would change`;
    throw new ApiError("payload_too_large", message);
  }
  yield;
  const inspected = marked.mark === undefined ? value : parseText(marked.text);
  yield;
  const inspection: Inspection = {
    faults: [],
    mark: marked.mark,
    maxDepth: options.maxDepth ?? defaultDepth,
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
 * Parses JSON without inspecting it; inspection takes most of the time of `parseJson`.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export function parseUninspected(text: string): unknown {
  requireBounded(runAtOnce(countLarge(text)));
  return parseText(text);
}

/**
 * Counts the content of a text that is long enough to exceed a limit: each item takes two
 * characters.
 */
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
  throw new ApiError("payload_too_large", `Body must not contain over ${excess}`);
}

/**
 * Finds what `parseJson` would find in the JSON text of a value that was parsed before. Its numbers
 * are doubles, which JSON does not change.
 */
export function inspectParsed(value: unknown): readonly JsonFault[] {
  const inspection: Inspection = {
    faults: [],
    mark: undefined,
    maxDepth: defaultDepth,
    isTextSuspicious: true,
    enclosed: undefined,
    path: [],
    limit: 0,
  };
  inspectDocument(inspection, value, []);
  return inspection.faults;
}

/** Formats a path for people, `events[3].properties["first name"]`; truncates very long ones. */
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

/** Converts faults to the details of an error. */
export function describeFaults(faults: readonly JsonFault[]): ErrorDetail[] {
  return faults.map(({ path, message }) => ({ field: formatPath(path), message }));
}

/** Checks whether a parsed value is an object, not an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Inspection {
  faults: JsonFault[];
  maxDepth: number;
  /** Prefix of strings that represent a changed number. */
  mark: string | undefined;
  /** True if a string may contain unstorable characters, or represent a number. */
  isTextSuspicious: boolean;
  /** Content of the envelope, which is inspected separately. */
  enclosed: object | undefined;
  path: (string | number)[];
  /** Number of faults after which this document's inspection stops. */
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
    const { maxDepth } = inspection;
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
