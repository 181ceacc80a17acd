import type { JsonObject } from "../../api/types.ts";

/**
 * Returns the patch that turns `current` into the object in `text`: null removes a key. Returns text
 * that is not an object as it is, for the api's schema to refuse.
 */
export function attributesPatch(current: JsonObject, text: string): JsonObject | string {
  const wanted = parseObject(text);
  if (!wanted) return text;
  const removed = Object.keys(current).filter((key) => !(key in wanted));
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...wanted };
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
