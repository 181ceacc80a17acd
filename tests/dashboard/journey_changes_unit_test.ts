import assert from "node:assert/strict";
import type { Definition, Step } from "../../dashboard/src/api/journey_definition.ts";
import { describePartChange } from "../../dashboard/src/pages/journeys/model/describe_change.ts";
import { diffDefinitions } from "../../dashboard/src/pages/journeys/model/diff_definitions.ts";
import { renameStep } from "../../dashboard/src/pages/journeys/model/edit_steps.ts";

const base: Definition = {
  trigger: { event: "signed_up" },
  start: "pause",
  steps: {
    pause: { wait: { for: "1d" }, next: "greet" },
    greet: { send: { template: "hello", sender: "shop" }, next: "answer" },
    answer: { wait_for: { event: "answered", timeout: "3d" }, next: "fork", on_timeout: "lot" },
    fork: {
      branch: [{ when: { field: "country", op: "eq", value: "DE" }, next: "lot" }],
      else: "tag",
    },
    lot: { split: [{ weight: 1, next: "tag" }, { weight: 3, next: "call" }] },
    call: { webhook: { destination: "crm", data: { plan: "free" } }, next: "tag" },
    tag: { update: { attributes: { onboarded: true, tier: "a" } } },
  },
};

const names: Readonly<Record<string, string>> = { hello: "Hello", hi: "Hi", shop: "Shop" };

/** Writes the changes as lines: the kind and the part, and below it each value. */
function describe(before: Definition, after: Definition): string[] {
  const nameOf = (_: string, reference: unknown) => names[String(reference)] ?? String(reference);
  return diffDefinitions(before, after).flatMap((change) => [
    `${change.kind} ${change.part}`,
    ...describePartChange(change, nameOf).map(({ label, before, after }) =>
      `${label}: ${[before, after].filter((side) => side !== undefined).join(" → ")}`
    ),
  ]);
}

const change = (changes: Partial<Definition>): Definition => ({ ...base, ...changes });
const withStep = (id: string, step: Step): Definition =>
  change({ steps: { ...base.steps, [id]: step } });
const us = { field: "country", op: "eq", value: "US" };

const cases: [name: string, after: Definition, lines: string[]][] = [
  ["nothing", structuredClone(base), []],
  ["another event", change({ trigger: { event: "paid" } }), [
    "changed @entry",
    "Event: signed_up → paid",
  ]],
  [
    "a test of the event",
    change({
      trigger: { event: "signed_up", where: [{ property: "plan", op: "eq", value: "pro" }] },
    }),
    ["changed @entry", "Trigger condition: plan is pro"],
  ],
  ["another kind of trigger", change({ trigger: { segment: "vip", on: "leave" } }), [
    "changed @entry",
    "Event: signed_up",
    "Segment: vip",
    "When: they leave it",
  ]],
  [
    "rules of entry",
    change({ entry: { when: us, again: { after: "30d" }, holdout: 5, include_current: true } }),
    [
      "changed @entry",
      "Entry condition: country is US",
      "Time since the last entry: 30 days",
      "Holdout: 5%",
      "Current members enter too: yes",
    ],
  ],
  ["another first step", change({ start: "greet" }), [
    "changed @entry",
    "First step: pause → greet",
  ]],
  [
    "a goal and exits",
    change({ goal: { event: "paid", within: "1w" }, exit_on: { event: "left" }, exit_when: us }),
    [
      "changed @ends",
      "Goal: paid",
      "Goal within: 1 week",
      "Exit event: left",
      "Exit condition: country is US",
    ],
  ],
  ["a longer wait", withStep("pause", { wait: { for: "2d" }, next: "greet" }), [
    "changed pause",
    "Wait: 1 day → 2 days",
  ]],
  [
    "another form of wait",
    withStep("pause", {
      wait: { until: { at: "09:00", weekdays: ["mon", "fri"], zone: "workspace" } },
      next: "greet",
    }),
    [
      "changed pause",
      "Wait: 1 day",
      "Until: 09:00",
      "Days: Mon, Fri",
      "Time zone: the workspace’s",
    ],
  ],
  [
    "a wait for a date",
    withStep("pause", {
      wait: { until: { date: "attributes.renews_at", offset: "-7d" }, on_missing: "tag" },
      next: "greet",
    }),
    [
      "changed pause",
      "Wait: 1 day",
      "Until the date: attributes.renews_at",
      "Moved by: 7 days before",
      "Without the date: tag",
    ],
  ],
  [
    "another template, a topic and the last step",
    withStep("greet", {
      send: { template: "hi", sender: "shop", topic: "news", not_after: "1h", on_cap: "wait" },
    }),
    [
      "changed greet",
      "Template: Hello → Hi",
      "Topic: news",
      "Skip if delayed by more than: 1 hour",
      "After too many emails: wait",
      "Next step: answer → the end",
    ],
  ],
  [
    "another wait for an event",
    withStep("answer", {
      wait_for: {
        event: "answered",
        timeout: "4d",
        since: "entry",
        match: [{ property: "cart", same_as: "trigger.cart" }],
      },
      next: "fork",
    }),
    [
      "changed answer",
      "Event of the same run: cart is trigger.cart",
      "Events that count: since the run began",
      "At most: 3 days → 4 days",
      "After the timeout: lot",
    ],
  ],
  [
    "ways of a branch",
    withStep("fork", {
      branch: [{ when: us, next: "lot" }, { when: { segment: "vip" }, next: "tag" }],
      else: "lot",
    }),
    [
      "changed fork",
      "Condition 1: country is DE → country is US",
      "Condition 2: in segment vip",
      "If condition 2 is true, go to: tag",
      "Otherwise go to: tag → lot",
    ],
  ],
  [
    "the way of a single condition",
    withStep("fork", {
      branch: [{ when: { field: "country", op: "eq", value: "DE" }, next: "tag" }],
      else: "tag",
    }),
    ["changed fork", "If true, go to: lot → tag"],
  ],
  [
    "ways of a split",
    withStep("lot", { split: [{ weight: 2, next: "tag" }, { weight: 3, next: "tag" }] }),
    ["changed lot", "Weight 1: 1 → 2", "Way 2 goes to: call → tag"],
  ],
  [
    "data of a webhook",
    withStep("call", { webhook: { destination: "erp", data: { plan: "pro", n: 1 } }, next: "tag" }),
    [
      "changed call",
      "Destination: crm → erp",
      "Data plan: free → pro",
      "Data n: 1",
    ],
  ],
  [
    "values of an update",
    withStep("tag", {
      update: { attributes: { onboarded: false, tier: null }, profile: { locale: "de" } },
    }),
    [
      "changed tag",
      "Attribute onboarded: true → false",
      "Attribute tier: a → no value",
      "Profile locale: de",
    ],
  ],
  [
    "an added step",
    withStep("bye", { send: { template: "hi", sender: "shop" } }),
    ["added bye", "Sender: Shop"],
  ],
  ["an added step without more to say", withStep("rest", { wait: { for: "1h" } }), ["added rest"]],
  ["a renamed step", renameStep(base, "tag", "label"), ["changed label", "Name: tag → label"]],
  [
    "two steps renamed in a row",
    renameStep(renameStep(base, "tag", "label"), "call", "ring"),
    ["changed label", "Name: tag → label", "changed ring", "Name: call → ring"],
  ],
  ["a step of another kind with the same name", withStep("tag", { exit: {} }), [
    "removed tag",
    "added tag",
  ]],
];

for (const [name, after, lines] of cases) {
  Deno.test(`the difference of two definitions in words: ${name}`, () => {
    assert.deepEqual(describe(base, after), lines);
  });
}

Deno.test("a removed step needs no words, and those that led to it lead elsewhere", () => {
  const { tag: _, ...steps } = base.steps;
  const call: Step = { webhook: { destination: "crm", data: { plan: "free" } } };
  const [first, ...rest] = describe(base, change({ steps: { ...steps, call } }));
  assert.deepEqual([first, ...rest], ["changed call", "Next step: tag → the end", "removed tag"]);
});

Deno.test("a condition is compared as a whole, also with one of another form", () => {
  const before = change({ entry: { when: { segment: "vip" }, again: "always" } });
  const after = change({ entry: { when: us, again: { after: "1d" } } });
  assert.deepEqual(describe(before, after), [
    "changed @entry",
    "Entry condition: in segment vip → country is US",
    "How often: always, also while inside → again after 1 day",
  ]);
});
