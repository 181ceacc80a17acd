import { stylesToString } from "@mantine/core";
import { useInsertionEffect } from "react";

/**
 * Replaces Mantine's component of this name, which renders a style element. The page's policy
 * forbids those, but allows style sheets that its scripts create.
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
