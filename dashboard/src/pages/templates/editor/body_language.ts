import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { html } from "@codemirror/lang-html";
import { closePercentBrace, liquid, liquidCompletionSource } from "@codemirror/lang-liquid";
import { LanguageSupport } from "@codemirror/language";
import {
  completeProperties,
  completeVariables,
  extraFilters,
  extraTags,
  refusedTags,
} from "./liquid_words.ts";
import { mjmlTags } from "./mjml_tags.ts";

/** The form in which a body is written. */
export type BodyFormat = "html" | "mjml" | "text";

/** Returns the paths of attributes and data that were found, such as `customer.attributes.plan`. */
export type SeenPaths = () => readonly string[];

/**
 * Highlighting and completion of a body: Liquid around HTML, MJML or text. It offers the variables,
 * filters and tags that the service has, and nothing that it refuses.
 */
export function bodyLanguage(format: BodyFormat, seenPaths: SeenPaths): LanguageSupport {
  const base = html({
    matchClosingTags: false,
    selfClosingTags: true,
    ...format === "mjml" ? { extraTags: { ...mjmlTags } } : {},
  });
  const { language } = liquid({ base });
  const source = liquidCompletionSource({
    filters: extraFilters,
    tags: extraTags,
    variables: completeVariables(),
    properties: (path) => completeProperties(path, seenPaths()),
  });
  const complete = (context: CompletionContext): CompletionResult | null => {
    const found = source(context);
    if (found === null) return null;
    return { ...found, options: found.options.filter(({ label }) => !refusedTags.has(label)) };
  };
  return new LanguageSupport(language, [
    format === "text" ? [] : base.support,
    language.data.of({ autocomplete: complete }),
    base.language.data.of({ closeBrackets: { brackets: ["{"] } }),
    closePercentBrace,
  ]);
}
