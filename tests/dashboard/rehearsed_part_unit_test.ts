import assert from "node:assert/strict";
import type { Rehearsal } from "../../dashboard/src/api/types.ts";
import { entryPart } from "../../dashboard/src/pages/journeys/model/parts.ts";
import { readRehearsedPart } from "../../dashboard/src/pages/journeys/model/rehearsed_part.ts";

const figures = { kind: null, waiting: 0, ways: {}, skipped: {}, reached_goal: 0, sent: 0 };
const result = {
  definition: {
    trigger: { event: "signed_up" },
    start: "answer",
    steps: {
      answer: { wait_for: { event: "paid", timeout: "3d" }, next: "greet", on_timeout: "end" },
      greet: { send: { template: "hello", sender: "shop" } },
      end: { exit: {} },
    },
  },
  entered: 12,
  holdout: { entered: 2, reached_goal: 0 },
  not_entered: { already_inside: 3 },
  steps: [
    { ...figures, step: "answer", came: 10, waiting: 2, ways: { next: 4, timeout: 3 } },
    { ...figures, step: "greet", came: 4, ways: { next: 4 }, sent: 3, skipped: { no_address: 1 } },
    { ...figures, step: "end", came: 3 },
  ],
  examples: [
    {
      customer_id: "ada",
      entered_at: "2026-11-01T00:00:00Z",
      state: "ended",
      step: null,
      path: [{
        step: "answer",
        at: "2026-11-02T00:00:00Z",
        outcome: { way: "next", to: "greet" },
      }],
    },
    {
      customer_id: "bob",
      entered_at: "2026-11-03T00:00:00Z",
      state: "active",
      step: "answer",
      path: [],
    },
  ],
} as unknown as Rehearsal;

const read = (part: string) => readRehearsedPart(part, result, (_, name) => String(name));

Deno.test("a rehearsed step counts who came, each way, who stayed and who left early", () => {
  const { came, figures, ways } = read("answer");
  assert.deepEqual([came, figures], [10, [["Still here", 2], ["Left the journey here", 1]]]);
  assert.deepEqual(ways, [
    { label: "event", to: "greet", count: 4 },
    { label: "not within 3 days", to: "end", count: 3 },
  ]);
});

Deno.test("a rehearsed email counts what was skipped, by reason", () => {
  const { figures, ways, examples } = read("greet");
  assert.deepEqual(figures, [["Emails", 3], ["Skipped: no address", 1]]);
  assert.deepEqual(ways, [{ label: "", to: undefined, count: 4 }]);
  assert.deepEqual(examples, []);
});

Deno.test("a rehearsed exit has no ways, and everyone ends there", () => {
  assert.deepEqual(read("end").figures, [["Ended here", 3]]);
  assert.deepEqual(read("end").ways, []);
});

Deno.test("a rehearsed step names the examples that came, also those that are still there", () => {
  assert.deepEqual(read("answer").examples, [
    { customerId: "ada", at: "2026-11-02T00:00:00Z", text: "Continued to Send email: hello" },
    { customerId: "bob", at: null, text: "Still here" },
  ]);
});

Deno.test("a rehearsed trigger counts who entered, who was held out and who was refused", () => {
  const { came, figures, ways } = read(entryPart);
  assert.deepEqual([came, figures], [10, [["Held out", 2], ["Not entered: already inside", 3]]]);
  assert.deepEqual(ways, [{ label: "", to: "answer", count: 10 }]);
});
