import assert from "node:assert/strict";
import {
  describeSendingTime,
  estimateRest,
  estimateSending,
} from "../../dashboard/src/pages/campaigns/estimate_sending.ts";

const free = {
  per_minute: null,
  spread_over: null,
  zone: "workspace" as const,
  winner: null,
  started_at: null,
};
const unlimited = { rate_allowed: null };

function describe(count: number, campaign: object, sender: object = unlimited) {
  const time = estimateSending(count, {
    campaign: { ...free, ...campaign },
    sender: { ...unlimited, ...sender },
  });
  return time && describeSendingTime(time);
}

Deno.test("estimateSending() goes by the slowest limit of a campaign and its sender", () => {
  assert.equal(describe(38, { per_minute: 6 }), "About 6 min at this campaign’s rate");
  assert.equal(describe(601, {}, { rate_allowed: 1 }), "About 10 min at this sender’s rate");
  assert.equal(
    describe(601, { per_minute: 6 }, { rate_allowed: 1 }),
    "About 2 h at this campaign’s rate",
  );
  assert.equal(
    describe(601, { per_minute: 600 }, { rate_allowed: 1 }),
    "About 10 min at this sender’s rate",
  );
  assert.equal(
    describe(10, { per_minute: 600, spread_over: "4h" }),
    "About 4 h because it is spread over time",
  );
  assert.equal(describe(3, { per_minute: 60 }), "Less than a minute at this campaign’s rate");
  assert.equal(describe(1_000_000, {}, { rate_allowed: 5 }), "About 2 days at this sender’s rate");
});

Deno.test("estimateSending() says nothing without a limit, or when a clock or a test decides", () => {
  assert.equal(describe(1_000_000, {}), null);
  assert.equal(describe(0, { per_minute: 6 }), null);
  assert.equal(describe(38, { per_minute: 6, zone: "customer" }), null);
  assert.equal(
    describe(38, { per_minute: 6, winner: { share: 20, after: "4h", by: "opened" } }),
    null,
  );
});

Deno.test("estimateRest() subtracts the time that a spread campaign has been sent for", () => {
  const now = Date.parse("2026-12-01T12:00:00Z");
  const rest = (started_at: string) =>
    estimateRest(5, {
      campaign: { ...free, spread_over: "4h", started_at },
      sender: unlimited,
      now,
    });
  assert.equal(rest("2026-12-01T09:00:00Z")?.seconds, 3_600);
  assert.equal(rest("2026-12-01T07:00:00Z"), null);
});
