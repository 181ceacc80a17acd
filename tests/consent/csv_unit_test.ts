import assert from "node:assert/strict";
import { readCsv } from "../../supabase/functions/api/contract/read_csv.ts";

const cases: { title: string; text: string; rows: [line: number, ...fields: string[]][] }[] = [
  { title: "nothing", text: "", rows: [] },
  { title: "one column", text: "email\na@b.c", rows: [[1, "email"], [2, "a@b.c"]] },
  { title: "a byte order mark", text: "\uFEFFemail\r\n", rows: [[1, "email"]] },
  { title: "blank lines", text: "a\n\n \nb\n", rows: [[1, "a"], [4, "b"]] },
  { title: "empty fields", text: "a,,\n,b,\n", rows: [[1, "a", "", ""], [2, "", "b", ""]] },
  { title: "quotes", text: '"a,""b""",c\n', rows: [[1, 'a,"b"', "c"]] },
  { title: "line breaks in quotes", text: '"a\nb",c\nd', rows: [[1, "a\nb", "c"], [3, "d"]] },
  {
    title: "a quote in the middle of a field",
    text: 'a,"b"c,d\ne,f"\n"g',
    rows: [[1, "a", '"b"c,d'], [2, "e", 'f"'], [3, '"g']],
  },
  { title: "a line of Windows", text: "a,b\r\nc,d\r\n", rows: [[1, "a", "b"], [2, "c", "d"]] },
];

for (const { title, text, rows } of cases) {
  Deno.test(`readCsv() reads ${title}`, () => {
    assert.deepEqual(readCsv(text), rows.map(([line, ...fields]) => ({ line, fields })));
  });
}
