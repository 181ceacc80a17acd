import { chooseScheme, type Scheme } from "./choose_scheme.ts";

const unwanted = "script, iframe, object, embed, link, meta, base, form, title";

/**
 * Fills the document of a frame with a rendered mail. The page's policy refuses inline styles and
 * images of other hosts: styles are set by script, and remote images show their text only. Styles
 * for a scheme follow the given one, not the scheme of the page.
 */
export function showMail(target: Document, html: string, scheme: Scheme = "light"): void {
  const mail = new DOMParser().parseFromString(hideStyles(html), "text/html");
  const sheets = [...mail.querySelectorAll("textarea[data-css]")];
  for (const sheet of sheets) sheet.remove();
  for (const element of mail.querySelectorAll(unwanted)) element.remove();
  for (const image of mail.querySelectorAll("img")) hideRemote(image);
  const body = target.importNode(mail.body, true);
  target.body.replaceWith(body);
  const { lang, dir } = mail.documentElement;
  Object.assign(target.documentElement, { lang: lang || "en", dir });
  target.documentElement.style.colorScheme = scheme;
  for (const element of [body, ...body.querySelectorAll("*")]) applyStyle(element);
  addSheets(target, sheets.map((sheet) => chooseScheme(sheet.textContent ?? "", scheme)));
}

/**
 * Renames style elements and attributes, which a browser would refuse while it parses them, to
 * `<textarea data-css>` and `data-style`.
 */
export function hideStyles(html: string): string {
  const renamed = html.replaceAll(/<style\b/gi, "<textarea data-css")
    .replaceAll(/<\/style\s*>/gi, "</textarea>");
  return renamed.replaceAll(
    /<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi,
    (tag) => tag.replaceAll(/(\s)style(?=\s*=)/gi, "$1data-style"),
  );
}

function hideRemote(image: HTMLImageElement): void {
  image.removeAttribute("srcset");
  if (image.getAttribute("src")?.startsWith("data:")) return;
  image.removeAttribute("src");
  if (!image.alt) image.alt = "";
}

function applyStyle(element: Element): void {
  const style = element.getAttribute("data-style");
  if (style === null) return;
  element.removeAttribute("data-style");
  // Elements of the frame have another class of the same name.
  if ("style" in element) (element as HTMLElement).style.cssText = style;
}

function addSheets(target: Document, sheets: readonly string[]): void {
  const Sheet = (target.defaultView as (Window & typeof globalThis) | null)?.CSSStyleSheet;
  if (Sheet === undefined) return;
  target.adoptedStyleSheets = sheets.map((css) => {
    const sheet = new Sheet();
    sheet.replaceSync(css);
    return sheet;
  });
}
