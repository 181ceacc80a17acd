const maxArguments = 3;

type FunctionNode =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

/** A function takes at most three arguments; a rest argument counts as one. */
export const argumentCount: Deno.lint.Rule = {
  create(context) {
    function check(node: FunctionNode) {
      const count = node.params.length;
      if (count <= maxArguments) return;
      context.report({
        range: node.params[maxArguments]!.range,
        message: `Function takes ${count} arguments, and the limit is ${maxArguments}`,
        hint: "Take one object instead",
      });
    }
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    };
  },
};
