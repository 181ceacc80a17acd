import assert from "node:assert/strict";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { createService, waiting } from "./journeys_api.ts";

Deno.test("a PATCH with the revision of a draft replaces that draft only", async () => {
  await using service = await createService();
  const { call } = service;
  const made = await call("POST", "/journeys", { name: "A", definition: waiting });
  const path = `/journeys/${made.body.id}`;
  const { draft_revision } = made.body;
  const renamed = await call("PATCH", path, { name: "B", draft_revision });
  assert.deepEqual([renamed.status, renamed.body.draft_revision], [200, draft_revision]);
  const definition = smallestDefinition;
  const changed = await call("PATCH", path, { definition, draft_revision });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.body.draft_revision, draft_revision);
  const repeated = await call("PATCH", path, { definition, draft_revision });
  assert.deepEqual([repeated.status, repeated.body.draft_revision], [
    200,
    changed.body.draft_revision,
  ]);
  const late = await call("PATCH", path, { name: "C", definition: waiting, draft_revision });
  assert.deepEqual([late.status, late.body.code, late.body.error], [
    409,
    "conflict",
    "Cannot change journey: its draft has changed since it was read",
  ]);
  assert.deepEqual((await call("GET", path)).body, repeated.body);
  const back = await call("PATCH", path, { definition: waiting });
  assert.deepEqual([back.status, back.body.draft_revision], [200, draft_revision]);
  const wrong = await call("PATCH", path, { definition, draft_revision: "1" });
  assert.deepEqual([wrong.status, wrong.body.details], [400, [
    { field: "draft_revision", message: "must be the draft_revision of a journey" },
  ]]);
});

Deno.test("a draft is published only if it is the one that was read", async () => {
  await using service = await createService();
  const { call } = service;
  const made = await call("POST", "/journeys", { name: "A", definition: waiting });
  const path = `/journeys/${made.body.id}`;
  const { draft_revision } = made.body;
  const changed = await call("PATCH", path, { definition: smallestDefinition });
  const late = await call("POST", `${path}/publish`, { draft_revision });
  assert.deepEqual([late.status, late.body.code, late.body.error], [
    409,
    "conflict",
    "Cannot publish journey: its draft has changed since it was read",
  ]);
  assert.equal((await call("GET", path)).body.version, null);
  const { body } = await call("POST", `${path}/publish`, {
    draft_revision: changed.body.draft_revision,
  });
  assert.equal(body.version, 1);
});
