import type { Template } from "liquidjs";
import { parseLiquid, RenderError, renderLiquid, type RenderOptions } from "./liquid.ts";

/** Contents of a version of a template, as saved. */
export interface TemplateContents {
  subject: string;
  html: string | null;
  text: string | null;
}

/** Variables of a template. */
export interface TemplateFacts {
  /** The customer as the api returns it; empty in a preview without one. */
  customer: Readonly<Record<string, unknown>>;
  /** The data of the send, or of the event that caused it. */
  trigger: Readonly<Record<string, unknown>>;
  workspace: Readonly<Record<string, unknown>>;
  unsubscribe_url: string;
  preferences_url: string;
  now: Date;
}

/** A rendered message. */
export interface RenderedMessage {
  /** One line. */
  subject: string;
  html: string | null;
  text: string | null;
}

type Part = keyof TemplateContents;

/** Parsed parts of contents that are still in use: a version is rendered for many customers. */
const parsed = new WeakMap<TemplateContents, Map<string, Template[]>>();

function parsePart(contents: TemplateContents, part: Part, options: RenderOptions): Template[] {
  const name = `${part} ${options.isStrict}`;
  const known = parsed.get(contents) ?? new Map<string, Template[]>();
  parsed.set(contents, known);
  const templates = known.get(name) ?? parseLiquid(contents[part]!, options);
  known.set(name, templates);
  return templates;
}

/**
 * Renders a template. The result depends only on the arguments.
 *
 * @throws {RenderError} beyond 50 ms or 256 KiB in a part, or for a missing variable if strict.
 */
export function renderTemplate(
  contents: TemplateContents,
  facts: TemplateFacts,
  isStrict: boolean,
): RenderedMessage {
  const render = (part: Part) => {
    if (contents[part] === null) return null;
    const options = { isHtml: part === "html", isStrict };
    return renderLiquid(parsePart(contents, part, options), { ...facts }, options);
  };
  const subject = render("subject")!.replaceAll(/\s+/g, " ").trim()
    // Mail programs decode what looks like an encoded word (RFC 2047), with what it hides.
    .replaceAll("=?", "= ?");
  if (subject === "") throw new RenderError("Subject is empty", { reason: "missing_variable" });
  return { subject, html: render("html"), text: render("text") };
}
