import { z } from "zod";
import { isRecord } from "../../_shared/json/json.ts";

/** Most headers of a destination. */
export const maxHeaders = 20;
const maxNameLength = 100;
const maxValueLength = 2_000;

/** Names that the service sends itself, or that frame the request and its connection. */
const reservedNames: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
const reservedPrefixes = ["proxy-", "webhook-", "x-service-"];

/** Values by name; null removes a header. A map in spirit: a name may be `__proto__`. */
export type RequestHeaders = Record<string, string | null>;

/** Checks the name of a header; returns what is expected of it, undefined if it is valid. */
export function checkHeaderName(name: string): string | undefined {
  if (name.length > maxNameLength || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    return `must have a name of 1 to ${maxNameLength} letters, digits and the characters ` +
      "!#$%&'*+-.^_`|~";
  }
  const lower = name.toLowerCase();
  const isReserved = reservedNames.has(lower) ||
    reservedPrefixes.some((prefix) => lower.startsWith(prefix));
  return isReserved ? "must not be set: the service or the connection decides it" : undefined;
}

/** Checks the value of a header; returns what is expected of it, undefined if it is valid. */
export function checkHeaderValue(value: unknown): string | undefined {
  const isValid = typeof value === "string" && value.length <= maxValueLength &&
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  if (isValid) return undefined;
  return `must be 1 to ${maxValueLength} characters of printable ASCII, without spaces at the ends`;
}

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
      ? "must be given once: names of headers have no case"
      : checkHeaderName(name) ?? (value === null ? undefined : checkHeaderValue(value));
    if (message !== undefined) refuse(message, name);
  }
}).meta({ id: "RequestHeaders" });
