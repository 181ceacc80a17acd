import { stylesToString } from "@mantine/core";
import { useInsertionEffect } from "react";

/**
 * In place of Mantine's component of this name, which draws a style element: the page's policy
 * refuses those and allows style sheets that a script of the page makes.
 */
export function InlineStyles(props: Parameters<typeof stylesToString>[0]) {
  const css = stylesToString(props);
  useInsertionEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    return () => {
      const { adoptedStyleSheets } = document;
      document.adoptedStyleSheets = adoptedStyleSheets.filter((each) => each !== sheet);
    };
  }, [css]);
  return null;
}
