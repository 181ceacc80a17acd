import assert from "node:assert/strict";
import { startBackground } from "../../local/background.ts";
import { startTestStack } from "../../testing/service/stack.ts";

Deno.test("a background function gets the body of a call, and responds with status, headers and body", async () => {
  await using stack = await startTestStack();
  const { base_url, dispatch_key } = stack.info;
  const simulate = async (key: string, body: string) => {
    const response = await fetch(`${base_url}/functions/v1/automation/simulate`, {
      method: "POST",
      headers: { apikey: key, "content-type": "application/json" },
      body,
    });
    const type = response.headers.get("content-type");
    return { status: response.status, type, ...await response.json() };
  };

  const refused = await simulate("wrong", "{}");
  assert.equal(refused.status, 401);
  assert.equal(refused.code, "unauthorized");

  const invalid = await simulate(dispatch_key, JSON.stringify({ until: "tomorrow" }));
  assert.equal(invalid.status, 400);
  assert.equal(invalid.type, "application/json");
  const fields = invalid.details.map(({ field }: { field: string }) => field);
  assert.ok(fields.includes("until"), fields.join());
});

Deno.test("a background function that cannot be loaded fails the start with its reason", async () => {
  // No variable is set here.
  await assert.rejects(startBackground(["webhook-dispatch"]), /"SUPABASE_DB_URL" is not set/);
});
