import { maxSteps, maxWays, stepKinds, weekdays, zoneSources } from "./rules.ts";

const condition = { $ref: "#/components/schemas/Condition" };
const name = { type: "string", minLength: 1, maxLength: 100 };
const step = { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" };
const duration = { type: "string", pattern: "^[1-9][0-9]*[smhdw]$" };
const offset = { type: "string", pattern: "^[+-]?[1-9][0-9]*[smhdw]$" };
const timeOfDay = { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" };
const path = { type: "string", minLength: 1, maxLength: 500 };
const object = { type: "object", additionalProperties: true };
const zone = { enum: [...zoneSources] };
const match = {
  type: "array",
  items: describe({ property: path, same_as: path }, ["property", "same_as"]),
};
const events = {
  event: { type: "string", minLength: 1, maxLength: 200 },
  where: {
    type: "array",
    items: describe({ property: path, op: { type: "string" }, value: {} }, ["property", "op"]),
  },
};
const date = { date: path, offset, at: timeOfDay, zone };

/** Describes a definition for the OpenAPI document; `readDefinition` checks more than this. */
export function describeDefinition() {
  return {
    type: "object" as const,
    description: "The trigger, the rules of entry and exit, and the steps of a journey. " +
      `At most ${maxSteps} steps. Publishing checks that they fit together.`,
    properties: {
      trigger: describeTrigger(),
      entry: describeEntry(),
      goal: describe({ ...events, match, within: duration }, ["event"]),
      exit_when: condition,
      exit_on: describe({ ...events, match }, ["event"]),
      start: step,
      steps: {
        type: "object" as const,
        maxProperties: maxSteps,
        additionalProperties: { anyOf: stepKinds.map((kind) => stepForms[kind]) },
      },
    },
    required: ["trigger", "start", "steps"],
    additionalProperties: false,
    example: {
      trigger: { event: "signed_up" },
      start: "pause",
      steps: {
        pause: { wait: { for: "2d" }, next: "tag" },
        tag: { update: { attributes: { onboarded: true } }, next: "end" },
        end: { exit: {} },
      },
    },
  };
}

function describeTrigger() {
  return {
    anyOf: [
      describe(events, ["event"]),
      describe({ segment: name, on: { enum: ["enter", "leave"] } }, ["segment", "on"]),
      describe(date, ["date"]),
      describe({ api: { const: true } }, ["api"]),
    ],
  };
}

function describeEntry() {
  const again = {
    anyOf: [
      { enum: ["never", "after_exit", "always"] },
      describe({ after: duration }, ["after"]),
    ],
  };
  return describe({
    when: condition,
    key: path,
    again,
    holdout: { type: "number", minimum: 0, maximum: 100 },
    include_current: { type: "boolean" },
  }, []);
}

const rules = {
  send: describe({
    template: name,
    sender: name,
    topic: name,
    not_after: duration,
    on_cap: { enum: ["skip", "wait"] },
  }, ["template", "sender"]),
  wait: describe({
    for: duration,
    until: {
      anyOf: [
        describe(date, ["date"]),
        describe({
          weekdays: { type: "array", items: { enum: [...weekdays] } },
          at: timeOfDay,
          zone,
        }, [
          "at",
        ]),
      ],
    },
    on_missing: step,
  }, []),
  wait_for: describe(
    { ...events, match, since: { enum: ["step", "entry"] }, timeout: duration },
    ["event", "timeout"],
  ),
  update: describe({ attributes: object, profile: object }, []),
  webhook: describe({ destination: name, data: object }, ["destination"]),
  exit: describe({}, []),
};

const stepForms = {
  send: describe({ send: rules.send, next: step }, ["send"]),
  wait: describe({ wait: rules.wait, next: step }, ["wait"]),
  wait_for: describe({ wait_for: rules.wait_for, next: step, on_timeout: step }, ["wait_for"]),
  branch: describe({
    branch: {
      type: "array",
      maxItems: maxWays,
      items: describe({ when: condition, next: step }, ["when", "next"]),
    },
    else: step,
  }, ["branch", "else"]),
  split: describe({
    split: {
      type: "array",
      maxItems: maxWays,
      items: describe(
        { weight: { type: "number", exclusiveMinimum: 0, maximum: 1000 }, next: step },
        ["weight", "next"],
      ),
    },
  }, ["split"]),
  update: describe({ update: rules.update, next: step }, ["update"]),
  webhook: describe({ webhook: rules.webhook, next: step }, ["webhook"]),
  exit: describe({ exit: rules.exit }, ["exit"]),
};

function describe(properties: Record<string, unknown>, required: string[]) {
  return { type: "object", properties, required, additionalProperties: false };
}
