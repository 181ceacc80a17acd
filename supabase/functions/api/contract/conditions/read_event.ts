import type { JsonPath } from "../../../_shared/json/json.ts";
import { eventName } from "../../../_shared/entries/fields.ts";
import { maxWindowDays } from "./durations.ts";
import { readProperty, readPropertyPath } from "./read_field.ts";
import { readDistance, readTime } from "./read_values.ts";
import { type Part, partOf, type Reader } from "./reader.ts";
import { countBounds, figureBounds, figures, maxCount, maxTests } from "./rules.ts";
import type { CountBounds, EventCondition, FigureBounds, PropertyTest } from "./types.ts";

const known = ["event", "where", "within", "since", "until", "count", ...figures];
const measures = ["count", ...figures] as const;

type Given = Readonly<Record<string, unknown>>;

/** Reads a condition on events. */
export function readEvent(reader: Reader, { value, path }: Part): EventCondition | undefined {
  const given = reader.object({ value, path }, known);
  if (given === undefined) return undefined;
  const before = reader.faults.length;
  const condition = {
    event: readEventName(reader, partOf(given, path, "event")) ?? "",
    ...readWhere(reader, partOf(given, path, "where")),
    ...readRange(reader, given, path),
    ...readMeasure(reader, given, path),
  };
  return reader.faults.length === before ? condition : undefined;
}

/** Reads the name of a tracked event. */
export function readEventName(reader: Reader, { value, path }: Part): string | undefined {
  const parsed = eventName.safeParse(value);
  return parsed.success
    ? reader.text({ value: parsed.data, path })
    : reader.fail(path, parsed.error.issues[0]!.message);
}

/** Reads tests of properties; an empty object when there are none, or after a fault. */
export function readWhere(reader: Reader, part: Part): { where?: PropertyTest[] } {
  if (part.value === undefined) return {};
  if (Array.isArray(part.value) && part.value.length === 0) return { where: [] };
  const tests = reader.list(part, { of: "tests", most: maxTests })
    ?.map((item) => readProperty(reader, item));
  return tests?.every((test) => test !== undefined) ? { where: tests } : {};
}

function readRange(
  reader: Reader,
  given: Given,
  path: JsonPath,
): Pick<EventCondition, "within" | "since" | "until"> {
  const within = partOf(given, path, "within");
  const [since, until] = [partOf(given, path, "since"), partOf(given, path, "until")];
  if (within.value !== undefined) {
    for (const { value, path } of [since, until]) {
      if (value !== undefined) reader.fail(path, 'must not be combined with "within"');
    }
    const length = readDistance(reader, within, maxWindowDays);
    return length === undefined ? {} : { within: length };
  }
  const range: { since?: string; until?: string } = {};
  if (since.value !== undefined) range.since = readTime(reader, since) ?? "";
  if (until.value !== undefined) range.until = readTime(reader, until) ?? "";
  if (range.since && range.until && range.since >= range.until) {
    reader.fail(since.path, 'must be before "until"');
  }
  return range;
}

function readMeasure(reader: Reader, given: Given, path: JsonPath): Partial<EventCondition> {
  const [first, second] = measures.filter((name) => given[name] !== undefined);
  if (first === undefined) return {};
  const part = partOf(given, path, first);
  if (second !== undefined) {
    reader.fail([...path, second], `must not be combined with "${first}"`);
    return {};
  }
  if (first === "count") return { count: readCount(reader, part) ?? {} };
  const figure = readFigure(reader, part);
  return figure === undefined ? {} : { [first]: figure };
}

function readCount(reader: Reader, part: Part): CountBounds | undefined {
  const given = reader.object(part, countBounds);
  if (given === undefined) return undefined;
  const bounds: CountBounds = {};
  for (const name of countBounds) {
    const bound = partOf(given, part.path, name);
    if (bound.value === undefined) continue;
    const least = name === "gte" ? 1 : 0;
    const count = reader.integer(bound, [least, maxCount]);
    if (count !== undefined) bounds[name] = count;
  }
  const { gte, lte, eq } = bounds;
  if (Object.keys(given).length === 0) {
    return reader.fail(part.path, 'must have "gte", "lte" or "eq"');
  }
  if (eq !== undefined && (gte ?? lte) !== undefined) {
    return reader.fail([...part.path, "eq"], "must not be combined with other bounds");
  }
  if (gte !== undefined && lte !== undefined && gte > lte) {
    return reader.fail([...part.path, "gte"], 'must not be over "lte"');
  }
  return bounds;
}

function readFigure(reader: Reader, part: Part): FigureBounds | undefined {
  const given = reader.object(part, ["property", ...figureBounds]);
  if (given === undefined) return undefined;
  const property = readPropertyPath(reader, partOf(given, part.path, "property"));
  const names = figureBounds.filter((name) => given[name] !== undefined);
  const bounds = names.flatMap((name) => {
    const bound = reader.number(partOf(given, part.path, name));
    return bound === undefined ? [] : [[name, bound] as const];
  });
  if (names.length === 0) {
    const quoted = figureBounds.map((name) => `"${name}"`).join(", ");
    return reader.fail(part.path, `must have at least one of ${quoted}`);
  }
  if (property === undefined || bounds.length < names.length) return undefined;
  return { property, ...Object.fromEntries(bounds) };
}
