import assert from "node:assert/strict";
import {
  errorOfHeader,
  type HeaderRow,
  toHeaders,
} from "../../dashboard/src/pages/destinations/header_rows.ts";
import { showValue } from "../../dashboard/src/pages/audit_log/changes.ts";

function send(...rows: [...HeaderRow[keyof HeaderRow][], value: string][]) {
  return toHeaders({
    headers: rows.map(([name, change]) => ({ name, change } as HeaderRow)),
    header_values: rows.map((row) => row[2]!),
  });
}

Deno.test("toHeaders() leaves kept headers out, removes with null, and ignores blank rows", () => {
  assert.deepEqual(
    send(
      ["X-Kept", "keep", ""],
      ["X-Old", "replace", "b"],
      ["X-Gone", "remove", ""],
      [" X-New ", "add", "c"],
      ["", "add", ""],
    ),
    { "X-Old": "b", "X-Gone": null, "X-New": "c" },
  );
  // Refused by the api, which says that a value or a name is missing.
  assert.deepEqual(send(["X-Empty", "add", ""], ["", "add", "c"]), { "X-Empty": "", "": "c" });
});

Deno.test("toHeaders() sends a repeated name so that the api can refuse it", () => {
  const sent = send(["X-Key", "keep", ""], ["x-a", "add", "1"], ["x-a", "add", "2"]);
  assert.deepEqual(sent, { "x-a": "1", "X-A": "2" });
});

Deno.test("errorOfHeader() marks the name or the value, and says which is wrong", () => {
  const errors = {
    headers: "Headers must not be set",
    "headers.Host": "Headers must not be set",
    'headers["X-Key"]': "Headers must be 1 to 2000 characters",
    "headers.Authorization": "Headers must be given again or removed",
    "headers.Once": "Headers must be given once",
    'headers[""]': "Headers must have a name",
  };
  const errorsOf = (...rows: [name: string, change: HeaderRow["change"]][]) => {
    const all = rows.map(([name, change]) => ({ name, change }));
    return all.map((_, index) => errorOfHeader(errors, all, index));
  };
  assert.deepEqual(
    errorsOf(
      ["host", "add"],
      ["X-Key ", "add"],
      ["X-Other", "add"],
      ["Authorization", "keep"],
      ["", "add"],
    ),
    [
      { part: "name", text: '"host" must not be set' },
      { part: "value", text: "The value must be 1 to 2000 characters" },
      undefined,
      { part: "neither", text: '"Authorization" must be given again or removed' },
      { part: "name", text: "The header must have a name" },
    ],
  );
  const repeated = { part: "name", text: '"Once" must be given once' };
  assert.deepEqual(errorsOf(["Once", "add"], ["Once", "add"]), [repeated, repeated]);
  assert.equal(errorsOf(["X-Key", "replace"])[0]!.part, "value");
});

Deno.test("the audit log shows which headers were added, changed and removed", () => {
  assert.equal(showValue({ added: ["A", "B"], removed: ["C"] }), "added A, B; removed C");
  assert.equal(showValue({ added: 1 }), '{"added":1}');
});
