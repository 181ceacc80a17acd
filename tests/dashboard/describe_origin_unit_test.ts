import assert from "node:assert/strict";
import { describeOrigin } from "../../dashboard/src/pages/suppressions/describe_origin.ts";

Deno.test("describeOrigin() says only what the reason does not", () => {
  assert.equal(describeOrigin({ reason: "manual", source: "api" }), null);
  assert.equal(describeOrigin({ reason: "import", source: "import" }), null);
  assert.equal(describeOrigin({ reason: "manual", source: "import" }), "From an import");
  assert.equal(describeOrigin({ reason: "complaint", source: "api" }), "Added through the API");
  assert.equal(
    describeOrigin({ reason: "hard_bounce", source: "feedback" }),
    "Reported by the provider",
  );
});
