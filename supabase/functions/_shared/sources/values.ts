import { pointerSegments } from "@hyperjump/json-pointer";
import { z } from "zod";
import { isRecord } from "../json/json.ts";
import { keptHeaders } from "./kept_headers.ts";

/** Source of a value: a JSON Pointer, a header, a constant, or the first of several. */
export type ValueSource =
  | string
  | { header: string }
  | { value: string | number | boolean }
  | readonly ValueSource[];

/** Headers and payload that a mapping reads from. */
export interface Material {
  payload: unknown;
  headers: Readonly<Record<string, string>>;
}

const pointerRule = 'must be a JSON Pointer, like "/data/object/id" (RFC 6901)';

export const pointer = z.string(pointerRule).max(500, "must be at most 500 characters long")
  .check((ctx) => {
    if (isPointer(ctx.value)) return;
    ctx.issues.push({ code: "custom", message: pointerRule, input: ctx.value });
  });

const constantRule = "must be 1 to 1000 characters long, a number, true or false";
const constantText = z.string().min(1, constantRule).max(1000, constantRule);

const single = z.union([
  pointer,
  z.strictObject({ header: z.enum(keptHeaders) }),
  z.strictObject({ value: z.union([constantText, z.number(), z.boolean()], constantRule) }),
], { error: 'must be a JSON Pointer, {"header": …} with a stored header, or {"value": …}' });

const maxProperties = 100;
const sourceForms = 'a JSON Pointer, {"header": …}, {"value": …}, or up to five of them';

/** Validates a `ValueSource`. */
export const valueSource = z.union([
  single,
  z.array(single).min(1, `must be ${sourceForms}`).max(5, `must be ${sourceForms}`),
], { error: `must be ${sourceForms}` });

/** Refuses the key `__proto__` of an object, which a record's check would drop silently. */
export function withoutProto<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, ctx) => {
    if (isRecord(value) && Object.hasOwn(value, "__proto__")) {
      const message = 'must not have the key "__proto__"';
      ctx.addIssue({ code: "custom", message, path: [], input: value });
    }
    return value;
  }, schema);
}

/** Validates property sources: an object in the payload, or one source per property. */
export const propertySources = withoutProto(
  z.union([pointer, z.record(z.string(), valueSource)], {
    error: `must be a JSON Pointer, or an object whose values are each ${sourceForms}`,
  }).check((ctx) => {
    if (typeof ctx.value === "string" || Object.keys(ctx.value).length <= maxProperties) return;
    const message = `must contain at most ${maxProperties} properties`;
    ctx.issues.push({ code: "custom", message, input: ctx.value });
  }),
);

/** Reads a source's value; undefined if it is missing or null. */
export function readValue(source: ValueSource, material: Material): unknown {
  if (typeof source === "string") return readPointer(source, material.payload) ?? undefined;
  if (isSeveral(source)) {
    for (const each of source) {
      const value = readValue(each, material);
      if (value !== undefined && value !== "") return value;
    }
    return undefined;
  }
  return "header" in source ? material.headers[source.header] : source.value;
}

/** Reads the value at a JSON Pointer; undefined if the path does not exist. */
export function readPointer(path: string, payload: unknown): unknown {
  let value: unknown = payload;
  for (let from = 1; from <= path.length && value !== undefined;) {
    const slash = path.indexOf("/", from);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(from, end).replaceAll("~1", "/").replaceAll("~0", "~");
    from = end + 1;
    if (Array.isArray(value)) {
      value = /^(?:0|[1-9]\d*)$/.test(segment) ? value[+segment] : undefined;
    } else value = isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value;
}

function isPointer(text: string): boolean {
  try {
    // Segments are generated lazily: reading all of them checks the whole pointer.
    return [...pointerSegments(text)].length >= 0;
  } catch {
    return false;
  }
}

function isSeveral(source: ValueSource): source is readonly ValueSource[] {
  return Array.isArray(source);
}
