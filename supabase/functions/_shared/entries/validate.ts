import type { z } from "zod";
import type { ErrorDetail } from "../errors/errors.ts";
import { suggestField } from "./suggest_field.ts";
import { formatPath, isRecord, type JsonPath } from "../json/json.ts";

const maxDetails = 10;

export const unknownField = "is unknown: check its spelling";

export type Validated<Value> =
  | { ok: true; value: Value }
  | { ok: false; details: readonly ErrorDetail[] };

/** Validates a value; the paths of errors start with `path`. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: JsonPath = [],
): Validated<z.output<Schema>> {
  if (!isRecord(value)) {
    return { ok: false, details: [{ field: formatPath(path), message: "must be a JSON object" }] };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const names = "shape" in schema ? Object.keys(schema.shape as object) : [];
  const suggest = (key: string) => suggestField(key, names, value);
  const details = parsed.error.issues.flatMap((issue) => describeIssue(issue, path, suggest));
  return { ok: false, details: details.slice(0, maxDetails) };
}

function describeIssue(
  issue: z.core.$ZodIssue,
  base: JsonPath,
  suggest: (key: string) => string | undefined,
): ErrorDetail[] {
  const path = [...base, ...issue.path as JsonPath];
  if (issue.code !== "unrecognized_keys") {
    return [{ field: formatPath(path), message: issue.message }];
  }
  const keys = issue.keys.slice(0, maxDetails);
  // Keep the schema's message only if it is the "unknown field" hint; other messages describe the
  // expected value.
  const message = issue.message.startsWith(unknownField) ? issue.message : unknownField;
  return keys.map((key) => {
    const meant = issue.path.length === 0 ? suggest(key) : undefined;
    return {
      field: formatPath([...path, key]),
      message: meant === undefined
        ? message
        : message.replace(unknownField, `is unknown: did you mean "${meant}"?`)
          .replace("?, or put it", "? Or put it"),
    };
  });
}
