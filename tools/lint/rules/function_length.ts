const maxLines = 70;

type FunctionNode =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

/** A function has at most 70 lines, its signature included. */
export const functionLength: Deno.lint.Rule = {
  create(context) {
    const { text } = context.sourceCode;
    function check(node: FunctionNode) {
      const lines = text.slice(...node.range).split("\n").length;
      if (lines <= maxLines) return;
      context.report({
        range: [node.range[0], node.range[0] + 1],
        message: `Function has ${lines} lines, and the limit is ${maxLines}`,
        hint: "Move a step into a function of its own",
      });
    }
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    };
  },
};
