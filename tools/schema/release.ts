import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrationsDir, readMigrations } from "../../local/migrate.ts";
import {
  freezeMigrations,
  nameMigration,
  type Released,
  releaseSchema,
  type SchemaFile,
} from "./migration_texts.ts";
import { writeSnapshot } from "./snapshot.ts";

export const schemaDir = fileURLToPath(new URL("../../supabase/schema", import.meta.url));
const releasedFile = fileURLToPath(new URL("../../supabase/released.json", import.meta.url));

/** Reads the files of `supabase/schema`, in the order of their paths. */
export function readSchema(directory = schemaDir): SchemaFile[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(directory, path), "utf8") }));
}

/** Reads which migrations were released; undefined before the first release. */
export function readReleased(): Released | undefined {
  return existsSync(releasedFile) ? JSON.parse(readFileSync(releasedFile, "utf8")) : undefined;
}

/** Brings the unreleased migrations up to date, and creates one when a name is given. */
async function release(name: string): Promise<void> {
  const created = name ? nameMigration(name, new Date()) : undefined;
  const texts = releaseSchema({
    migrations: readMigrations(),
    files: readSchema(),
    released: readReleased(),
    create: created,
  });
  for (const [file, text] of texts) {
    await Deno.writeTextFile(join(migrationsDir, file), text);
    say(`Wrote supabase/migrations/${file}`);
  }
  const isSnapshotNew = await writeSnapshot();
  if (isSnapshotNew) say("Wrote tests/snapshots/schema.sql");
  say(describeNext({ isChanged: texts.size > 0 || isSnapshotNew, created }));
}

/** Says what to do after a release. */
function describeNext(
  { isChanged, created }: { isChanged: boolean; created: string | undefined },
): string {
  if (!isChanged) return "Nothing changed: the migrations match supabase/schema";
  const review =
    "Next: review the changes (git diff), run deno task test tests/schema, and commit " +
    "them together with supabase/schema";
  return created === undefined
    ? review
    : `Next: write the DDL into supabase/migrations/${created}, above its generated part, and run ` +
      `deno task db:release again\n${review}`;
}

/** Notes that all migrations are released: from now on they are never edited. */
async function freeze(): Promise<void> {
  const migrations = readMigrations();
  const released = freezeMigrations(migrations, migrations.at(-1)!.version);
  await Deno.writeTextFile(releasedFile, `${JSON.stringify(released, null, 2)}\n`);
  say(
    `Wrote supabase/released.json: migrations up to ${released.migration} are frozen\n` +
      "Next: commit it, and tag the release",
  );
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  try {
    if (Deno.args[0] === "--freeze") await freeze();
    else await release(Deno.args.join("_"));
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${(error as Error).message}\n`));
    Deno.exit(1);
  }
}
