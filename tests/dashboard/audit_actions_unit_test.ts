import assert from "node:assert/strict";
import { actionLabel, ACTIONS } from "../../dashboard/src/pages/audit_log/actions.ts";
import { routes } from "../../supabase/functions/api/routes.ts";

/** Written by the database, in a workspace that the caller is not yet a member of. */
const answers = ["member.join", "member.decline"];

Deno.test("ACTIONS has words for every action of the api and for answers to invitations, and for no other", () => {
  const worded = Object.values(ACTIONS).flatMap((actions) => Object.keys(actions));
  const actions = new Set([...answers, ...routes.flatMap(({ action }) => action ?? [])]);
  assert.deepEqual(worded.sort(), [...actions].sort());
});

Deno.test("actionLabel() leaves an action without words as it is", () => {
  assert.equal(actionLabel("destination.test"), "Sent a test ping");
  assert.equal(actionLabel("moon.land"), "moon.land");
});
