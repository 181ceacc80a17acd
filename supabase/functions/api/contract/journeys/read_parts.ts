import type { DateRule, Match, MatchedEvents } from "../../../_shared/journeys/definition.ts";
import { readCondition } from "../conditions/read_condition.ts";
import { readEventName, readWhere } from "../conditions/read_event.ts";
import { readPropertyPath } from "../conditions/read_field.ts";
import { type Part, partOf, type Reader, type ReadOptions } from "../conditions/reader.ts";
import { readDuration } from "../conditions/durations.ts";
import type { Condition } from "../conditions/types.ts";
import { maxMatches, maxWaitDays, zoneSources } from "./rules.ts";

const stepForm = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const timeForm = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const pathForm = /^(attributes|trigger)\.(.+)$/;
const secondsOfDay = 86_400;

/** Rule for ids of steps, as the end of an error message. */
export const stepRule =
  'must be the id of a step: 1 to 64 letters, digits, "_" or "-", with a letter or a digit first';

type Given = Readonly<Record<string, unknown>>;

/** Checks whether a text has the form of a step's id. */
export function isStepId(text: string): boolean {
  return stepForm.test(text);
}

/** Reads the id of a step. */
export function readStepId(reader: Reader, { value, path }: Part): string | undefined {
  if (value === undefined) return reader.fail(path, "is required");
  return typeof value === "string" && isStepId(value) ? value : reader.fail(path, stepRule);
}

/** Reads a part that may be left out: an object with the name, or an empty one. */
export function readOptional<Name extends string, Value>(
  given: Given,
  path: Part["path"],
  [name, read]: readonly [Name, (part: Part) => Value | undefined],
): { [Key in Name]?: Value } {
  const part = partOf(given, path, name);
  if (part.value === undefined) return {};
  const value = read(part);
  return value === undefined ? {} : { [name]: value } as { [Key in Name]?: Value };
}

/** Reads a condition; the path of a fault begins at the definition. */
export function readWhen(
  reader: Reader,
  { value, path }: Part,
  options: ReadOptions = {},
): Condition | undefined {
  const read = readCondition(value, options);
  if (read.ok) return read.condition;
  for (const fault of read.faults) reader.fail([...path, ...fault.path], fault.message);
  return undefined;
}

/** Reads a name, tests and matches of events from an object that was checked for unknown fields. */
export function readMatched(reader: Reader, given: Given, path: Part["path"]): MatchedEvents {
  return {
    event: readEventName(reader, partOf(given, path, "event")) ?? "",
    ...readWhere(reader, partOf(given, path, "where")),
    ...readOptional(given, path, ["match", (part) => readMatches(reader, part)]),
  };
}

function readMatches(reader: Reader, part: Part): Match[] | undefined {
  if (Array.isArray(part.value) && part.value.length === 0) return [];
  const items = reader.list(part, { of: "matches", most: maxMatches });
  const matches = items?.map((item) => readMatch(reader, item));
  return matches?.every((match) => match !== undefined) ? matches : undefined;
}

function readMatch(reader: Reader, { value, path }: Part): Match | undefined {
  const given = reader.object({ value, path }, ["property", "same_as"]);
  if (given === undefined) return undefined;
  const property = readPropertyPath(reader, partOf(given, path, "property"));
  const same = partOf(given, path, "same_as");
  const same_as = same.value === "run.id" ? "run.id" : readPath(reader, same, {
    roots: ["trigger"],
    rule: 'must be "trigger.<path>" or "run.id"',
  });
  return property === undefined || same_as === undefined ? undefined : { property, same_as };
}

/** Reads a path below one of the roots. */
export function readPath(
  reader: Reader,
  part: Part,
  { roots, rule }: { roots: readonly string[]; rule: string },
): string | undefined {
  const text = reader.text(part, 500);
  if (text === undefined) return undefined;
  const [, root = "", inner = ""] = pathForm.exec(text) ?? [];
  const names = inner.split(".");
  const isPath = roots.includes(root) && names.length <= 10 && names.every((name) => name !== "");
  return isPath ? text : reader.fail(part.path, rule);
}

/** Reads a date of a customer, moved by an offset. */
export function readDateRule(
  reader: Reader,
  { value, path }: Part,
  { allowsTrigger }: { allowsTrigger: boolean },
): DateRule | undefined {
  const given = reader.object({ value, path }, ["date", "offset", "at", "zone"]);
  if (given === undefined) return undefined;
  const before = reader.faults.length;
  const rule = {
    date: readDateName(reader, partOf(given, path, "date"), allowsTrigger) ?? "",
    ...readOptional(given, path, ["offset", (part) => readOffset(reader, part)]),
    ...readOptional(given, path, ["at", (part) => readTimeOfDay(reader, part)]),
    ...readOptional(given, path, ["zone", (part) => reader.word(part, zoneSources)]),
  };
  return reader.faults.length === before ? rule : undefined;
}

function readDateName(reader: Reader, part: Part, allowsTrigger: boolean): string | undefined {
  if (part.value === "created_at") return "created_at";
  const roots = allowsTrigger ? ["attributes", "trigger"] : ["attributes"];
  const names = ["created_at", ...roots.map((root) => `${root}.<path>`)];
  const rule = `must be one of ${names.map((name) => `"${name}"`).join(", ")}`;
  return readPath(reader, part, { roots, rule });
}

function readOffset(reader: Reader, { value, path }: Part): string | undefined {
  const seconds = typeof value === "string" ? readDuration(value.replace(/^[+-]/, "")) : undefined;
  if (seconds !== undefined && seconds <= maxWaitDays * secondsOfDay) return value as string;
  return reader.fail(path, `must be a signed duration such as "-7d", up to ${maxWaitDays}d`);
}

/** Reads a time of day as HH:MM. */
export function readTimeOfDay(reader: Reader, { value, path }: Part): string | undefined {
  if (value === undefined) return reader.fail(path, "is required");
  if (typeof value === "string" && timeForm.test(value)) return value;
  return reader.fail(path, 'must be a time of day such as "09:00"');
}
