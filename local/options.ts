import { parseArgs } from "node:util";
import { resolve } from "node:path";

export interface StackOptions {
  /** 0: any free port. */
  port: number;
  /** Absolute. */
  dataDir: string;
  /** Of an existing Postgres; null: the embedded one. */
  databaseUrl: string | null;
  fresh: boolean;
  /** Number of databases, see docs/cells.md. @default 1 */
  cells?: number;
}

export const help = `Runs the whole service on this machine, on one address, until Ctrl-C.

Usage: deno task start [flags]

  --port <number>         where to listen on 127.0.0.1 (PORT, default 54321)
  --data-dir <path>       where data and secrets are kept (DATA_DIR, default .data)
  --database-url <url>    an existing Postgres 15 to 18 instead of the embedded one
                          (SUPABASE_DB_URL)
  --fresh                 delete the data of earlier runs first
  --cells <number>        how many databases the workspaces are spread over, 1 to 16 (default 1)
  --help                  show this text
`;

/**
 * Reads flags and the variables of the same meaning; flags win.
 *
 * @returns null when help is asked for.
 * @throws Error naming the flag or variable that is wrong.
 */
export function readOptions(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): StackOptions | null {
  const flags = parseFlags(args);
  if (flags.help) return null;
  const databaseUrl = flags["database-url"] || env.SUPABASE_DB_URL || null;
  if (flags.cells !== undefined && databaseUrl !== null) {
    throw new Error("Cannot start with --cells: it needs the embedded database");
  }
  if (databaseUrl !== null) checkDatabaseUrl(databaseUrl);
  if (flags.fresh && databaseUrl !== null) {
    throw new Error("Cannot start with --fresh: it never deletes an existing database's data");
  }
  return {
    port: readPort(flags.port || env.PORT || "54321"),
    dataDir: readDataDir(flags["data-dir"], env),
    databaseUrl,
    fresh: flags.fresh ?? false,
    ...flags.cells !== undefined && { cells: readCells(flags.cells) },
  };
}

/** The data directory that the flag or the variable names; an empty one counts as not given. */
export function readDataDir(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return resolve(flag || env.DATA_DIR || ".data");
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string" },
        "data-dir": { type: "string" },
        "database-url": { type: "string" },
        fresh: { type: "boolean" },
        cells: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    const reason = (error as Error).message.split(". ")[0];
    throw new Error(`Cannot read the flags: ${reason} (--help lists them)`, { cause: error });
  }
}

function readCells(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= 16) return count;
  throw new Error(`Cannot start with "${text}" cells: expected a number from 1 to 16`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Error(`Cannot listen on port "${text}": expected a number from 0 to 65535`);
}

function checkDatabaseUrl(text: string): void {
  // The text may hold a password, so no message repeats it.
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return;
  throw new Error(
    "Cannot read the database URL: expected postgresql://user:password@host/database",
  );
}
