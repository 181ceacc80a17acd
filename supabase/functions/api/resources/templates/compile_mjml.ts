import { invalidInput } from "../../../_shared/errors/errors.ts";

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

const liquidTag = /\{%-?[\s\S]*?-?%\}|\{\{-?[\s\S]*?-?\}\}/g;

/**
 * Compiles MJML, which may contain Liquid, to HTML. `mj-include` reads nothing.
 *
 * @throws {ApiError} `invalid_input` with the line of the first errors.
 */
export async function compileMjml(source: string): Promise<string> {
  const compile = await loadMjml();
  let result: MjmlResult;
  try {
    result = compile(source, { validationLevel: "soft", keepComments: false });
  } catch (error) {
    throw invalidInput([{ field: "mjml", message: `is not MJML: ${(error as Error).message}` }]);
  }
  const details = result.errors.slice(0, 10).map(({ line, message }) => ({
    field: "mjml",
    message: `line ${line}: ${message}`,
  }));
  // Text between elements is dropped: a loop around an element would be gone.
  const lost = source.replaceAll(/<!--[\s\S]*?-->/g, "").match(liquidTag)
    ?.find((tag) => !result.html.includes(tag));
  if (lost !== undefined) {
    const message = `loses ${JSON.stringify(lost)}: put Liquid between elements into mj-raw`;
    details.push({ field: "mjml", message });
  }
  if (details.length > 0) throw invalidInput(details);
  return result.html;
}
