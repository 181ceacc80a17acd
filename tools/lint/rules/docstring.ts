const sharedFolders = /\/(supabase\/functions\/_shared|api\/contract|api\/kernel|testing)\//;
const documented = new Set(["FunctionDeclaration", "ClassDeclaration", "TSInterfaceDeclaration"]);

/** Options belong to one function, whose docstring explains them. */
const options = /(Options|Overrides)$/;

/** Words that open a clause, where a docstring needs a verb or a noun. */
const clauseWords = new Set(
  ("what whether who whom whose which where when why how if that those as with of no than though " +
    "although because while until unless somebody someone something everybody whoever through under")
    .split(" "),
);

/**
 * Every function, class and interface that a shared folder exports has a docstring, except the
 * options of a function. A docstring of any export starts with a verb or a noun.
 */
export const docstring: Deno.lint.Rule = {
  create(context) {
    if (context.filename.endsWith("_test.ts") || !sharedFolders.test(context.filename)) return {};
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node;
        if (!declaration) return;
        const comment = findDocstring(context.sourceCode, node);
        if (comment === undefined) {
          if (!documented.has(declaration.type) || options.test(nameOf(declaration))) return;
          const message = `Exported "${nameOf(declaration)}" has no docstring`;
          const range: Deno.lint.Range = [node.range[0], node.range[0] + 6];
          context.report({ range, message, hint: "Say in one sentence what it does or holds" });
          return;
        }
        const word = /[\p{L}\p{N}_`]+/u.exec(comment.value)?.[0] ?? "";
        if (clauseWords.has(word.toLowerCase())) {
          const message = `Docstring starts with "${word}"`;
          context.report({
            range: comment.range,
            message,
            hint: "Start with a verb (Reads, Returns) or a noun",
          });
        }
      },
    };
  },
};

/** Finds the JSDoc comment right above a node; comments of earlier nodes do not count. */
function findDocstring(source: Deno.lint.SourceCode, node: Deno.lint.Node) {
  const comment = source.getCommentsBefore(node).at(-1);
  if (comment?.type !== "Block" || !comment.value.startsWith("*")) return undefined;
  return source.text.slice(comment.range[1], node.range[0]).trim() ? undefined : comment;
}

function nameOf(declaration: Deno.lint.Node): string {
  const id = "id" in declaration ? declaration.id : undefined;
  return id && "name" in id ? id.name : "default";
}
