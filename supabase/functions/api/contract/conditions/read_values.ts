import { z } from "zod";
import { country, locale, phone, timezone } from "../../../_shared/entries/fields.ts";
import { isWithinYears, readInstant, yearsRule } from "../instants.ts";
import { maxDistanceDays, readDuration } from "./durations.ts";
import type { Part, Reader } from "./reader.ts";
import { maxValues, type ValueForm } from "./rules.ts";
import type { TestValue } from "./types.ts";

const secondsOfDay = 86_400;

/** Fields whose values have a stored form; a value is brought into it or refused. */
const storedForms: Readonly<Record<string, z.ZodType<string>>> = {
  country,
  locale,
  phone,
  timezone,
};

/** Reads the value of a test whose operator needs one. */
export function readValue(
  reader: Reader,
  part: Part,
  { form, field }: { form: Exclude<ValueForm, "none">; field?: string },
): TestValue | undefined {
  switch (form) {
    case "scalar":
      return readScalar(reader, part, field);
    case "list":
      return readList(reader, part, field);
    case "text":
      return reader.text(part);
    case "number":
      return reader.number(part);
    case "time":
      return readTime(reader, part);
    case "duration":
      return readDistance(reader, part, maxDistanceDays);
  }
}

function readScalar(reader: Reader, part: Part, field = ""): TestValue | undefined {
  const { value, path } = part;
  const schema = Object.hasOwn(storedForms, field) ? storedForms[field] : undefined;
  if (schema !== undefined && value !== undefined) {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : reader.fail(path, parsed.error.issues[0]!.message);
  }
  if (value === undefined) return reader.fail(path, "is required");
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return reader.number(part);
  if (typeof value === "string") return value === "" ? value : reader.text(part);
  return reader.fail(path, "must be a string, a number, true or false");
}

function readList(reader: Reader, part: Part, field?: string): TestValue | undefined {
  const items = reader.list(part, { of: "values", most: maxValues });
  const values = items?.map((item) => readScalar(reader, item, field));
  return values?.every((value) => value !== undefined) ? values as TestValue : undefined;
}

/** Reads a time, and converts it to UTC with milliseconds. */
export function readTime(reader: Reader, part: Part): string | undefined {
  const { value, path } = part;
  if (value === undefined) return reader.fail(path, "is required");
  const at = typeof value === "string" ? readInstant(value) : undefined;
  if (at === undefined) {
    return reader.fail(path, 'must be an RFC 3339 time with offset, like "2026-01-31T12:00:00Z"');
  }
  return isWithinYears(at) ? new Date(at).toISOString() : reader.fail(path, yearsRule);
}

/** Reads a duration of at most so many days. */
export function readDistance(
  reader: Reader,
  { value, path }: Part,
  maxDays: number,
): string | undefined {
  if (value === undefined) return reader.fail(path, "is required");
  const seconds = typeof value === "string" ? readDuration(value) : undefined;
  if (seconds !== undefined && seconds <= maxDays * secondsOfDay) return value as string;
  return reader.fail(path, `must be a duration such as "7d", up to ${maxDays}d`);
}
