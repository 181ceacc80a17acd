import type { Plugin } from "vite";

const link = /\s*<link rel="stylesheet"[^>]*href="\/assets\/[^>]*>/g;

/**
 * Moves the built style sheets behind what the page shows while it loads, which would wait for them.
 * Scripts still wait: no page is drawn without its styles.
 */
export function lateStyles(): Plugin {
  return {
    name: "late-styles",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const links = html.match(link) ?? [];
        if (links.length === 0) throw new Error("Cannot move the style sheets: there are none");
        return html.replace(link, "").replace("\n  </body>", () => `${links.join("")}\n  </body>`);
      },
    },
  };
}
