import { join } from "node:path";
import { MIGRATIONS_DIR } from "../local/migrate.ts";

const TEMPLATE = `-- Purpose:
-- Locks:   none on existing tables.
-- Risk:    none.
-- Undo:
`;

/** File name of a migration made at that moment: `20261121093000_create_things.sql`. */
export function nameMigration(verbNoun: string, now: Date): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(verbNoun)) {
    throw new Error(`Cannot create migration "${verbNoun}": expected a name like "create_things"`);
  }
  return `${now.toISOString().replace(/\D/g, "").slice(0, 14)}_${verbNoun}.sql`;
}

function main(args: string[]): number {
  try {
    const path = join(MIGRATIONS_DIR, nameMigration(args.join("_"), new Date()));
    Deno.writeTextFileSync(path, TEMPLATE, { createNew: true });
    Deno.stdout.writeSync(new TextEncoder().encode(`${path}\n`));
    return 0;
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${(error as Error).message}\n`));
    return 1;
  }
}

if (import.meta.main) Deno.exit(main(Deno.args));
