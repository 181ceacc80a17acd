import { pointerSegments } from "@hyperjump/json-pointer";
import { z } from "zod";
import { isRecord } from "../json.ts";
import { keptHeaders } from "./sources.ts";

/** Where a value comes from: a JSON Pointer, a header, a constant, or the first of several. */
export type ValueSource =
  | string
  | { header: string }
  | { value: string | number | boolean }
  | readonly ValueSource[];

/** What a mapping reads from. */
export interface Material {
  payload: unknown;
  headers: Readonly<Record<string, string>>;
}

export const pointer = z.string().max(500, "must be at most 500 characters long").check((ctx) => {
  if (isPointer(ctx.value)) return;
  const message = 'must be a JSON Pointer, like "/data/object/id" (RFC 6901)';
  ctx.issues.push({ code: "custom", message, input: ctx.value });
});

const single = z.union([
  pointer,
  z.strictObject({ header: z.enum(keptHeaders) }),
  z.strictObject({ value: z.union([z.string().min(1).max(1000), z.number(), z.boolean()]) }),
], { error: 'must be a JSON Pointer, {"header": …} of a header that is kept, or {"value": …}' });

/** Checks a `ValueSource`. */
export const valueSource = z.union([single, z.array(single).min(1).max(5)], {
  error: 'must be a JSON Pointer, {"header": …}, {"value": …}, or up to five of them',
});

/** The value that a source leads to; undefined when there is none or it is null. */
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

/** The value at a JSON Pointer; undefined when the way there ends before. */
export function readPointer(path: string, payload: unknown): unknown {
  let value: unknown = payload;
  for (const segment of pointerSegments(path)) {
    if (Array.isArray(value)) {
      value = /^(?:0|[1-9]\d*)$/.test(segment) ? value[+segment] : undefined;
    } else value = isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value;
}

function isPointer(text: string): boolean {
  try {
    // Segments are made one by one: only reading them all checks the whole pointer.
    return [...pointerSegments(text)].length >= 0;
  } catch {
    return false;
  }
}

function isSeveral(source: ValueSource): source is readonly ValueSource[] {
  return Array.isArray(source);
}
