import { z } from "zod";

/** Variables of every function that uses the database. */
export const databaseVariables = {
  SUPABASE_DB_URL: z.string().regex(/^postgres(?:ql)?:\/\//, "must be a postgres:// address"),
  /** Pooler behind that URL, with its mode, or none. */
  DATABASE_POOLER: z.enum(["none", "session", "transaction"]).optional(),
};

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
