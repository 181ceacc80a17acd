import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Names that say what part a file plays in its folder, not what it exports. */
const roles = new Set(["app", "config", "fields", "index", "main", "mod", "schema", "service"]);

/** Word of a file name that says the same: `job_queries.ts` holds the SQL about jobs. */
const roleWord = "queries";

/**
 * A file with one export is named after it: each word of its name is a word of the export or of a
 * folder above. Singular and plural are the same word. Types beside an exported value do not
 * count as exports, but their words do. A file with several exports is named after their subject,
 * and a program, or a file that exports only `run`, after what it runs.
 */
export const fileName: Deno.lint.Rule = {
  create(context) {
    const path = context.filename.startsWith(root)
      ? relative(root, context.filename)
      : context.filename;
    const [name = "", ...folders] = path.split("/").reverse();
    const base = name.replace(/\.tsx?$/, "");
    if (name === base || base.endsWith("_test") || roles.has(base)) return {};
    const values: string[] = [];
    const types: string[] = [];
    return {
      ExportNamedDeclaration({ declaration, specifiers }) {
        const list = declaration?.type.startsWith("TS") ? types : values;
        list.push(...findDeclaredNames(declaration));
        for (const { exported } of specifiers) {
          if (exported.type === "Identifier") values.push(exported.name);
        }
      },
      ExportDefaultDeclaration() {
        values.push(base);
      },
      "Program:exit"({ range }) {
        const start: Deno.lint.Range = [range[0], range[0] + 1];
        if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(base)) {
          const message = `File name "${name}" is not in snake_case`;
          context.report({ range: start, message, hint: "Write it like api_keys.ts" });
          return;
        }
        const exports = values.length ? values : types;
        if (exports.length !== 1 || exports[0] === "run") return;
        if (context.sourceCode.text.includes("import.meta.main")) return;
        const known = [...values, ...types, ...folders].map(joinWords);
        const unknown = base.split("_").filter((word) => {
          const stem = findStem(word);
          return word !== roleWord && !known.some((each) => each.includes(stem));
        });
        if (!unknown.length) return;
        context.report({
          range: start,
          message: `File "${name}" is not named after its export: nothing is called "${
            unknown.join("_")
          }"`,
          hint: `Name it after "${exports[0]}", which it exports`,
        });
      },
    };
  },
};

function findDeclaredNames(declaration: Deno.lint.ExportNamedDeclaration["declaration"]): string[] {
  if (!declaration) return [];
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => id.type === "Identifier" ? [id.name] : []);
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
}

/** `readApiKeys` and `webhook-dispatch` become `readapikeys` and `webhookdispatch`. */
function joinWords(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** `keys` becomes `key`; `delivery` and `deliveries` become `deliver`. */
function findStem(word: string): string {
  if (word.length < 4 || /(ss|us)$/.test(word)) return word;
  return word.replace(/ies$|y$|(?<=(s|x|ch|sh))es$|s$/, "");
}
