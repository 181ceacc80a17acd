import assert from "node:assert/strict";
import { describeHit, listEmailLinks } from "../../dashboard/src/app/describe_hit.ts";

const ada = {
  type: "customer",
  id: "c1",
  parent_id: null,
  title: "Ada",
  subtitle: "ada@x.example",
};
type Hit = Parameters<typeof listEmailLinks>[0];

Deno.test("describeHit() writes states as pages do, and keeps keys", () => {
  assert.equal(describeHit({ type: "campaign", subtitle: "sending" }), "Sending");
  assert.equal(describeHit({ type: "send", subtitle: "queued" }), "Queued");
  assert.equal(describeHit({ type: "template", subtitle: "welcome" }), "welcome");
  assert.equal(describeHit({ type: "campaign", subtitle: null }), null);
});

Deno.test("listEmailLinks() offers the emails of a customer by the whole address only", () => {
  const links = (typed: string) => listEmailLinks(ada as Hit, typed).map(({ link }) => link.path);
  assert.deepEqual(links("Ada@x.example"), ["/sends", "/sends/explain"]);
  assert.deepEqual(links("ada@x"), []);
  assert.deepEqual(links("Ada"), []);
});
