import { invalidInput } from "../../../_shared/errors/errors.ts";
import { listVariables, parseLiquid, RenderError } from "../../../_shared/templates/liquid.ts";
import type { MjmlCompiler } from "../../../_shared/templates/compiled_mjml.ts";
import { compileMjml } from "./compile_mjml.ts";
import { makeTextPart } from "./text_part.ts";

/** Contents of a template as its author writes them. */
export interface WrittenContents {
  subject: string;
  html?: string | null | undefined;
  mjml?: string | null | undefined;
  /** Made from the HTML if there is none. */
  text?: string | null | undefined;
}

/** Contents of a version, checked and compiled. */
export interface CheckedContents {
  subject: string;
  html: string | null;
  mjml: string | null;
  text: string | null;
  is_text_generated: boolean;
  variables: string[];
  warnings: string[];
  has_unsubscribe: boolean;
}

const roots = new Set([
  "customer",
  "trigger",
  "workspace",
  "unsubscribe_url",
  "preferences_url",
  "now",
]);
const unsubscribeUrls = ["unsubscribe_url", "preferences_url"];

/**
 * Compiles MJML, makes the text part and reads the Liquid of each part.
 *
 * @throws {ApiError} `invalid_input` with the field and the line; `unavailable` without a compiler.
 */
export async function checkContents(
  written: WrittenContents,
  compile: MjmlCompiler,
): Promise<CheckedContents> {
  const { subject, mjml = null } = written;
  const html = mjml === null ? written.html ?? null : await compileMjml(mjml, compile);
  if (html === null && !written.text) {
    throw invalidInput([{ field: "html", message: "is required without mjml or text" }]);
  }
  const text = written.text ?? makeTextPart(html!);
  const source = mjml === null ? "html" : "mjml";
  const body = [...readVariables(source, html ?? ""), ...readVariables("text", text)];
  const variables = [...new Set([...readVariables("subject", subject), ...body])].sort();
  const has_unsubscribe = unsubscribeUrls.some((name) => body.includes(name));
  return {
    subject,
    html,
    mjml,
    text,
    is_text_generated: !written.text,
    variables,
    warnings: findWarnings(variables, has_unsubscribe),
    has_unsubscribe,
  };
}

function readVariables(field: string, source: string): string[] {
  try {
    return listVariables(parseLiquid(source, { isHtml: false, isStrict: false }));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw invalidInput([{ field, message: `is not Liquid: ${error.message}` }]);
  }
}

function findWarnings(variables: readonly string[], hasUnsubscribe: boolean): string[] {
  const unknown = variables.filter((path) => !roots.has(path.split(".")[0]!));
  const warnings = unknown.map((path) => `Variable "${path}" is always empty`);
  if (hasUnsubscribe) return warnings;
  return [
    ...warnings,
    "Marketing sends cannot use it: the body has neither unsubscribe_url nor preferences_url",
  ];
}
