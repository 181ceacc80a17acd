export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, unknown>;

/** Subject of a line. It decides how many lines of its kind are written in full. */
export type EventKind = "failure" | "refusal" | "success";

/** One of many similar events: a request, a delivery. */
export interface LogEvent {
  msg: string;
  level: LogLevel;
  kind: EventKind;
  /** Id of the event, such as a request's id. */
  id: string;
  durationMs: number | null;
  /** Fields by which events without a line are counted: few distinct values. */
  group: LogFields;
  /** All fields of the event's own line, including `id` and `group`. */
  fields: LogFields;
  /** Cause of a failure. It is described only in the event's own line: a stack takes long to write. */
  error?: unknown;
}

/** Writes lines of JSON. Never pass it a secret or a body. */
export interface Log {
  debug(msg: string, fields?: LogFields): void;
  info(msg: string, fields?: LogFields): void;
  warn(msg: string, fields?: LogFields): void;
  error(msg: string, fields?: LogFields): void;
  /** Writes a line for the event, or counts it in a summary line if there are too many. */
  event(event: LogEvent): void;
}

export interface LogOptions {
  /** Name of the function in each line. */
  name: string;
  /** Lowest level that is written. @default "info" */
  level?: LogLevel;
  /** Writes a line to its destination. @default the console */
  write?: (line: string) => void;
  now?: () => Date;
  /** Creates the limit on the number of lines. @default one line per event */
  bound?: (write: WriteLine) => BoundLog;
}

/** Writes one line. */
export type WriteLine = (level: LogLevel, msg: string, fields: LogFields) => void;

/** Accepts every event, and writes at most as many lines as the platform accepts. */
export type BoundLog = (event: LogEvent) => void;

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

// The console is what the platform collects.
// deno-lint-ignore no-console
const writeToConsole = (line: string) => console.log(line);

/** Creates a log with lines `{ time, level, function, msg, …fields }`. */
export function createLog(options: LogOptions): Log {
  const { name, level = "info", write = writeToConsole, now = () => new Date() } = options;
  const writeLine: WriteLine = (lineLevel, msg, fields) => {
    const head = { time: now().toISOString(), level: lineLevel, function: name, msg };
    write(JSON.stringify({ ...head, ...fields }));
  };
  // The level "debug" disables the limit.
  const take = (level === "debug" ? undefined : options.bound?.(writeLine)) ??
    ((event: LogEvent) => writeLine(event.level, event.msg, lineFields(event)));
  const event = (event: LogEvent) => {
    if (ranks[event.level] >= ranks[level]) take(event);
  };
  const writeAt = (lineLevel: LogLevel) => (msg: string, fields: LogFields = {}) =>
    event({
      msg,
      level: lineLevel,
      kind: "failure",
      id: "",
      durationMs: null,
      group: { error_code: fields.error_code },
      fields,
    });
  return {
    debug: writeAt("debug"),
    info: writeAt("info"),
    warn: writeAt("warn"),
    error: writeAt("error"),
    event,
  };
}

/** Returns the fields of an event's own line. */
export function lineFields({ fields, error }: LogEvent): LogFields {
  return error === undefined ? fields : { ...fields, ...errorFields(error) };
}

/**
 * Picks the fields of an error that a log may contain. Only these four: a database error also
 * carries the statement's parameters and the row it failed on, which are other people's data.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const code = "code" in error ? error.code : undefined;
  return { error: error.message, error_name: error.name, error_code: code, stack: error.stack };
}
