import type { z } from "zod";

type Schemas = typeof import("./schemas.ts");

/** Name of a schema of a request. */
export type SchemaName = {
  [Name in keyof Schemas]: Schemas[Name] extends z.ZodType ? Name : never;
}[keyof Schemas];

/** The body that a schema accepts. */
export type BodyOf<Name extends SchemaName> = z.input<Schemas[Name]>;

let schemas: Schemas | undefined;

/**
 * Loads the schemas of requests, which are large and first needed when a form is sent. Without them,
 * the api's own check remains.
 */
export async function loadSchemas(): Promise<void> {
  schemas ??= await import("./schemas.ts").catch(() => undefined);
}

/** Returns a schema, if they are loaded. */
export function loadedSchema(name: SchemaName): z.ZodType | undefined {
  return schemas?.[name];
}
