import assert from "node:assert/strict";
import type { Destination } from "../../dashboard/src/api/types.ts";
import { describeHealth } from "../../dashboard/src/pages/destinations/destination_health.ts";

type DisabledBy = Destination["disabled_by"];
type State = Destination["health"]["state"];

function labelOf(
  disabled_by: DisabledBy,
  state: State,
  { failed_24h = 0, next_probe_at = null }: Partial<Destination["health"]> = {},
): string {
  const health = {
    state,
    pending: 0,
    missed: 0,
    missed_since: null,
    next_attempt_at: null,
    next_probe_at,
    last_error: null,
    ok_24h: 1,
    failed_24h,
    last_success_at: null,
    last_failure_at: null,
  };
  return describeHealth({ disabled_by, health }).label;
}

Deno.test("describeHealth() names who disabled a destination", () => {
  assert.equal(labelOf("member", "disabled"), "Disabled");
  assert.equal(labelOf("key", "disabled"), "Disabled via API");
  assert.equal(labelOf("operator", "disabled"), "Disabled by operator");
  assert.equal(labelOf("service", "failing"), "Disabled after failures");
});

Deno.test("describeHealth() describes an enabled destination", () => {
  assert.equal(labelOf(null, "failing"), "Failing");
  assert.equal(
    labelOf(null, "failing", { next_probe_at: "2026-11-22T10:00:00Z" }),
    "Failing, paused",
  );
  assert.equal(labelOf(null, "unused"), "Nothing sent yet");
  assert.equal(labelOf(null, "healthy"), "Healthy");
  assert.equal(labelOf(null, "healthy", { failed_24h: 3 }), "Recovered");
});
