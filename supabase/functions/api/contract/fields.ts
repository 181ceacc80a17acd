import { z } from "zod";
import { anyCaseUuidForm, uuidForm } from "../../_shared/ids/uuid.ts";
import { isRecord } from "../../_shared/json/json.ts";
import { isWithinYears, readInstant, yearsRule } from "./instants.ts";

/** Rejects text that Postgres cannot store, or would return changed. */
const unstorable = (value: string) => value.includes("\0") || !value.isWellFormed();

/** A UUID in either case; normalized to lower case. */
export const uuid = z.string({ error: missingOr("must be a UUID") })
  .regex(anyCaseUuidForm, "must be a UUID")
  .overwrite((value) => value.toLowerCase())
  .meta({ format: "uuid", pattern: undefined, example: "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f" });

/** An RFC 3339 time with an offset, normalized to UTC with milliseconds. */
export const time = z.string({ error: missingOr("must be a time") }).check((payload) => {
  const at = readInstant(payload.value);
  if (at !== undefined && isWithinYears(at)) {
    payload.value = new Date(at).toISOString();
    return;
  }
  const form = 'must be an RFC 3339 time with offset, like "2026-01-31T12:00:00Z"';
  const message = at === undefined ? form : yearsRule;
  payload.issues.push({ code: "custom", message, input: payload.value });
}).meta({ format: "date-time", example: "2026-11-01T00:00:00.000Z" });

/** Non-blank text of 1 to `max` characters. */
export function text(max: number) {
  const message = `must be 1 to ${max} characters long`;
  return z.string({ error: missingOr("must be a string") })
    .refine((value) => value !== "" && [...value].length <= max, { error: message, abort: true })
    .refine((value) => value.trim() !== "", "must have a character other than white space")
    .refine((value) => !unstorable(value), "must not contain U+0000 or a lone surrogate")
    .meta({ minLength: 1, maxLength: max, pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$" });
}

/** An integer within a range. */
export function integer(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int({ error: missingOr(message) }).min(min, message).max(max, message);
}

/** An integer within a range, as query text. */
export function queryInteger(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.string().regex(/^\d{1,9}$/, message).transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
    .meta({ type: "integer", minimum: min, maximum: max, pattern: undefined });
}

/** `true` or `false`, as query text. */
export const queryBoolean = z.enum(["true", "false"], { error: 'must be "true" or "false"' })
  .transform((value) => value === "true")
  .meta({ type: "boolean", enum: undefined });

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`).join(", ");
  return z.enum(words, { error: missingOr(`must be one of ${quoted}`) });
}

/** One or more of the given words, as query text. */
export function someOf<const Word extends string>(words: readonly Word[]) {
  const quoted = words.map((word) => `"${word}"`).join(", ");
  const isWord = (value: string): value is Word => words.some((word) => word === value);
  const one = `(${words.join("|")})`;
  return z.string()
    .refine((value) => value.split(",").every(isWord), {
      error: `must be one or more of ${quoted}, separated by commas`,
      abort: true,
    })
    .transform((value) => [...new Set(value.split(",").filter(isWord))])
    .meta({ type: "string", pattern: `^${one}(,${one})*$`, example: words.slice(0, 2).join(",") });
}

/** `true` or `false`. */
export const boolean = z.boolean({ error: missingOr("must be true or false") });

/** Longest cursor in characters: a JSON-escaped device token of 2,048 characters makes 5,500. */
export const maxCursorLength = 8000;

/** Query parameters of every list. */
export const paging = {
  limit: queryInteger(1, 200).default(50).meta({
    description: "Maximum number of rows per page.",
    default: 50,
  }),
  cursor: text(maxCursorLength).optional().meta({
    description: "`next_cursor` of the previous page.",
    // These characters need no escaping, so the longest cursor fits in a URL.
    pattern: "^[A-Za-z0-9_-]{8,}$",
  }),
};

export const params = z.strictObject({ id: uuid });

/** The values that a change was made from. */
export const expected = z.custom<Record<string, unknown>>(isRecord, "must be a JSON object")
  .meta({
    type: "object",
    additionalProperties: true,
    description: "Values of the resource, as you read them. If one has changed since, the call " +
      "changes nothing and returns 409 `conflict`.",
    example: { name: "Old name" },
  })
  .optional();

/** One page of a list, newest first. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), next_cursor: z.string().nullable() });
}

/** A time in a response. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time", pattern: undefined, example: "2026-11-21T09:30:00.000Z" });

/** An id in a response. */
export const id = z.string().regex(uuidForm)
  .meta({ format: "uuid", pattern: undefined, example: "0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e6f" });

function missingOr(message: string) {
  return (issue: { input?: unknown }) => issue.input === undefined ? "is required" : message;
}
