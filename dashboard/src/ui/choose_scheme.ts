/** The color scheme of a mail program. */
export type Scheme = "light" | "dark";

/** Replaces questions about the scheme, which a frame answers as the page, by their answer. */
export function chooseScheme(css: string, scheme: Scheme): string {
  return css.replaceAll(
    /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi,
    (_, asked: string) => asked.toLowerCase() === scheme ? "(min-width: 0)" : "(max-width: 0)",
  );
}
