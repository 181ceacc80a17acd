import { z } from "zod";
import { isRecord } from "../../_shared/json/json.ts";
import { checkHeaderName, checkHeaderValue, maxValueLength } from "./header_rules.ts";

/** Most headers of a destination. */
export const maxHeaders = 20;

/** Values by name; null removes a header. A map in spirit: a name may be `__proto__`. */
export type RequestHeaders = Record<string, string | null>;

/** Headers to set or remove: checked as a whole, so that an error names the header. */
export const requestHeaders = z.custom<RequestHeaders>(() => true).meta({
  type: "object" as const,
  additionalProperties: { type: ["string", "null"], minLength: 1, maxLength: maxValueLength },
  description:
    `Headers that are sent with every request, at most ${maxHeaders}. Those that are not ` +
    "named keep their value, and null removes one. If the origin of the URL changes, each one must " +
    "be given again or removed. Values are never shown.",
  example: { Authorization: "Bearer s3cret" },
}).check((payload) => {
  const refuse = (message: string, ...path: string[]) => {
    payload.issues.push({ code: "custom", message, path, input: payload.value });
  };
  if (!isRecord(payload.value)) return refuse("must be an object");
  const seen = new Set<string>();
  const kept = Object.values(payload.value).filter((value) => value !== null);
  if (kept.length > maxHeaders) refuse(`must have at most ${maxHeaders} headers`);
  for (const [name, value] of Object.entries(payload.value)) {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const message = isRepeated
      ? "must be given once: upper and lower case make no difference"
      : checkHeaderName(name) ?? (value === null ? undefined : checkHeaderValue(value));
    if (message !== undefined) refuse(message, name);
  }
}).meta({ id: "RequestHeaders" });
