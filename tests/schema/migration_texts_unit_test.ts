import assert from "node:assert/strict";
import { readMigrations } from "../../local/migrate.ts";
import { readReleased, readSchema } from "../../tools/schema/release.ts";
import {
  freezeMigrations,
  hashText,
  joinMigration,
  nameMigration,
  releaseSchema,
  type SchemaFile,
  splitMigration,
} from "../../tools/schema/migration_texts.ts";

const claim: SchemaFile = { path: "queue/claim.sql", text: "create function claim();\n" };
const merge: SchemaFile = { path: "customers/merge.sql", text: "create function merge();\n" };
const changedClaim = { ...claim, text: "create function claim(integer);\n" };

function migration(version: string, text: string) {
  return { version, name: "make_things", file: `${version}_make_things.sql`, text };
}

const head = "create table things (id integer);\n\n";
const tail = "\ncreate trigger things_change;\n";
const program = joinMigration({ head, sections: [], tail }, [claim, merge]);

Deno.test("splitMigration() finds what was written by hand, and the schema files with their hashes", () => {
  const sections = [claim, merge].map(({ path, text }) => ({ path, hash: hashText(text) }));
  assert.deepEqual(splitMigration(program), { head, sections, tail });
  assert.deepEqual(splitMigration(head), { head, sections: undefined, tail: "" });
});

Deno.test("releaseSchema() updates a changed file in its place, and keeps handwritten parts", () => {
  const texts = releaseSchema({
    migrations: [migration("1", head), migration("2", program)],
    files: [changedClaim, merge],
  });
  const expected = joinMigration({ head, sections: [], tail }, [changedClaim, merge]);
  assert.deepEqual([...texts], [["2_make_things.sql", expected]]);
  assert(expected.startsWith(head) && expected.endsWith(tail), expected);
});

Deno.test("releaseSchema() writes nothing without changes", () => {
  const texts = releaseSchema({ migrations: [migration("2", program)], files: [claim, merge] });
  assert.equal(texts.size, 0);
});

Deno.test("releaseSchema() adds a new file to the last generated part, and deletes a removed one", () => {
  const added = { path: "customers/search.sql", text: "create function search();\n" };
  const texts = releaseSchema({
    migrations: [migration("2", program), migration("3", "create trigger things_change;\n")],
    files: [claim, added],
  });
  const expected = joinMigration({ head, sections: [], tail }, [claim, added]);
  assert.deepEqual([...texts], [["2_make_things.sql", expected]]);
});

Deno.test("releaseSchema() writes exactly the changes since the release to a new migration", () => {
  const migrations = [migration("1", program)];
  const released = freezeMigrations(migrations, "1");
  const create = "2_add_segments.sql";
  const texts = releaseSchema({ migrations, released, create, files: [changedClaim, merge] });
  assert.deepEqual([...texts.keys()], [create]);
  const { head, sections, tail } = splitMigration(texts.get(create)!);
  assert.match(head, /^-- Purpose:\n/);
  assert.deepEqual(sections, [{ path: claim.path, hash: hashText(changedClaim.text) }]);
  assert.equal(tail, "");
  assert(texts.get(create)!.includes(changedClaim.text));
});

Deno.test("releaseSchema() refuses to write a released migration", () => {
  const migrations = [migration("1", program)];
  const released = freezeMigrations(migrations, "1");
  assert.throws(() => releaseSchema({ migrations, released, files: [changedClaim, merge] }), {
    message: 'Cannot release "queue/claim.sql": no migration takes it; ' +
      "name one: deno task db:release <name>",
  });
});

Deno.test("nameMigration() starts with the time in UTC, to the second", () => {
  const now = new Date("2026-11-21T09:30:05.123Z");
  assert.equal(nameMigration("create_things", now), "20261121093005_create_things.sql");
});

Deno.test("nameMigration() refuses a name that is not two or more words in snake case", () => {
  for (const name of ["", "things", "Create_Things", "create-things", "create_things.sql"]) {
    assert.throws(() => nameMigration(name, new Date()), /Cannot create migration/);
  }
});

Deno.test("the migrations hold every file of supabase/schema as it is", () => {
  const texts = releaseSchema({
    migrations: readMigrations(),
    files: readSchema(),
    released: readReleased(),
  });
  assert.deepEqual([...texts.keys()], [], "Run deno task db:release");
});

Deno.test("a released migration has not changed since", () => {
  const released = readReleased();
  // Before the first release there is nothing to compare: see the two freezes below.
  if (released) {
    assert.deepEqual(freezeMigrations(readMigrations(), released.migration), released);
  }
  const before = freezeMigrations([migration("1", head), migration("2", program)], "1");
  assert.deepEqual(freezeMigrations([migration("1", head), migration("2", "")], "1"), before);
  assert.notDeepEqual(freezeMigrations([migration("1", program)], "1"), before);
});
