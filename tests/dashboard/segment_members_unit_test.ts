import assert from "node:assert/strict";
import { divideMembers, readMembers } from "../../dashboard/src/pages/segments/read_members.ts";

Deno.test("readMembers() reads the first column that names a customer on each line", () => {
  const csv = "external_id,Email,plan\nada,ada@example.com,pro\n,bob@example.com,\n,,x\n'+49,,\n";
  assert.deepEqual(readMembers(csv), {
    customer_ids: [],
    external_ids: ["ada", "+49"],
    emails: ["bob@example.com"],
  });
  assert.deepEqual(readMembers("id,email\n1,a@b.c\n").customer_ids, ["1"]);
  assert.throws(() => readMembers("plan\npro\n"), /must name one of/);
});

Deno.test("divideMembers() makes calls of at most so many customers", () => {
  const members = { customer_ids: ["1"], external_ids: ["a", "b"], emails: ["a@b.c"] };
  assert.deepEqual(divideMembers(members, 3), [
    { customer_ids: ["1"], external_ids: ["a", "b"], emails: [] },
    { customer_ids: [], external_ids: [], emails: ["a@b.c"] },
  ]);
});
