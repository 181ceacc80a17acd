import { MantineProvider } from "@mantine/core";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Plugin } from "vite";
import { cssVariablesResolver, theme } from "./src/theme/theme.ts";

const themePath = fileURLToPath(new URL("src/theme", import.meta.url));
const mantineCss = readFileSync(join(themePath, "mantine.css"), "utf8");
const inlineStyles = join(themePath, "inline_styles.ts");
/** The class names of a component of Mantine. */
const moduleOfComponent = /@mantine\/core\/esm\/components\/\w+\/(\w+)\.module\.mjs$/;
/** Condition under which CodeMirror adopts a style sheet instead of writing a style element. */
const shadowOnly = "!root.head && root.adoptedStyleSheets";

/**
 * Keeps style elements out of the page, which would need 'unsafe-inline' in its policy. The theme's
 * variables become part of the built style sheet. The styles of components that not every page needs
 * are loaded with them: those that `mantine.css` does not import. Styles that Mantine knows only while rendering
 * go through `src/theme/inline_styles.ts`. CodeMirror adopts its style sheet in every document, as it
 * does below a shadow root. The build fails if a module of theirs has changed.
 */
export function staticStyles(): Plugin {
  let isReplaced = false;
  let isAdopting = false;
  return {
    name: "static-styles",
    enforce: "pre",
    resolveId(source, importer) {
      const isMantines = source.endsWith("/InlineStyles.mjs") && importer?.includes("@mantine");
      if (!isMantines) return null;
      isReplaced = true;
      return inlineStyles;
    },
    transform(code, id) {
      const [path = ""] = id.split("?");
      const [, component] = moduleOfComponent.exec(path) ?? [];
      if (component !== undefined && !hasStyles(component)) {
        return `import "../../../styles/${component}.css";\n${code}`;
      }
      if (path === join(themePath, "styles.css")) return code + renderThemeCss();
      if (!path.endsWith("/style-mod/src/style-mod.js") || !code.includes(shadowOnly)) return null;
      isAdopting = true;
      return code.replace(shadowOnly, "root.adoptedStyleSheets");
    },
    generateBundle() {
      if (!isReplaced) this.error('Cannot replace "InlineStyles" of Mantine: it was not found');
      if (!isAdopting) this.error('Cannot change "style-mod": its condition was not found');
    },
  };
}

function hasStyles(component: string): boolean {
  return mantineCss.includes(`/styles/${component}.css"`);
}

/** Renders the styles that Mantine would write into the page: variables and width classes. */
function renderThemeCss(): string {
  const markup = renderToStaticMarkup(
    createElement(MantineProvider, { theme, cssVariablesResolver, deduplicateCssVariables: false }),
  );
  const styles = [...markup.matchAll(/<style[^>]*>([^<]*)<\/style>/g)].map(([, css]) => css);
  if (styles.length !== 2) throw new Error("Cannot read the theme: expected two style elements");
  return styles.join("\n");
}
