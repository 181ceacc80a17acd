import { describeJsonError } from "../format/describe_json_error.ts";
import type { JsonObject } from "./types.ts";

/** Returns the object that a text of JSON holds; undefined for any other text. */
export function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? value as JsonObject : undefined;
  } catch {
    return undefined;
  }
}

/** Says why a text holds no object, and where it is wrong; null if it holds one. */
export function describeNoObject(text: string): string | null {
  if (readObject(text) !== undefined) return null;
  const error = text.trim() === "" ? undefined : describeJsonError(text);
  return error === undefined ? "Must be a JSON object" : `Not valid JSON. ${error}`;
}
