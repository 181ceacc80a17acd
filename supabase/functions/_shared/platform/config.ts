import { z } from "zod";

/** Variables every function that talks to the database reads. */
export const databaseVariables = {
  SUPABASE_DB_URL: z.string().regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address"),
  /** What that address leads to: the database itself, or a pooler in one of its modes. */
  DATABASE_POOLER: z.enum(["none", "session", "transaction"]).optional(),
};

/** Variables every function that tells its callers addresses reads. */
export const projectVariables = { SUPABASE_URL: z.url("must be an http(s) address") };

/** Variables every function that encrypts or decrypts secrets reads; `createSecretBox` parses them. */
export const secretVariables = { SECRETS_ENCRYPTION_KEY: z.string() };

/** Variables every function reads. */
export const logVariables = {
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error"]).default("info"),
};

/**
 * Reads a function's variables through its schema, frozen. The only place that touches the
 * environment; tests pass a record. An empty variable counts as not set.
 *
 * @throws {TypeError} naming each variable that is missing or malformed, never its value.
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
