import assert from "node:assert/strict";
import type { Delivery } from "../../dashboard/src/api/types.ts";
import { bucketAttempts, spanMs } from "../../dashboard/src/pages/destinations/bucket_attempts.ts";

function attempt(seconds: number, fields: Partial<Delivery> = {}): Delivery {
  const id = "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f";
  return {
    id,
    workspace_id: id,
    destination_id: id,
    message_id: id,
    event_type: "order_created",
    attempt_number: 1,
    trigger: "event",
    ok: true,
    status_code: 200,
    response_snippet: null,
    error: null,
    duration_ms: 10,
    attempted_at: new Date(Date.UTC(2026, 10, 1) + seconds * 1000).toISOString(),
    next_attempt_at: null,
    ...fields,
  };
}

Deno.test("bucketAttempts() loses no attempt and keeps the outer ones at the ends", () => {
  const attempts = [attempt(240, { ok: false }), attempt(120), attempt(0)];
  const buckets = bucketAttempts(attempts);
  assert.equal(buckets.length, 24);
  assert.equal(buckets.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0), 3);
  assert.deepEqual([buckets[0]?.delivered, buckets[23]?.failed], [1, 1]);
  assert.equal(spanMs(attempts), 240_000);
});

Deno.test("bucketAttempts() averages only durations that were measured", () => {
  const [bucket, next] = bucketAttempts([
    attempt(240),
    attempt(0, { duration_ms: 30 }),
    attempt(0, { duration_ms: 10 }),
    attempt(0, { duration_ms: null }),
  ]);
  assert.equal(bucket?.duration_ms, 20);
  assert.equal(next?.duration_ms, null);
});

Deno.test("bucketAttempts() shows nothing of nothing", () => {
  assert.deepEqual(bucketAttempts([]), []);
});
