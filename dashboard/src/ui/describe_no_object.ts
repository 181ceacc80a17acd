import { readObject } from "../api/read_object.ts";
import { describeJsonError } from "../format/describe_json_error.ts";

/** Says why a text holds no object, and where it is wrong; null if it holds one. */
export function describeNoObject(text: string): string | null {
  if (readObject(text) !== undefined) return null;
  const error = text.trim() === "" ? undefined : describeJsonError(text);
  return error === undefined ? "Must be a JSON object" : `Not valid JSON. ${error}`;
}
