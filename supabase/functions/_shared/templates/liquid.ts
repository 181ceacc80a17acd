import { Buffer } from "node:buffer";
import { Liquid, Parser, type Template, Tokenizer } from "liquidjs";
import { boundFilters, TooLargeError } from "./bounded_filters.ts";
import { escapeOnce, keepEscaped, operators } from "./escaped_text.ts";
import { readVariables, type Segment } from "./read_variables.ts";
import { findLargeTag, findManyTags } from "./tag_limits.ts";

/** Most time of one rendering, in ms. */
export const maxRenderMs = 50;
/** Most bytes of one rendered text, in UTF-8. */
export const maxOutputBytes = 256 * 1024;
// Counts characters and list items that a rendering makes, so that a loop cannot fill the memory.
const maxMemory = 1_000_000;
/** Most characters of one text. */
const maxSourceLength = 512 * 1024;

/** Reason for a text that cannot be rendered. */
export type RenderReason = "syntax" | "missing_variable" | "too_slow" | "too_large";

/** A template that cannot be read or rendered; its message is for the author. */
export class RenderError extends Error {
  override name = "RenderError";
  readonly reason: RenderReason;

  constructor(message: string, options: { reason: RenderReason; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.reason = options.reason;
  }
}

/** Options of one rendering. */
export interface RenderOptions {
  /** Escapes values for HTML. */
  isHtml: boolean;
  /** Throws for a missing variable instead of rendering nothing. */
  isStrict: boolean;
}

function createEngine({ isHtml, isStrict }: RenderOptions): Liquid {
  const engine = new Liquid({
    // Only templates of this map could be included. It is empty, and no files are read.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: isStrict,
    // Conditions and the filter default may read a missing variable.
    lenientIf: true,
    renderLimit: maxRenderMs,
    memoryLimit: maxMemory,
    // Not the machine's settings: a message must look the same when it is rendered again.
    timezoneOffset: 0,
    locale: "en-US",
    ...(isHtml ? { outputEscape: escapeOnce, operators } : {}),
  });
  if (isHtml) keepEscaped(engine);
  boundFilters(engine);
  return engine;
}

const engines = new Map<string, Liquid>();

function findEngine(options: RenderOptions): Liquid {
  const name = `${options.isHtml} ${options.isStrict}`;
  const engine = engines.get(name) ?? createEngine(options);
  engines.set(name, engine);
  return engine;
}

/**
 * Reads a Liquid text.
 *
 * @throws {RenderError} with the line and the reason.
 */
export function parseLiquid(source: string, options: RenderOptions): Template[] {
  if (source.length > maxSourceLength) {
    throw new RenderError(`Text has over ${maxSourceLength} characters`, { reason: "too_large" });
  }
  const engine = findEngine(options);
  // The engine's limits do not count the time for reading.
  requireNone(findManyTags(source));
  const tokens = readSyntax(() =>
    new Tokenizer(source, engine.options.operators).readTopLevelTokens(engine.options)
  );
  requireNone(findLargeTag(tokens));
  return readSyntax(() => new Parser(engine).parseTokens(tokens));
}

function requireNone(excess: string | undefined): void {
  if (excess !== undefined) throw new RenderError(excess, { reason: "too_large" });
}

function readSyntax<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new RenderError(describeError(error), { reason: "syntax", cause: error });
  }
}

/** Texts that this process has tried to render, and whether any attempt stayed within the limit. */
const inTime = new WeakMap<Template[], boolean>();

/**
 * Renders a text with these variables.
 *
 * @throws {RenderError} beyond the limits, or for a missing variable if strict.
 */
export function renderLiquid(
  templates: Template[],
  variables: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): string {
  // In a process that has just started, the engine itself takes most of the time; and on a busy
  // machine, other programs do. A text that has always been too slow is not tried again.
  const mayRepeat = inTime.get(templates) ?? true;
  let text: string;
  try {
    text = renderOnce(templates, variables, options);
  } catch (error) {
    inTime.set(templates, inTime.get(templates) ?? false);
    if (!mayRepeat || !(error instanceof RenderError) || error.reason !== "too_slow") throw error;
    text = renderOnce(templates, variables, options);
  }
  inTime.set(templates, true);
  if (Buffer.byteLength(text) > maxOutputBytes) throw tooLarge();
  return text;
}

function renderOnce(
  templates: Template[],
  variables: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): string {
  try {
    return findEngine(options).renderSync(templates, variables);
  } catch (error) {
    throw toRenderError(error);
  }
}

/**
 * Reads the paths of the variables that a text takes from outside. Those of `given` have a value
 * before the text assigns one.
 *
 * @throws {RenderError} for a text that includes another one.
 */
export function readPaths(templates: Template[], given: readonly string[] = []): Segment[][] {
  return readSyntax(() => readVariables(templates, new Set(given)));
}

/** Lists the variables of paths, such as `customer.email`. */
export function listVariables(paths: readonly Segment[][]): string[] {
  return [...new Set(paths.map((path) => path.map(String).join(".")))].sort();
}

/** Lists the names of each path, which ends before a name that another variable chooses. */
export function listFixedPaths(paths: readonly Segment[][]): string[][] {
  return paths.map((path) => {
    const chosen = path.findIndex((segment) => Array.isArray(segment));
    return path.slice(0, chosen === -1 ? undefined : chosen).map(String);
  });
}

function toRenderError(error: unknown): RenderError {
  const message = describeError(error);
  if (/template render limit exceeded/.test(message)) {
    return new RenderError(`Rendering took over ${maxRenderMs} ms`, {
      reason: "too_slow",
      cause: error,
    });
  }
  if (/memory alloc limit exceeded/.test(message)) return tooLarge(error);
  const { originalError } = error as { originalError?: unknown };
  if (originalError instanceof TooLargeError) {
    return new RenderError(message, { reason: "too_large", cause: error });
  }
  const isMissing = /^undefined variable/.test(message);
  const reason = isMissing ? "missing_variable" : "syntax";
  return new RenderError(message, { reason, cause: error });
}

function tooLarge(cause?: unknown): RenderError {
  return new RenderError(`Output is over ${maxOutputBytes / 1024} KiB`, {
    reason: "too_large",
    cause,
  });
}

/** Returns the first line of an error: later ones repeat the source. */
function describeError(error: unknown): string {
  const line = (error as Error).message.split("\n")[0]!.replace(/, file:\S+/, "");
  return /^ENOENT:/.test(line) ? "templates cannot include other templates" : line;
}
