import assert from "node:assert/strict";
import { nameAttempt } from "../../dashboard/src/pages/deliveries/outcome_badge.tsx";

Deno.test("nameAttempt() names the cause of an attempt, and the number of a later one", () => {
  const name = (trigger: "event" | "retry" | "replay" | "test", attempt_number: number) =>
    nameAttempt({ trigger, attempt_number });
  assert.equal(name("event", 1), "First attempt");
  assert.equal(name("retry", 3), "Automatic retry, no. 3");
  assert.equal(name("replay", 4), "Manual attempt, no. 4");
  assert.equal(name("test", 1), "Test");
});
