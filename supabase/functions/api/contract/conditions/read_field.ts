import type { JsonPath } from "../../../_shared/json/json.ts";
import { type Part, partOf, type Reader, type ReadOptions } from "./reader.ts";
import { readValue } from "./read_values.ts";
import {
  customerFields,
  type FieldType,
  operatorsOf,
  propertyOperators,
  valueForms,
} from "./rules.ts";
import type { FieldCondition, Operator, PropertyTest, ValueTest } from "./types.ts";

/** Most levels of a path into attributes or properties, as in an entry. */
const maxPathLevels = 10;
const maxPathCharacters = 500;
/** Start of a field of an event's context. */
const contextPrefix = "context.";

/** Reads a condition on a field of the customer, of a run's trigger, or of an event's context. */
export function readField(reader: Reader, { value, path }: Part): FieldCondition | undefined {
  const given = reader.object({ value, path }, ["field", "op", "value"]);
  if (given === undefined) return undefined;
  const field = reader.text(partOf(given, path, "field"), maxPathCharacters);
  if (field === undefined) return undefined;
  const type = typeOf(reader, field);
  if (type === undefined) return reader.fail([...path, "field"], describeFields(reader));
  const operators = field.startsWith(contextPrefix) ? propertyOperators : operatorsOf[type];
  const test = readTest(reader, { given, path, operators, type, field });
  return test && { field, ...test };
}

function typeOf({ options }: Reader, field: string): FieldType | undefined {
  if (!options.isAboutEvent && Object.hasOwn(customerFields, field)) return customerFields[field];
  const prefix = listPrefixes(options).find((start) => field.startsWith(start));
  return prefix !== undefined && isPath(field.slice(prefix.length)) ? "any" : undefined;
}

function listPrefixes({ allowsTrigger, allowsProperty, isAboutEvent }: ReadOptions): string[] {
  if (isAboutEvent) return [contextPrefix];
  return [
    "attributes.",
    ...allowsTrigger ? ["trigger."] : [],
    ...allowsProperty ? [contextPrefix] : [],
  ];
}

function describeFields({ options }: Reader): string {
  const paths = listPrefixes(options).map((prefix) => `"${prefix}<path>"`).join(" or ");
  if (options.isAboutEvent) return `must be ${paths}`;
  const names = Object.keys(customerFields).map((name) => `"${name}"`).join(", ");
  return `must be one of ${names} or ${paths}`;
}

/** Reads a test on a property of an event. */
export function readProperty(reader: Reader, { value, path }: Part): PropertyTest | undefined {
  const given = reader.object({ value, path }, ["property", "op", "value"]);
  if (given === undefined) return undefined;
  const property = readPropertyPath(reader, partOf(given, path, "property"));
  const test = readTest(reader, { given, path, operators: propertyOperators, type: "any" });
  return property !== undefined && test !== undefined ? { property, ...test } : undefined;
}

/** Reads the path of a property: names separated by dots. */
export function readPropertyPath(reader: Reader, part: Part): string | undefined {
  const text = reader.text(part, maxPathCharacters);
  if (text === undefined || isPath(text)) return text;
  return reader.fail(part.path, `must be 1 to ${maxPathLevels} names with dots between them`);
}

function isPath(text: string): boolean {
  const names = text.split(".");
  return names.length <= maxPathLevels && names.every((name) => name !== "");
}

interface GivenTest {
  given: Readonly<Record<string, unknown>>;
  path: JsonPath;
  operators: readonly Operator[];
  type: FieldType;
  field?: string;
}

function readTest(
  reader: Reader,
  { given, path, operators, type, field }: GivenTest,
): ValueTest | undefined {
  const op = reader.word(partOf(given, path, "op"), operators);
  if (op === undefined) return undefined;
  const part = partOf(given, path, "value");
  const form = valueForms[op];
  if (form === "none") {
    if (part.value === undefined) return { op };
    return reader.fail(part.path, `must be left out with "${op}"`);
  }
  const value = readValue(reader, part, { form, ...(field === undefined ? {} : { field }) });
  if (value === undefined) return undefined;
  const wrong = [value].flat().findIndex((item) => !suits(item, type));
  if (wrong < 0) return { op, value };
  const place = form === "list" ? [...part.path, wrong] : part.path;
  return reader.fail(place, type === "boolean" ? "must be true or false" : "must be a string");
}

/**
 * Checks a value against the type of its field: types are not converted, so a value of another type
 * never matches.
 */
function suits(value: unknown, type: FieldType): boolean {
  if (type === "text") return typeof value === "string";
  return type !== "boolean" || typeof value === "boolean";
}
