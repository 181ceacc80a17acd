const sharedFolders = /\/(supabase\/functions\/_shared|api\/contract|api\/kernel|testing)\//;
const documented = new Set(["FunctionDeclaration", "ClassDeclaration", "TSInterfaceDeclaration"]);

/** Words that open a clause, where a docstring needs a verb or a noun. */
const clauseWords = new Set(
  ("what whether who whom whose which where when why how if that those as with of no than though " +
    "although because while until unless somebody someone something everybody whoever through under")
    .split(" "),
);

/**
 * Every function, class and interface that a shared folder exports has a docstring. A docstring
 * of any export starts with a verb or a noun.
 */
export const docstring: Deno.lint.Rule = {
  create(context) {
    if (context.filename.endsWith("_test.ts") || !sharedFolders.test(context.filename)) return {};
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node;
        if (!declaration) return;
        const comment = context.sourceCode.getCommentsBefore(node).at(-1);
        const text = comment?.type === "Block" && comment.value.startsWith("*")
          ? comment.value
          : undefined;
        if (text === undefined) {
          if (!documented.has(declaration.type)) return;
          const message = `Exported ${nameOf(declaration)} has no docstring`;
          context.report({ range: [node.range[0], node.range[0] + 6], message });
          return;
        }
        const word = /[\p{L}\p{N}_`]+/u.exec(text)?.[0] ?? "";
        if (clauseWords.has(word.toLowerCase())) {
          const message = `Docstring starts with "${word}"`;
          context.report({
            range: comment!.range,
            message,
            hint: "Start with a verb (Reads, Returns) or a noun",
          });
        }
      },
    };
  },
};

function nameOf(declaration: Deno.lint.Node): string {
  const id = "id" in declaration ? declaration.id : undefined;
  return id && "name" in id ? `"${id.name}"` : "declaration";
}
