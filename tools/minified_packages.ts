import { readFileSync } from "node:fs";
import type { Plugin } from "rolldown";

/**
 * Packages that are published as one minified line without imports. The bundler would print their
 * code with line breaks, which makes it 30 % larger, and would map each of its lines.
 */
const minified = /\/node_modules\/mjml-browser\/[\w/]+\.js$/;

/** Stands for the code of a package until the bundle is printed. */
const placeholder = "__minified_package__";

/** Replaces the code of minified packages by a placeholder. */
export const keepMinified: Plugin = {
  name: "keep-minified",
  load(id) {
    if (!minified.test(id.replaceAll("\\", "/"))) return null;
    return `export default ${placeholder}(${JSON.stringify(id)});`;
  },
};

/**
 * Replaces each placeholder of a bundle by the code of its package, a CommonJS module.
 *
 * @throws Error if that code has more than one line: the bundle's source map counts on it.
 */
export function pasteMinified(bundle: string): string {
  return bundle.replaceAll(new RegExp(`${placeholder}\\((".*?")\\)`, "g"), (_, quoted: string) => {
    const id: string = JSON.parse(quoted);
    const code = readFileSync(id, "utf8").trim();
    if (code.includes("\n")) throw new Error(`Cannot bundle "${id}": it has more than one line`);
    return `((module, exports = module.exports) => { ${code}; return module.exports; })({ exports: {} })`;
  });
}
