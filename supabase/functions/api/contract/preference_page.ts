import { pageTexts, pickLanguage } from "../../_shared/links/page_texts.ts";
import { buildPageView, type PageFacts } from "../../_shared/links/page_view.ts";
import { renderPage } from "../../_shared/links/render_page.ts";

/** Language tags of the pages behind the links in messages. */
export const pageLanguages: readonly string[] = Object.keys(pageTexts);

/** Returns the language tag of the pages for a customer with this locale. */
export function languageOfPage(locale: string | null): string {
  return pickLanguage(locale, undefined).lang;
}

/** The data of a page to preview, with its language tag. */
export type PreviewedPage = Omit<PageFacts, "language" | "preferencesToken"> & { lang: string };

/** Renders a page to unsubscribe or with all topics, as the function `links` does. */
export function previewPage({ lang, ...facts }: PreviewedPage): string {
  const language = pickLanguage(lang, undefined);
  return renderPage(buildPageView({ ...facts, language, preferencesToken: "preview" }));
}
