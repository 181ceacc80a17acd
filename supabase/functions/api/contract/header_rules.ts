const maxNameLength = 100;

/** Most characters of a value. */
export const maxValueLength = 2_000;

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
