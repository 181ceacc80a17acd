import assert from "node:assert/strict";
import type { Customer } from "../../dashboard/src/api/types.ts";
import { countryOf } from "../../dashboard/src/pages/customers/country_of.ts";

function find(country: string | null, attributes: Customer["attributes"]) {
  return countryOf({ country, attributes } as Customer);
}

Deno.test("countryOf() prefers the profile to a text in the attributes, which stays as it is", () => {
  const given = { country: "Côte d’Ivoire" };
  assert.deepEqual(find("DE", given), { field: "country", value: "DE" });
  assert.deepEqual(find(null, given), { field: "attributes.country", value: "Côte d’Ivoire" });
  for (const other of [undefined, null, 49, {}, ["DE"], "", " "]) {
    assert.equal(find(null, { country: other }), null);
  }
  assert.equal(find(null, {}), null);
});
