import { z } from "zod";
import { canonicalAddress, isAddress } from "./addresses.ts";
import { countryCodes } from "./countries.ts";
import { isRecord } from "../json/json.ts";
import { canonicalLocale } from "./locales.ts";
import { canonicalTimezone } from "./timezones.ts";

/** Returns the problem of a text as the end of a sentence; undefined if it is valid. */
type Rule = (text: string) => string | undefined;

// White space, quotes of any language, and invisible characters.
const wrapping = "[\\s\\p{Cf}\\p{Pi}\\p{Pf}\"'`]*";
const blank = new RegExp(`^${wrapping}$`, "u");
const placeholder = new RegExp(
  `^${wrapping}(?:null|undefined|none|nil|nan|true|false|0|-1|anonymous|guest|unknown|n/a|` +
    "\\[object object\\]|\\{\\}|\\[\\]|00000000-0000-0000-0000-000000000000)" +
    `${wrapping}$`,
  "iu",
);
const reservedName =
  /^(?:alert\.|customer\.|campaign\.|journey\.|segment\.|sender\.|destination\.|\$)|^ping$/;
/** Text that Postgres can store, as a JSON Schema pattern. */
const storable = "^[^\\u0000]*$";
// Postgres accepts offsets below 16 h.
const dateTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/i;
/** Earliest time that an entry may have, in milliseconds. */
export const earliestTime = Date.UTC(2000, 0, 1);

/** An id chosen by a client. One undefined variable must never merge thousands of people. */
export const id = text({
  minLength: 1,
  maxLength: 255,
  pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$",
  description:
    "An id of one customer. Placeholders such as `undefined`, `null` and `0` are rejected.",
}, (value) => {
  if (blank.test(value)) return "must not be blank";
  if (placeholder.test(value)) return `must be a real id: "${value}" is a placeholder`;
});

export const eventName = text({
  minLength: 1,
  maxLength: 200,
  pattern:
    "^(?!(?:customer|campaign|journey|segment|sender|destination|alert)\\.|\\$|ping$)[^\\u0000]+$",
}, (value) => {
  if (reservedName.test(value)) return `must not be "${value}": the service reserves this name`;
});

/** An instant with its offset, as sent; its distance into the future is checked on receipt. */
export const instant = text({ format: "date-time" }, (value) => {
  const at = parseInstant(value);
  if (at === undefined) return 'must be an RFC 3339 time with offset, like "2026-01-31T12:00:00Z"';
  if (at < earliestTime) return "must not be before 2000-01-01T00:00:00Z";
}, replaceLeapSecond);

export const shortText = text({ minLength: 1, maxLength: 255, pattern: storable });

export const email = text(
  {
    minLength: 3,
    maxLength: 254,
    format: "email",
    description: "One address, without a name. Its domain is stored in Unicode.",
  },
  (value) => {
    if (!isAddress(value)) return 'must be an email address, like "ada@example.com"';
  },
  canonicalAddress,
);

/** An E.164 number; separators between digits are removed. */
export const phone = text(
  { description: "E.164; spaces, dots, dashes and brackets are removed" },
  (value) => {
    if (!/^\+[1-9]\d{6,14}$/.test(value)) {
      return 'must be an E.164 phone number, like "+14155550123"';
    }
  },
  // Longer text is not a phone number: an entry must not hide its size in removed characters.
  (value) => value.length > 100 ? value : value.replace(/[\s.\-()[\]]/g, ""),
);

export const country = text(
  { minLength: 2, maxLength: 2, pattern: "^[A-Za-z]{2}$", description: "ISO 3166-1 alpha-2" },
  (value) => {
    if (!countryCodes.has(value)) return 'must be an ISO 3166-1 alpha-2 code, like "DE"';
  },
  // Some letters of other alphabets upper-case to ASCII: "ß" would become South Sudan.
  (value) => /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : value,
);

/** An IANA time zone. A link such as "Europe/Kiev" becomes the zone's canonical name. */
export const timezone = text(
  {
    minLength: 1,
    maxLength: 255,
    description: "An IANA time zone, stored under its canonical name",
  },
  (value) => {
    if (canonicalTimezone(value) === undefined) {
      return 'must be an IANA time zone, like "Europe/Berlin"';
    }
  },
  (value) => canonicalTimezone(value) ?? value,
);

/** A BCP 47 language tag in its canonical form: "de-de" becomes "de-DE", "i-klingon" "tlh". */
export const locale = text(
  { minLength: 2, maxLength: 255, description: "A BCP 47 language tag, stored in canonical form" },
  (value) => {
    if (canonicalLocale(value) === undefined) {
      return 'must be a BCP 47 language tag, like "de-DE"';
    }
  },
  (value) => canonicalLocale(value) ?? value,
);

/** A push token: printable ASCII, which every push service uses. */
export const deviceToken = text({
  minLength: 1,
  maxLength: 2048,
  pattern: "^[\\x21-\\x7e]+$",
}, (value) => {
  if (!/^[\x21-\x7e]+$/.test(value)) return "must be printable ASCII without spaces";
});

export const platform = oneOf(["ios", "android", "web"]);

/** Free-form key/value pairs, passed on unchanged: a copy would lose `__proto__`. */
export const record = z.custom<Record<string, unknown>>(isRecord, {
  error: missingOr("must be an object"),
}).meta({
  type: "object",
  additionalProperties: true,
  description:
    "Integers beyond 2^53 and other numbers that a 64-bit float would change are rejected. Fractions are rounded.",
});

/** Origin of a call: `ip` and `ua` must be strings if present, other keys are kept. */
export const context = record.check((payload) => {
  for (const key of ["ip", "ua"]) {
    const value = Object.hasOwn(payload.value, key) ? payload.value[key] : "";
    if (typeof value === "string") continue;
    payload.issues.push({
      code: "custom",
      message: "must be a string",
      input: value,
      path: [key],
    });
  }
});

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`).join(", ");
  return z.enum(words, { error: missingOr(`must be one of ${quoted}`) });
}

/**
 * Parses an RFC 3339 time with an offset to milliseconds since 1970; undefined if malformed. A leap
 * second counts as the following second.
 */
export function parseInstant(value: string): number | undefined {
  if (!dateTime.test(value)) return undefined;
  const day = Number(value.slice(8, 10));
  if (day > 28 && day > daysIn(Number(value.slice(0, 4)), Number(value.slice(5, 7)))) {
    return undefined;
  }
  return isInLeapSecond(value) ? Date.parse(value.replace(":60", ":59")) + 1000 : Date.parse(value);
}

function isInLeapSecond(value: string): boolean {
  return value.slice(17, 19) === "60";
}

/** Removes the fraction of a leap second, because Postgres accepts none. */
function replaceLeapSecond(value: string): string {
  const at = isInLeapSecond(value) ? parseInstant(value) : undefined;
  return at === undefined ? value : new Date(at).toISOString();
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

interface TextMeta {
  minLength?: number;
  maxLength?: number;
  format?: string;
  /** Pattern for the OpenAPI document that approximates `rule`. */
  pattern?: string;
  description?: string;
}

/**
 * Builds a string schema; `normalize` changes the text before it is checked and stored. Lengths
 * count characters.
 */
function text(meta: TextMeta, rule?: Rule, normalize?: (value: string) => string) {
  return z.string({ error: missingOr("must be a string") }).check((payload) => {
    if (normalize !== undefined) payload.value = normalize(payload.value);
    const message = checkLength(payload.value, meta) ?? rule?.(payload.value);
    if (message === undefined) return;
    payload.issues.push({ code: "custom", message, input: payload.value });
  }).meta({ ...meta });
}

function checkLength(value: string, { minLength = 0, maxLength = Infinity }: TextMeta) {
  if (value.length >= minLength && value.length <= maxLength) return undefined;
  const characters = countCharacters(value);
  if (characters >= minLength && characters <= maxLength) return undefined;
  const range = minLength === maxLength ? `${minLength}` : `${minLength} to ${maxLength}`;
  return `must be ${range} characters long: it has ${characters}`;
}

/** Counts code points, as Postgres and JSON Schema do. */
function countCharacters(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function missingOr(message: string) {
  return (issue: { input?: unknown }) => issue.input === undefined ? "is required" : message;
}
