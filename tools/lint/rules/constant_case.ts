const oneWord = /^[A-Z][A-Z0-9]*$/;
const severalWords = /^[A-Z0-9]+(_[A-Z0-9]+)+$/;

/**
 * Constants are written in camelCase, at every depth. PascalCase stays allowed, because a
 * component, a context and a class may be a constant. A destructured name was chosen
 * elsewhere and is not checked.
 */
export const constantCase: Deno.lint.Rule = {
  create(context) {
    return {
      VariableDeclarator({ id }) {
        if (id.type !== "Identifier") return;
        if (!oneWord.test(id.name) && !severalWords.test(id.name)) return;
        context.report({
          node: id,
          message: `Constant "${id.name}" is not in camelCase`,
          hint: `Call it "${toCamelCase(id.name)}"`,
        });
      },
    };
  },
};

/** `MAX_BODY_BYTES` becomes `maxBodyBytes`. */
export function toCamelCase(name: string): string {
  return name.toLowerCase().replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
