import assert from "node:assert/strict";
import {
  actionLabel,
  actionTexts,
  describeAction,
} from "../../dashboard/src/pages/audit_log/actions.ts";
import { routes } from "../../supabase/functions/api/routes.ts";

/** Written by the database: the caller is not yet a member of the workspace. */
const answers = ["member.join", "member.decline"];

Deno.test("ACTIONS has a text for exactly the actions of the api and the answers to invitations", () => {
  const worded = Object.values(actionTexts).flatMap((actions) => Object.keys(actions));
  const actions = new Set([...answers, ...routes.flatMap(({ action }) => action ?? [])]);
  assert.deepEqual(worded.sort(), [...actions].sort());
});

Deno.test("actionLabel() returns an action without a text as it is", () => {
  assert.equal(actionLabel("destination.test"), "Sent a test");
  assert.equal(actionLabel("moon.land"), "moon.land");
});

Deno.test("describeAction() calls a view of Explore a question", () => {
  const describe = (action: string, list: string) => describeAction({ action, details: { list } });
  assert.deepEqual(
    ["view.create", "view.update", "view.delete"].map((action) => describe(action, "explore")),
    ["Saved a question", "Changed a question", "Deleted a question"],
  );
  assert.equal(describe("view.create", "sends"), "Saved a view");
  assert.equal(describe("member.mail", "explore"), "Resent an invitation");
});
