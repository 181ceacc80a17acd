import assert from "node:assert/strict";
import {
  faultsOf,
  fullDefinition,
  readValid,
  smallestDefinition,
} from "../../testing/data/journeys.ts";

/** The full definition with one step replaced. */
function withStep(step: unknown): unknown {
  return { ...smallestDefinition, steps: { a: step, end: { exit: {} } }, start: "a" };
}

function assertFault(value: unknown, expected: string): void {
  assert.deepEqual(faultsOf(value), [`definition${expected}`]);
}

Deno.test("a definition with every kind of step and rule is accepted as written", () => {
  const { tag, ...others } = readValid(fullDefinition).steps;
  const { tag: written, ...rest } = fullDefinition.steps;
  assert.deepEqual(others, rest);
  const profile = { country: "DE", locale: null };
  assert.deepEqual(tag, { ...written, update: { ...written.update, profile } });
  assert.deepEqual(readValid(smallestDefinition), smallestDefinition);
});

Deno.test("every kind of trigger is accepted, and only one at a time", () => {
  const triggers = [
    { event: "signed_up" },
    { segment: "vip", on: "enter" },
    { segment: "vip", on: "leave" },
    { date: "attributes.renews_at", offset: "-7d", at: "09:00" },
    { date: "created_at", offset: "365d", zone: "workspace" },
    { api: true },
  ];
  for (const trigger of triggers) {
    assert.deepEqual(faultsOf({ ...smallestDefinition, trigger }), [], JSON.stringify(trigger));
  }
  const refuse = (trigger: unknown, expected: string) =>
    assertFault({ ...smallestDefinition, trigger }, `.trigger${expected}`);
  refuse({}, ': must have one of "event", "segment", "date", "api"');
  refuse({ event: "a", api: true }, '.api: must not be combined with "event"');
  refuse({ api: false }, ".api: must be true");
  refuse({ segment: "vip" }, ".on: is required");
  refuse({ date: "trigger.at" }, '.date: must be one of "created_at", "attributes.<path>"');
  refuse({ date: "attributes..a" }, '.date: must be one of "created_at", "attributes.<path>"');
  refuse({ event: "journey.entered" }, ".event: " + faultOfName());
});

/** The message for a name that the service reserves, as in other places. */
function faultOfName(): string {
  const [fault = ""] = faultsOf({ ...smallestDefinition, goal: { event: "journey.entered" } });
  return fault.replace("definition.goal.event: ", "");
}

Deno.test("rules of entry are checked, also against the trigger", () => {
  const refuse = (entry: unknown, expected: string, trigger: unknown = { event: "a" }) =>
    assertFault({ ...smallestDefinition, trigger, entry }, `.entry${expected}`);
  refuse(
    { again: "sometimes" },
    '.again: must be one of "never", "after_exit", "always" or { "after": "30d" }',
  );
  refuse({ again: { after: "0d" } }, '.again.after: must be a duration such as "7d", up to 3650d');
  refuse({ key: "cart_id" }, '.key: must be "trigger.<path>"');
  const noData = ".key: must be left out: only an event and the api bring data";
  refuse({ key: "trigger.a" }, noData, { segment: "vip", on: "enter" });
  const range = ".holdout: must be a percentage from 0 to 100, with at most two decimals";
  for (const holdout of [100.01, -1, 0.001, "10"]) refuse({ holdout }, range);
  const noMembers =
    '.include_current: must be left out: only a trigger "segment" with "on": "enter" has members';
  refuse({ include_current: true }, noMembers, { segment: "vip", on: "leave" });
  const entry = { include_current: true };
  const trigger = { segment: "vip", on: "enter" };
  assert.deepEqual(faultsOf({ ...smallestDefinition, trigger, entry }), []);
  refuse(
    { when: { field: "trigger", op: "exists" } },
    '.when.field: must be one of "email", ' +
      '"phone", "first_name", "last_name", "country", "timezone", "locale", "external_id", ' +
      '"created_at", "last_seen_at", "is_identified" or "attributes.<path>" or "trigger.<path>"',
  );
});

Deno.test("a fault of a step is reported with the id of the step", () => {
  const refuse = (step: unknown, expected: string) =>
    assertFault(withStep(step), `.steps.a${expected}`);
  refuse(null, ": must be an object");
  refuse(
    {},
    ': must have one of "send", "wait", "wait_for", "branch", "split", "update", "webhook", "exit"',
  );
  refuse({ exit: {}, wait: { for: "1d" } }, '.exit: must not be combined with "wait"');
  refuse({ exit: {}, next: "end" }, ".next: is unknown: check its spelling");
  refuse({ send: { sender: "s" }, next: "end" }, ".send.template: is required");
  refuse({ wait: { for: "401d" } }, '.wait.for: must be a duration such as "7d", up to 400d');
  refuse({ wait: {} }, '.wait: must have one of "for", "until"');
  refuse(
    { wait: { until: { at: "24:00" } } },
    '.wait.until.at: must be a time of day such as "09:00"',
  );
  refuse(
    { wait: { until: { at: "09:00", weekdays: ["sunday"] } } },
    '.wait.until.weekdays[0]: must be one of "mon", "tue", "wed", "thu", "fri", "sat", "sun"',
  );
  refuse(
    { wait: { for: "1d", on_missing: "end" } },
    ".wait.on_missing: must be left out: only a date can be missing",
  );
  refuse(
    { wait: { until: { date: "attributes.a", offset: "soon" } } },
    '.wait.until.offset: must be a signed duration such as "-7d", up to 400d',
  );
  refuse({ wait_for: { event: "a" } }, ".wait_for.timeout: is required");
  refuse(
    { wait_for: { event: "a", timeout: "1d", match: [{ property: "id", same_as: "cart_id" }] } },
    '.wait_for.match[0].same_as: must be "trigger.<path>" or "run.id"',
  );
  refuse({ branch: [], else: "end" }, ".branch: must be a list of 1 to 20 conditions");
  refuse({ branch: [{ when: { event: "a" }, next: "end" }] }, ".else: is required");
  refuse(
    { branch: [{ when: { all: [{ event: "a", within: "x" }] }, next: "end" }], else: "end" },
    '.branch[0].when.all[0].within: must be a duration such as "7d", up to 400d',
  );
  refuse(
    { split: [{ weight: 0, next: "end" }] },
    ".split[0].weight: must be over 0, and at most 1000",
  );
  refuse({ update: {} }, '.update: must have "attributes", "profile" or both');
  refuse(
    { update: { profile: { email: "ada" } } },
    '.update.profile.email: must be an email address, like "ada@example.com"',
  );
  refuse({ webhook: { data: {} }, next: "end" }, ".webhook.destination: is required");
});

Deno.test("several faults are reported together", () => {
  const faults = faultsOf({
    trigger: { event: "" },
    start: 7,
    steps: { "a": { wait: { for: "x" } }, "wait-2d": { exit: { now: true } }, "-": { exit: {} } },
    extra: 1,
  });
  assert.deepEqual(faults, ["definition.extra: is unknown: check its spelling"]);
  const rest = faultsOf({
    trigger: { event: "signed_up" },
    start: 7,
    steps: { "a": { wait: { for: "x" } }, "wait-2d": { exit: { now: true } }, "-": { exit: {} } },
  });
  assert.deepEqual(rest.map((fault) => fault.split(":")[0]), [
    "definition.start",
    "definition.steps.a.wait.for",
    'definition.steps["wait-2d"].exit.now',
    'definition.steps["-"]',
  ]);
});

Deno.test("a definition has at most 200 steps and 128 KiB of JSON", () => {
  const steps = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, { exit: {} }]));
  assert.deepEqual(faultsOf({ ...smallestDefinition, steps: steps(200) }), []);
  assertFault({ ...smallestDefinition, steps: steps(201) }, ".steps: must have 1 to 200 steps");
  assertFault({ ...smallestDefinition, steps: {} }, ".steps: must have 1 to 200 steps");
  const data = { text: "ä".repeat(65_536) };
  assertFault(
    withStep({ webhook: { destination: "a", data } }),
    ": must be at most 131072 bytes of JSON",
  );
});
