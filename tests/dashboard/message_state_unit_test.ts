import assert from "node:assert/strict";
import {
  canCancel,
  canTryNow,
  describeState,
} from "../../dashboard/src/pages/messages/describe_state.ts";

type State = Parameters<typeof describeState>[0];

const at = "2026-11-22T10:00:00.000Z";

function make(state: State["state"], overrides: Partial<State> = {}): State {
  return {
    state,
    held_by: null,
    next_attempt_at: null,
    is_in_progress: false,
    canceled_at: null,
    ...overrides,
  };
}

Deno.test("describeState() names the reason and the next time of a message", () => {
  const texts: [State, string, string | null, string | null][] = [
    [make("waiting", { next_attempt_at: at }), "Waiting", "Due now", null],
    [make("retrying", { next_attempt_at: at }), "Retrying", "Next attempt", at],
    [
      make("held", { held_by: "breaker", next_attempt_at: at }),
      "Waiting",
      "Destination paused, next try",
      at,
    ],
    [make("held", { held_by: "disabled" }), "Waiting", "Until the destination is enabled", null],
    [make("delivered"), "Delivered", null, null],
    [make("given_up"), "Given up", "No further attempts", null],
    [make("given_up", { canceled_at: at }), "Canceled", "Will not be sent", null],
    [make("missed"), "Missed", "Destination was disabled", null],
    [make("retrying", { is_in_progress: true }), "Sending", "Being sent now", null],
  ];
  for (const [message, label, note, nextAt] of texts) {
    const text = describeState(message);
    assert.deepEqual([text.label, text.note, text.nextAt], [label, note, nextAt]);
  }
});

Deno.test("a message offers only the actions that its state allows", () => {
  const actions = (message: State) => [canTryNow(message), canCancel(message)];
  assert.deepEqual(actions(make("waiting")), [true, true]);
  assert.deepEqual(actions(make("held", { held_by: "breaker" })), [true, true]);
  assert.deepEqual(actions(make("held", { held_by: "disabled" })), [false, true]);
  assert.deepEqual(actions(make("missed")), [true, true]);
  assert.deepEqual(actions(make("given_up")), [true, false]);
  assert.deepEqual(actions(make("delivered")), [false, false]);
  assert.deepEqual(actions(make("waiting", { is_in_progress: true })), [false, false]);
});

Deno.test("describeState() has a shorter note for rows about a destination that gets nothing", () => {
  const paused = make("held", { held_by: "breaker", next_attempt_at: at });
  assert.equal(describeState(paused).shortNote, "Destination paused");
  const disabled = make("held", { held_by: "disabled" });
  assert.equal(describeState(disabled).shortNote, "Until enabled");
  assert.equal(describeState(make("missed")).shortNote, "While disabled");
});
