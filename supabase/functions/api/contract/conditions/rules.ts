import { profileFieldNames } from "../../../_shared/entries/profile_names.ts";

/** Most leaves of a condition. */
export const maxLeaves = 100;
/** Most levels of a condition; a leaf alone has one. */
export const maxLevels = 8;
/** Most levels of JSON in a condition: two per level, and four in an event with tests. */
export const maxConditionDepth = 2 * maxLevels + 4;
/** Most tests in the `where` of an event, and in the filter of a destination. */
export const maxTests = 20;
/** Most values of `in` and `not_in`. */
export const maxValues = 500;
/** Largest number of events in a `count`. */
export const maxCount = 100;
/** Longest text of a condition, in characters. */
export const maxText = 1000;

/**
 * Names of the kinds: every condition has exactly one of them; "property" only in filters of
 * events.
 */
export const kinds = [
  "all",
  "any",
  "not",
  "field",
  "event",
  "segment",
  "topic",
  "journey",
  "bucket",
  "property",
] as const;

export type Kind = (typeof kinds)[number];

/** Kinds of conditions on one event alone; "field" only for its context. */
export const eventKinds: readonly Kind[] = ["all", "any", "not", "property", "field"];

export const countBounds = ["gte", "lte", "eq"] as const;
export const figures = ["sum", "min", "max"] as const;
export const figureBounds = ["gt", "gte", "lt", "lte", "eq"] as const;
export const journeyStates = ["active", "completed", "ever"] as const;

const existence = ["exists", "not_exists"] as const;
const equality = ["eq", "neq", "in", "not_in"] as const;
const texts = ["contains", "not_contains", "starts_with", "ends_with"] as const;
const numbers = ["gt", "gte", "lt", "lte"] as const;
const instants = ["before", "after"] as const;
const distances = ["within_last", "not_within_last", "within_next"] as const;
const anniversaries = ["anniversary_today"] as const;

/** Every operator. */
export const operators = [
  ...equality,
  ...existence,
  ...texts,
  ...numbers,
  ...instants,
  ...distances,
  ...anniversaries,
] as const;

type AnyOperator = (typeof operators)[number];

/** Form of the value that an operator compares with. */
export type ValueForm = "none" | "scalar" | "list" | "text" | "number" | "time" | "duration";

const formsOf = {
  none: [...existence, ...anniversaries],
  scalar: ["eq", "neq"],
  list: ["in", "not_in"],
  text: texts,
  number: numbers,
  time: instants,
  duration: distances,
} as const;

/** Form of each operator's value. */
export const valueForms = Object.fromEntries(
  Object.entries(formsOf).flatMap(([form, names]) => names.map((name) => [name, form])),
) as Readonly<Record<AnyOperator, ValueForm>>;

/** Type of a field's values; "any" for values that a caller chose. */
export type FieldType = "text" | "time" | "boolean" | "any";

/** Operators for each type of field. */
export const operatorsOf: Readonly<Record<FieldType, readonly AnyOperator[]>> = {
  text: [...equality, ...existence, ...texts],
  time: [...existence, ...instants, ...distances, ...anniversaries],
  boolean: ["eq", "neq"],
  any: operators,
};

/**
 * Operators for a property of an event: only those whose result does not depend on the current
 * time.
 */
export const propertyOperators: readonly AnyOperator[] = [
  ...equality,
  ...existence,
  ...texts,
  ...numbers,
  ...instants,
];

/** Fields of a customer, besides `attributes.<path>`. */
export const customerFields: Readonly<Record<string, FieldType>> = {
  ...Object.fromEntries(profileFieldNames.map((name) => [name, "text"] as const)),
  external_id: "text",
  created_at: "time",
  last_seen_at: "time",
  is_identified: "boolean",
};
