import { invalidInput } from "../../../_shared/errors/errors.ts";
import {
  listFixedPaths,
  listVariables,
  parseLiquid,
  readPaths,
  RenderError,
} from "../../../_shared/templates/liquid.ts";
import type { MjmlCompiler } from "../../../_shared/templates/compiled_mjml.ts";
import { checkVariables, variableNames } from "./check_variables.ts";
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

const unsubscribeUrls = ["unsubscribe_url", "preferences_url"];
const noUnsubscribe =
  "Marketing sends cannot use it: the body has neither unsubscribe_url nor preferences_url";

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
  requireSizes({ mjml, html, text: written.text ?? null });
  const source = mjml === null ? "html" : "mjml";
  const inSubject = readVariables("subject", subject);
  const inHtml = readVariables(source, html ?? "");
  const text = written.text ?? makeTextPart(html!);
  if (byteLength(text) > maxSizes.text * 1024) {
    const message = `is required: the text of the HTML has over ${maxSizes.text} KiB`;
    throw invalidInput([{ field: "text", message }]);
  }
  const inText = readVariables("text", text);
  const all = [inSubject, inHtml, inText];
  // Readers of the HTML do not see the text.
  const { variables: read } = html === null ? inText : inHtml;
  const has_unsubscribe = unsubscribeUrls.some((name) => read.includes(name));
  return {
    subject,
    html,
    mjml,
    text,
    is_text_generated: !written.text,
    variables: [...new Set(all.flatMap(({ variables }) => variables))].sort(),
    warnings: [
      ...checkVariables(all.flatMap(({ paths }) => paths)),
      ...has_unsubscribe ? [] : [noUnsubscribe],
      ...findScriptLinks(html ?? ""),
    ],
    has_unsubscribe,
  };
}

/** Most KiB of each part in UTF-8; the HTML may be compiled from MJML. */
const maxSizes = { mjml: 256, html: 512, text: 256 } as const;

function requireSizes(parts: Record<keyof typeof maxSizes, string | null>): void {
  for (const [part, kib] of Object.entries(maxSizes) as [keyof typeof maxSizes, number][]) {
    const source = parts[part];
    if (source === null || byteLength(source) <= kib * 1024) continue;
    const isCompiled = part === "html" && parts.mjml !== null;
    throw invalidInput([{
      field: isCompiled ? "mjml" : part,
      message: isCompiled
        ? `must compile to at most ${kib} KiB of HTML`
        : `must be at most ${kib} KiB in UTF-8`,
    }]);
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Finds links that would run a script: mail programs remove them, and receivers may refuse the
 * mail.
 */
function findScriptLinks(html: string): string[] {
  const links = html.matchAll(
    /\b(?:href|src|action|background)\s*=\s*(?:["']\s*)?((?:javascript|vbscript):[^"'\s>]{0,40})/gi,
  );
  const found = [...new Set([...links].map(([, link]) => link))].slice(0, 5);
  return found.map((link) => `Link "${link}" does nothing in a mail: use an https address`);
}

/** Variables of a part, and the paths among them of which every name is known. */
interface PartVariables {
  variables: string[];
  paths: string[][];
}

function readVariables(field: string, source: string): PartVariables {
  try {
    const templates = parseLiquid(source, { isHtml: false, isStrict: false });
    const paths = readPaths(templates, variableNames);
    return { variables: listVariables(paths), paths: listFixedPaths(paths) };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw invalidInput([{ field, message: `is not Liquid: ${error.message}` }]);
  }
}
