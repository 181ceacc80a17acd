import assert from "node:assert/strict";
import { colorOfAnswer } from "../../dashboard/src/pages/sends/judge_answer.ts";

type Check = Parameters<typeof colorOfAnswer>[0][number];

function makeCheck(subject: Check["subject"], ok: boolean, state: Check["state"] = null): Check {
  return { subject, ok, state, message: "", at: null, send_id: null, sender_id: null };
}

Deno.test("an answer about a message that waits is never green", () => {
  const queued = makeCheck("send", true, "queued");
  const colorWith = (...checks: Check[]) => colorOfAnswer([...checks, queued]);
  assert.equal(colorWith(makeCheck("sender", true)), "blue");
  assert.equal(colorWith(makeCheck("quiet_hours", false)), "blue");
  assert.equal(colorWith(makeCheck("sender", false)), "yellow");
  assert.equal(colorWith(makeCheck("campaign", false)), "yellow");
  assert.equal(colorOfAnswer([makeCheck("send", false, "queued")]), "yellow");
});

Deno.test("an answer is green only for a message that was sent and did not bounce", () => {
  assert.equal(
    colorOfAnswer([makeCheck("suppression", false), makeCheck("send", true, "sent")]),
    "green",
  );
  assert.equal(colorOfAnswer([makeCheck("send", false, "sent")]), "yellow");
  assert.equal(colorOfAnswer([makeCheck("send", false, "failed")]), "yellow");
  assert.equal(colorOfAnswer([makeCheck("address", true)]), "blue");
  assert.equal(colorOfAnswer([makeCheck("address", false)]), "yellow");
});
