import { z } from "zod";

/** Most characters of MJML, and of each other part of a template. */
export const maxSourceLength = 250_000;

/** Request of compile-mjml. */
export const mjmlSource = z.strictObject({
  mjml: z.string("must be a string").max(
    maxSourceLength,
    `must be at most ${maxSourceLength} characters long`,
  ),
}, "must be an object").meta({ id: "MjmlSource" });

/** Response of compile-mjml. */
export const compiledMjml = z.object({
  html: z.string().nullable().meta({ description: "Null if the source is not MJML." }),
  errors: z.array(z.object({
    line: z.int().nullable().meta({ description: "Null if the source is not MJML." }),
    message: z.string(),
  })).meta({ description: "The first 10 errors." }),
}).meta({ id: "CompiledMjml" });

export type CompiledMjml = z.output<typeof compiledMjml>;

/** Compiles MJML. Throws `unavailable` if the compiler cannot be reached. */
export type MjmlCompiler = (source: string) => Promise<CompiledMjml>;
