import { z } from "zod";
import { cellForm, type Cells, firstCell } from "./cells.ts";

const databaseUrl = z.string().regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address");

const cellUrls = z.record(z.string().regex(cellForm), databaseUrl)
  .refine((urls) => !Object.hasOwn(urls, firstCell));

/** The databases of a function. */
export interface DatabaseConfig {
  SUPABASE_DB_URL: string;
  CELL_DATABASE_URLS?: Cells<string> | undefined;
  DATABASE_POOLER?: "none" | "session" | "transaction" | undefined;
}

/** Variables of every function that uses the database. */
export const databaseVariables = {
  SUPABASE_DB_URL: databaseUrl,
  /** Databases of the other cells as JSON: `{"01": "postgres://…"}`. Unset: there is one cell. */
  CELL_DATABASE_URLS: z.string().transform((text, context): Cells<string> => {
    const urls = cellUrls.safeParse(parseJson(text));
    if (urls.success) return new Map(Object.entries(urls.data).sort());
    const message = 'must be JSON like {"01": "postgres://…"}, without the first cell "00"';
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }).optional(),
  /** Pooler behind that URL, with its mode, or none. */
  DATABASE_POOLER: z.enum(["none", "session", "transaction"]).optional(),
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Variables of every function that returns URLs to callers. */
export const projectVariables = { SUPABASE_URL: z.url("must be an http(s) address") };

/** Variables of every function that encrypts or decrypts secrets; `createSecretBox` parses them. */
export const secretVariables = { SECRETS_ENCRYPTION_KEY: z.string() };

/** Variables of every function. */
export const logVariables = {
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
};

/**
 * Reads a function's variables through its schema, frozen. This is the only access to the
 * environment; tests pass a record. An empty variable counts as unset.
 *
 * @throws {TypeError} naming each variable that is missing or malformed, never its value
 */
export function readConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: Readonly<Record<string, string | undefined>> = Deno.env.toObject(),
): Readonly<z.infer<z.ZodObject<Shape>>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(set);
  if (parsed.success) return Object.freeze(parsed.data);
  const reasons = parsed.error.issues.map((issue) => {
    const name = issue.path.join(".");
    return `"${name}" ${set[name] === undefined ? "is not set" : issue.message}`;
  });
  throw new TypeError(`Cannot start: ${reasons.join(", ")}`);
}
