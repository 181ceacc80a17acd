import { invalidInput } from "../../../_shared/errors/errors.ts";
import type { MjmlCompiler } from "../../../_shared/templates/compiled_mjml.ts";

const liquidTag = /\{%-?[\s\S]*?-?%\}|\{\{-?[\s\S]*?-?\}\}/g;

/**
 * Compiles MJML, which may contain Liquid, to HTML.
 *
 * @throws {ApiError} `invalid_input` with the line of the first errors; `unavailable`.
 */
export async function compileMjml(source: string, compile: MjmlCompiler): Promise<string> {
  const { html, errors } = await compile(source);
  const details = errors.map(({ line, message }) => ({
    field: "mjml",
    message: line === null ? `is not MJML: ${message}` : `line ${line}: ${message}`,
  }));
  if (html === null) throw invalidInput(details);
  // Text between elements is dropped: a loop around an element would be gone.
  const lost = source.replaceAll(/<!--[\s\S]*?-->/g, "").match(liquidTag)
    ?.find((tag) => !html.includes(tag));
  if (lost !== undefined) {
    const message = `loses ${JSON.stringify(lost)}: put Liquid between elements into mj-raw`;
    details.push({ field: "mjml", message });
  }
  if (details.length > 0) throw invalidInput(details);
  return html;
}
