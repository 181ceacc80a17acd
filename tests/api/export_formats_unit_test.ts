import assert from "node:assert/strict";
import { formatRows } from "../../supabase/functions/api/kernel/export_formats.ts";

async function* pagesOf(...pages: Record<string, unknown>[][]) {
  yield* pages;
}

async function format(format: "csv" | "ndjson", pages: Record<string, unknown>[][]) {
  const parts = formatRows({ format, columns: ["a", "b", "c"] }, pagesOf(...pages));
  return await Array.fromAsync(parts);
}

Deno.test("formatRows() quotes what CSV needs quoted, and defuses formulas", async () => {
  const rows = [
    { a: "a,b", b: 'c"d', c: null },
    { a: "=1+1", b: "-2", c: "e\nf" },
    { a: "\t=1", b: -2, c: true },
    { a: { deep: [1] }, b: undefined, c: " +1" },
  ];
  const text = (await format("csv", [rows])).join("");
  assert.deepEqual(text.split("\r\n"), [
    "a,b,c",
    '"a,b","c""d",',
    `"'=1+1","'-2","e\nf"`,
    `"'\t=1",-2,true`,
    `"{""deep"":[1]}",,"' +1"`,
    "",
  ]);
});

Deno.test("formatRows() writes one part for each page, and one head", async () => {
  assert.deepEqual(await format("csv", [[{ a: 1 }], [], [{ a: 2 }]]), [
    "a,b,c\r\n1,,\r\n",
    "",
    "2,,\r\n",
  ]);
  assert.deepEqual(await format("csv", [[]]), ["a,b,c\r\n"]);
  assert.deepEqual(await format("ndjson", [[{ a: 1, b: "x" }], []]), ['{"a":1,"b":"x"}\n', ""]);
});
