import type { Plugin } from "vite";

const replaced = "\0native-tables";

/**
 * Keeps Mantine's scroll bars, and the library for positions below them, out of its tables. Every page
 * has a table, and those that scroll use the browser's own bars: `type="native"`.
 */
export function nativeTables(): Plugin {
  let isFound = false;
  return {
    name: "native-tables",
    enforce: "pre",
    resolveId(source, importer) {
      const isOfTable = importer?.endsWith("/TableScrollContainer.mjs");
      if (!isOfTable || !source.endsWith("/ScrollArea.mjs")) return null;
      isFound = true;
      return replaced;
    },
    load(id) {
      if (id !== replaced) return null;
      return `export function ScrollArea() {
        throw new Error('Cannot scroll this table: its container needs type="native"');
      }`;
    },
    generateBundle() {
      if (!isFound) this.error('Cannot replace "ScrollArea" in tables: it was not found');
    },
  };
}
