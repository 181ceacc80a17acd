import type { CompiledMjml } from "../_shared/templates/compiled_mjml.ts";
import { findUnclosed } from "./find_unclosed.ts";

interface MjmlResult {
  html: string;
  errors: { line: number; message: string }[];
}

type Mjml = (source: string, options: Record<string, unknown>) => MjmlResult;

let loading: Promise<Mjml> | undefined;

/** Loads the compiler, which is built for browsers and reads `window` once while it loads. */
function loadMjml(): Promise<Mjml> {
  loading ??= (async () => {
    const scope = globalThis as { window?: unknown };
    scope.window = globalThis;
    try {
      return (await import("mjml-browser")).default as unknown as Mjml;
    } finally {
      delete scope.window;
    }
  })();
  return loading;
}

const maxErrors = 10;

/**
 * Compiles MJML to HTML, and lists the first errors. `html` is null if the source is not MJML.
 * `mj-include` reads nothing.
 */
export async function compileMjml(source: string): Promise<CompiledMjml> {
  const compile = await loadMjml();
  try {
    const result = compile(source, { validationLevel: "soft", keepComments: false });
    const errors = [...findUnclosed(source), ...result.errors].slice(0, maxErrors);
    return { html: result.html, errors: errors.map(({ line, message }) => ({ line, message })) };
  } catch (error) {
    return { html: null, errors: [{ line: null, message: (error as Error).message }] };
  }
}
