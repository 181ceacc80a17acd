import type { Plugin } from "vite";

const nativeTables = "\0native-tables";
const classNames = "\0class-names-of-scrolling";
const icon = /\/@primer\/octicons-react\/.*Icon\.mjs$/;
const otherSizes = /,\n\t"(?:24|32|48|96)": \{[^]*?\n\t\}(?=[,\n])/g;

/**
 * Leaves parts of libraries out that every page would load and none needs:
 * - Scroll bars in tables, and the library for positions below them. Tables that scroll use the
 *   browser's own bars: `type="native"`.
 * - The code that stops scrolling in the frame of the page, which only needs its class names.
 * - All sizes of an icon but the smallest, which scales.
 */
export function lighterParts(): Plugin {
  const found = new Set<string>();
  let frame: string | undefined;
  return {
    name: "lighter-parts",
    enforce: "pre",
    resolveId(source, importer = "") {
      if (source.endsWith("/ScrollArea.mjs") && importer.endsWith("/TableScrollContainer.mjs")) {
        found.add("tables");
        return nativeTables;
      }
      if (source !== "react-remove-scroll" || !importer.includes("/AppShell/")) return null;
      found.add("frame");
      frame = importer;
      return classNames;
    },
    async load(id) {
      if (id === nativeTables) return tables;
      if (id !== classNames) return null;
      const whole = await this.resolve("react-remove-scroll", frame, { skipSelf: true });
      const names = await this.resolve("react-remove-scroll-bar/constants", whole?.id);
      if (!names) this.error("Cannot find the class names of react-remove-scroll");
      return `import { fullWidthClassName as fullWidth, zeroRightClassName as zeroRight }
        from ${JSON.stringify(names.id)};
        export const RemoveScroll = { classNames: { fullWidth, zeroRight } };`;
    },
    transform(code, id) {
      if (!icon.test(id) || !code.includes('var heights = ["16", ')) return null;
      found.add("icons");
      return code.replace(/var heights = .*/, 'var heights = ["16"];').replace(otherSizes, "");
    },
    generateBundle() {
      if (found.size < 3) this.error(`Cannot leave parts out: found only "${[...found]}"`);
    },
  };
}

const tables = `export function ScrollArea() {
  throw new Error('Cannot scroll this table: its container needs type="native"');
}`;
