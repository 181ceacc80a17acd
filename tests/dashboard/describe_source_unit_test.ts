import assert from "node:assert/strict";
import {
  describeNextStep,
  describeSource,
} from "../../dashboard/src/pages/sources/describe_source.ts";

function makeSource(received_24h: number, rejected_24h: number, refused_24h: number) {
  const last_received_at = "2026-01-01T00:00:00Z";
  const health = { received_24h, rejected_24h, refused_24h, last_received_at };
  return { enabled: true, has_secret: true, preset: "shopify" as const, mapping: null, health };
}

const cases: [received: number, rejected: number, refused: number, says: string][] = [
  [0, 0, 0, "Healthy"],
  [3, 0, 0, "Healthy"],
  [3, 0, 1, "Healthy: 1 refused in 24 h"],
  [5, 1, 1, "Healthy: 1 refused, 1 rejected in 24 h"],
  [2, 0, 1, "Requests refused"],
  [4, 1, 1, "Requests refused"],
  [4, 2, 0, "Entries rejected"],
];

Deno.test("describeSource() warns when at least half of the requests failed", () => {
  for (const [received, rejected, refused, says] of cases) {
    const source = makeSource(received, rejected, refused);
    const { label, color, note } = describeSource(source);
    assert.equal([label, note].filter(Boolean).join(": "), says);
    assert.equal(color, label === "Healthy" ? "green" : "red");
    assert.equal(describeNextStep(source) === null, label === "Healthy");
  }
});
