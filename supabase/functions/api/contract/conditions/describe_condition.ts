import {
  countBounds,
  figureBounds,
  figures,
  journeyStates,
  maxCount,
  maxLeaves,
  maxLevels,
  maxTests,
  maxText,
  maxValues,
  operators,
  propertyOperators,
} from "./rules.ts";

const self = { $ref: "#/components/schemas/Condition" };
const name = { type: "string", minLength: 1, maxLength: 100 };
const duration = { type: "string", pattern: "^[1-9][0-9]*[smhdw]$" };
const time = { type: "string", format: "date-time" };
const percent = { type: "number", minimum: 0, maximum: 100 };
const scalar = { type: ["string", "number", "boolean"] };
const value = {
  anyOf: [scalar, { type: "array", items: scalar, minItems: 1, maxItems: maxValues }],
};

/** Describes conditions for the OpenAPI document; `readCondition` checks more than this. */
export function describeCondition() {
  const list = { type: "array", items: self, minItems: 1, maxItems: maxLeaves };
  return {
    type: "object" as const,
    description: `A statement about one customer, of at most ${maxLeaves} leaves and ` +
      `${maxLevels} levels. It has exactly one of these forms.`,
    anyOf: [
      describe({ all: list }, ["all"]),
      describe({ any: list }, ["any"]),
      describe({ not: self }, ["not"]),
      describe({ field: text(500), op: { enum: [...operators] }, value }, ["field", "op"]),
      describeEvent(),
      describe({ segment: name }, ["segment"]),
      describe({ topic: name, subscribed: { type: "boolean", default: true } }, ["topic"]),
      describe({ journey: name, state: { enum: [...journeyStates] } }, ["journey", "state"]),
      describe({ bucket: text(255), from: percent, to: percent }, ["bucket", "from", "to"]),
    ],
    example: {
      all: [
        { field: "attributes.plan", op: "eq", value: "pro" },
        { event: "order_completed", within: "30d", count: { gte: 2 } },
      ],
    },
  };
}

/** Describes the filters of destinations: conditions on an event alone. */
export function describeEventCondition() {
  const inner = { $ref: "#/components/schemas/EventCondition" };
  const list = { type: "array", items: inner, minItems: 1, maxItems: maxTests };
  const op = { enum: [...propertyOperators] };
  return {
    type: "object" as const,
    description: `A condition on one event, of at most ${maxTests} leaves and ${maxLevels} ` +
      "levels. It has exactly one of these forms. A `field` is `context.<path>`.",
    anyOf: [
      describe({ all: list }, ["all"]),
      describe({ any: list }, ["any"]),
      describe({ not: inner }, ["not"]),
      describe({ property: text(500), op, value }, ["property", "op"]),
      describe({ field: { ...text(500), pattern: "^context[.]" }, op, value }, ["field", "op"]),
    ],
    example: { property: "total", op: "gte", value: 100 },
  };
}

function describeEvent() {
  const test = { property: text(500), op: { enum: [...propertyOperators] }, value };
  const count = { type: "integer", minimum: 0, maximum: maxCount };
  const bounds = Object.fromEntries(figureBounds.map((bound) => [bound, { type: "number" }]));
  const figure = describe({ property: text(500), ...bounds }, ["property"]);
  return describe({
    event: text(200),
    where: { type: "array", maxItems: maxTests, items: describe(test, ["property", "op"]) },
    within: duration,
    since: time,
    until: time,
    count: describe(Object.fromEntries(countBounds.map((bound) => [bound, count])), []),
    ...Object.fromEntries(figures.map((name) => [name, figure])),
  }, ["event"]);
}

function describe(properties: Record<string, unknown>, required: string[]) {
  return { type: "object", properties, required, additionalProperties: false };
}

function text(maxLength = maxText) {
  return { type: "string", minLength: 1, maxLength };
}
