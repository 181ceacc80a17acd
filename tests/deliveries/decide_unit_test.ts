import assert from "node:assert/strict";
import fc from "fast-check";
import type { SendOutcome } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";
import {
  attemptDelaysMs,
  decideOutcome,
} from "../../supabase/functions/webhook-dispatch/decide.ts";
import { parseRetryAfter } from "../../supabase/functions/_shared/outbound/retry_after.ts";

const now = new Date("2026-11-21T10:00:00Z");
const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

function createOutcome(overrides: Partial<SendOutcome> = {}): SendOutcome {
  return {
    ok: false,
    status_code: 500,
    response_snippet: "",
    response_headers: {},
    error: null,
    duration_ms: 12,
    retry_after: null,
    is_sent: true,
    ...overrides,
  };
}

function delayAfter(outcome: SendOutcome, { attempt = 1, random = 0.5 } = {}): number {
  const decision = decideOutcome({ outcome, attempt, now: now, random: () => random });
  assert.equal(decision.action, "retry");
  assert("retryAt" in decision);
  return decision.retryAt.getTime() - now.getTime();
}

Deno.test("decideOutcome() follows the contract's schedule", () => {
  const delays = attemptDelaysMs.slice(1).map((_, index) =>
    delayAfter(createOutcome(), { attempt: index + 1 }) / second
  );
  assert.deepEqual(delays, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
});

Deno.test("decideOutcome() gives up after the tenth attempt, or the last one allowed", () => {
  const decide = (attempt: number, maxAttempts?: number) =>
    decideOutcome({
      outcome: createOutcome(),
      attempt,
      now: now,
      random: () => 0.5,
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    }).action;
  assert.equal(decide(9), "retry");
  assert.equal(decide(10), "exhausted");
  assert.equal(decide(11), "exhausted");
  assert.equal(decide(1, 1), "exhausted");
});

Deno.test("decideOutcome() spreads every wait by 20 % to either side", () => {
  assert.equal(delayAfter(createOutcome(), { random: 0 }), 4 * second);
  assert.equal(delayAfter(createOutcome(), { random: 1 }), 6 * second);
  const range = { min: 0, max: 1, noNaN: true };
  fc.assert(fc.property(fc.integer({ min: 1, max: 9 }), fc.double(range), (attempt, random) => {
    const scheduled = attemptDelaysMs[attempt] ?? 0;
    const delay = delayAfter(createOutcome(), { attempt, random });
    assert(delay >= 0.8 * scheduled && delay <= 1.2 * scheduled);
  }));
});

const outcomes: [string, Partial<SendOutcome>, string][] = [
  ["a 200", { ok: true, status_code: 200 }, "delivered"],
  ["a 204", { ok: true, status_code: 204 }, "delivered"],
  ["a redirect", { status_code: 301 }, "retry"],
  ["a 400", { status_code: 400 }, "retry"],
  ["a 404", { status_code: 404 }, "retry"],
  ["a 410", { status_code: 410 }, "disable"],
  ["a 410 whose body broke off", { status_code: 410, error: "connection_reset" }, "disable"],
  ["a 200 whose body broke off", { status_code: 200, error: "connection_reset" }, "retry"],
  ["a timeout", { status_code: null, error: "timeout" }, "retry"],
  ["a failed lookup", { status_code: null, error: "dns" }, "retry"],
  ["a bad certificate", { status_code: null, error: "tls" }, "retry"],
  ["a forbidden address", { status_code: null, error: "address_not_allowed" }, "retry"],
  ["a lack of sockets here", { status_code: null, error: "internal" }, "release"],
  ["a dispatcher that stops", { status_code: null, error: "cancelled" }, "release"],
];

for (const [what, overrides, action] of outcomes) {
  Deno.test(`decideOutcome() responds "${action}" to ${what}`, () => {
    const outcome = createOutcome(overrides);
    assert.equal(
      decideOutcome({ outcome, attempt: 1, now: now, random: () => 0.5 }).action,
      action,
    );
  });
}

const retryAfters: [string | null, number][] = [
  [null, 5 * second],
  ["", 5 * second],
  ["0", 5 * second],
  ["1", 5 * second],
  ["120", 120 * second],
  [" 120 ", 120 * second],
  ["1000000000", day],
  ["9".repeat(40), day],
  ["-120", 5 * second],
  ["120.5", 5 * second],
  ["1e3", 5 * second],
  ["0x78", 5 * second],
  ["soon", 5 * second],
  ["in 5 minutes", 5 * second],
  ["120, 240", 5 * second],
  ["Sat, 21 Nov 2026 11:00:00 GMT", hour],
  ["Saturday, 21-Nov-26 11:00:00 GMT", hour],
  ["Sat Nov 21 11:00:00 2026", hour],
  ["Sat, 21 Nov 2026 09:00:00 GMT", 5 * second],
  ["Sunday, 06-Nov-94 08:49:37 GMT", 5 * second],
  ["Fri, 01 Jan 2100 00:00:00 GMT", day],
  ["Sat, 41 Nov 2026 11:00:00 GMT", 5 * second],
  ["Sat, 21 Foo 2026 11:00:00 GMT", 5 * second],
  ["2026-11-21T11:00:00Z", 5 * second],
];

for (const [header, expected] of retryAfters) {
  Deno.test(`decideOutcome() waits ${expected} ms for Retry-After ${JSON.stringify(header)}`, () => {
    for (const status_code of [429, 502, 503, 504]) {
      assert.equal(delayAfter(createOutcome({ status_code, retry_after: header })), expected);
    }
  });
}

Deno.test("decideOutcome() uses Retry-After only on 429, 502, 503 and 504", () => {
  for (const status_code of [200, 301, 400, 404, 408, 500, 501, 505, null]) {
    const outcome = createOutcome({ status_code, error: "timeout", retry_after: "3600" });
    assert.equal(delayAfter(outcome), 5 * second);
  }
});

Deno.test("decideOutcome() never waits for less than the schedule, for any Retry-After", () => {
  const attempts = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(attempts, fc.oneof(fc.string(), fc.nat().map(String)), (attempt, header) => {
      const outcome = createOutcome({ status_code: 503, retry_after: header });
      const scheduled = attemptDelaysMs[attempt] ?? 0;
      const delay = delayAfter(outcome, { attempt });
      assert(delay >= scheduled && delay <= Math.max(scheduled, day));
    }),
  );
});

Deno.test("parseRetryAfter() reads back every HTTP date", () => {
  const dates = fc.date({ min: now, max: new Date("2070-01-01T00:00:00Z"), noInvalidDate: true });
  fc.assert(fc.property(dates, (date) => {
    const wholeSecond = Math.floor(date.getTime() / second) * second;
    const expected = Math.max(0, wholeSecond - now.getTime());
    assert.equal(parseRetryAfter(date.toUTCString(), now), expected);
  }));
});
