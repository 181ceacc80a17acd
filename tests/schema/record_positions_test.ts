import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { readSchema } from "../../tools/schema/release.ts";

/** A record that is built by position: its type and the texts of its columns. */
interface BuiltRecord {
  type: string;
  columns: string[];
}

const marker = "-- The fields of the type, in its order.";

/** Splits a list at the commas outside parentheses; stops at its end. */
function splitList(text: string): string[] {
  const items = [""];
  let depth = 0;
  for (
    const token
      of text.replaceAll(/--.*/g, "").match(/[(),]|\bfrom\b|[^(),]+?(?=[(),]|\bfrom\b|$)/gs) ?? []
  ) {
    if (token === "(") depth++;
    if (token === ")" && --depth < 0) break;
    if (token === "from" && depth === 0) break;
    if (token === "," && depth === 0) items.push("");
    else items[items.length - 1] += token;
  }
  return items.map((item) => item.trim());
}

/** Finds the text between the parentheses that open at an index. */
function readParentheses(text: string, open: number): string {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")" && --depth === 0) return text.slice(open + 1, i);
  }
  throw new Error("Cannot read the record: its parentheses do not close");
}

/** Finds the records that SQL functions build by position. */
function findRecords(sql: string): BuiltRecord[] {
  const records: BuiltRecord[] = [];
  for (const body of sql.split(/^\$\$;?$/m)) {
    for (const { index } of body.matchAll(/\brow\(/g)) {
      const list = readParentheses(body, index + 3);
      const type = /^::((?:public|private)\.\w+)/.exec(body.slice(index + list.length + 5))?.[1];
      if (type === undefined) continue;
      const isWhole = /^\w+\.\*$/.test(list);
      const at = body.indexOf(marker);
      if (isWhole) assert.notEqual(at, -1, `row(${list})::${type} has no "${marker}"`);
      const fields = isWhole
        ? body.slice(at + marker.length).replace(/^\s*(?:select|returning)\b/, "")
        : list;
      records.push({ type, columns: splitList(fields) });
    }
  }
  return records;
}

async function readFields(sql: postgres.Sql, type: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select a.attname as name from pg_attribute as a
    where a.attrelid = ${type}::text::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`;
  return rows.map(({ name }) => name);
}

/** Describes the columns that are not at the position of the field with their name. */
function findMisplaced({ type, columns }: BuiltRecord, fields: readonly string[]): string[] {
  const names = columns.map((column) => /(?:\bas |\.)(\w+)$/.exec(column)?.[1]);
  const misplaced = names.flatMap((name, i) =>
    name !== undefined && fields.includes(name) && fields[i] !== name
      ? [`${type}: "${name}" is at the position of "${fields[i]}"`]
      : []
  );
  if (columns.length === fields.length) return misplaced;
  return [...misplaced, `${type}: ${columns.length} columns for ${fields.length} fields`];
}

Deno.test("records that are built by position have their columns in the order of the type", async () => {
  await using db = await createTestDatabase();
  const records = readSchema().flatMap(({ text }) => findRecords(text));
  assert.ok(records.length >= 10, `${records.length} records`);
  for (const record of records) {
    assert.deepEqual(findMisplaced(record, await readFields(db.sql, record.type)), []);
  }
});

Deno.test("a column at the position of another field is found", () => {
  const [record] = findRecords("select row(a.id, max(a.b, 1) as rows, null)::private.pair");
  assert.deepEqual(record, {
    type: "private.pair",
    columns: ["a.id", "max(a.b, 1) as rows", "null"],
  });
  assert.deepEqual(findMisplaced(record!, ["id", "rows", "at"]), []);
  assert.equal(findMisplaced(record!, ["rows", "id", "at"]).length, 2);
  assert.equal(findMisplaced(record!, ["id", "rows"]).length, 1);
});
