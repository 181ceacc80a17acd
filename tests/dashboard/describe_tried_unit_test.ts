import assert from "node:assert/strict";
import { describeTried } from "../../dashboard/src/pages/messages/describe_tried.ts";

type State = Parameters<typeof describeTried>[0];

const at = "2026-11-22T10:00:00.000Z";

function attempt(delivery_id: string, status_code: number | null, error: string | null = null) {
  return { delivery_id, attempted_at: at, status_code, error };
}

function make(state: State["state"], overrides: Partial<State> = {}): State {
  return {
    state,
    next_attempt_at: null,
    is_in_progress: false,
    last_attempt: null,
    ...overrides,
  };
}

const before = make("held", { last_attempt: attempt("1", 500) });

Deno.test("describeTried() waits for an attempt, and says after a while that none was made", () => {
  assert.equal(describeTried(before, before, false), undefined);
  assert.equal(describeTried(before, undefined, false), undefined);
  assert.deepEqual(describeTried(before, before, true), { text: "The attempt is queued" });
  const sending = { ...before, is_in_progress: true };
  assert.deepEqual(describeTried(before, sending, true), { text: "The attempt is in progress" });
});

Deno.test("describeTried() says what came of the attempt, and when the next one follows", () => {
  const cases: [now: State, text: string, nextAt?: string][] = [
    [
      make("held", { last_attempt: attempt("2", 500), next_attempt_at: at }),
      "Tried: 500 again. Next automatic attempt",
      at,
    ],
    [
      make("retrying", { last_attempt: attempt("2", null, "dns"), next_attempt_at: at }),
      "Tried: host not found. Next automatic attempt",
      at,
    ],
    [
      make("given_up", { last_attempt: attempt("2", 503) }),
      "Tried: 503. No automatic attempt follows.",
    ],
    [make("delivered", { last_attempt: attempt("2", 200) }), "Delivered"],
  ];
  for (const [now, text, nextAt] of cases) {
    assert.deepEqual(describeTried(before, now, false), {
      text,
      ...(nextAt && { nextAt }),
      deliveryId: "2",
    });
  }
});
