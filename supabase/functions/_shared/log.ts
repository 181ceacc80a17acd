export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Record<string, unknown>;

/** Writes one line of JSON per call. Never give it a secret or a body. */
export interface Log {
  debug(msg: string, fields?: LogFields): void;
  info(msg: string, fields?: LogFields): void;
  warn(msg: string, fields?: LogFields): void;
  error(msg: string, fields?: LogFields): void;
}

export interface LogOptions {
  /** Name of the function the lines are of. */
  name: string;
  /** Lines below this level are dropped. @default "info" */
  level?: LogLevel;
  /** Where lines go. @default the console */
  write?: (line: string) => void;
  now?: () => Date;
}

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

// The console is what the platform collects.
// deno-lint-ignore no-console
const writeToConsole = (line: string) => console.log(line);

/** A log of lines `{ time, level, function, msg, …fields }`. */
export function createLog(options: LogOptions): Log {
  const { name, level = "info", write = writeToConsole, now = () => new Date() } = options;
  const writeLine = (lineLevel: LogLevel) => (msg: string, fields: LogFields = {}) => {
    if (ranks[lineLevel] < ranks[level]) return;
    const head = { time: now().toISOString(), level: lineLevel, function: name, msg };
    write(JSON.stringify({ ...head, ...fields }));
  };
  return {
    debug: writeLine("debug"),
    info: writeLine("info"),
    warn: writeLine("warn"),
    error: writeLine("error"),
  };
}

/**
 * What a log may hold of an error. Only these four: a database error also carries the statement's
 * parameters and the row it failed on, which are other people's data.
 */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  const code = "code" in error ? error.code : undefined;
  return { error: error.message, error_name: error.name, error_code: code, stack: error.stack };
}
