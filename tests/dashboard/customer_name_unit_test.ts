import assert from "node:assert/strict";
import { customerName } from "../../dashboard/src/api/customer_name.ts";
import type { Customer } from "../../dashboard/src/api/types.ts";

function nameOf(fields: Partial<Customer>): string {
  const nameless = {
    first_name: null,
    last_name: null,
    email: null,
    external_id: null,
    anon_ids: [],
    attributes: {},
    id: "id",
  };
  return customerName({ ...nameless, ...fields } as unknown as Customer);
}

Deno.test("customerName() prefers names to addresses, and addresses to ids", () => {
  const email = "ada@example.com";
  assert.equal(nameOf({ first_name: "Ada", last_name: "Byron", email }), "Ada Byron");
  assert.equal(nameOf({ attributes: { name: " Ada " }, email }), "Ada");
  assert.equal(nameOf({ attributes: { name: 7 }, email }), email);
  assert.equal(nameOf({ external_id: "user-1" }), "user-1");
  assert.equal(nameOf({ anon_ids: ["browser-1"] }), "browser-1");
  assert.equal(nameOf({}), "id");
});
