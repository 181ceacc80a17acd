import { formatBytes } from "../../format/numbers.ts";

/** A check of a rendered template. */
export interface TemplateCheck {
  label: string;
  isFine: boolean;
  /** Advice; null if it is fine. */
  remedy: string | null;
}

interface Rendered {
  html: string | null;
  text: string | null;
  missing: readonly string[];
  warnings: readonly string[];
}

/** Gmail cuts mails off after this many bytes. */
const clippedBytes = 102 * 1024;

/** Checks a rendered template: size, alt texts, links, missing variables, and warnings of the api. */
export function checkTemplate({ html, text, missing, warnings }: Rendered): TemplateCheck[] {
  const size = new TextEncoder().encode(html ?? text ?? "").length;
  const images = [...(html ?? "").matchAll(/<img\b[^>]*>/gi)].map(([tag]) => tag);
  const silent = images.filter((tag) => !/\balt\s*=/i.test(tag)).length;
  const links = [...(html ?? "").matchAll(/<a\b[^>]*\bhref\s*=\s*["']([^"']*)["']/gi)]
    .map(([, href]) => href ?? "");
  const empty = links.filter((href) => href.trim() === "" || href.trim() === "#").length;
  return [
    check(
      `Size: ${formatBytes(size)}`,
      size <= clippedBytes,
      `Gmail cuts mails off after ${formatBytes(clippedBytes)}. Remove what is not needed.`,
    ),
    check(
      images.length === 0 ? "No images" : "Images have a text",
      silent === 0,
      `${silent} of ${images.length} have no alt attribute: people who see no images miss them.`,
    ),
    check(
      links.length === 0 ? "No links" : "Links lead somewhere",
      empty === 0,
      `${empty} of ${links.length} have an empty address.`,
    ),
    check(
      "Variables have a value",
      missing.length === 0,
      `Empty for this customer: ${missing.join(", ")}`,
    ),
    ...warnings.map((warning) => ({ label: "Warning", isFine: false, remedy: warning })),
  ];
}

function check(label: string, isFine: boolean, remedy: string): TemplateCheck {
  return { label, isFine, remedy: isFine ? null : remedy };
}
