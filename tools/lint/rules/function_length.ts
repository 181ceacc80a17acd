const maxLines = 70;

type FunctionNode =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

/**
 * A function has at most 70 lines, its signature included. The steps of a test are counted one by
 * one, and not for the test.
 */
export const functionLength: Deno.lint.Rule = {
  create(context) {
    const { text } = context.sourceCode;
    const steps: Deno.lint.Range[] = [];
    const countLines = (range: Deno.lint.Range) => text.slice(...range).split("\n").length;

    function check({ range }: FunctionNode) {
      let lines = countLines(range);
      for (const step of steps) {
        if (range[0] < step[0] && step[1] < range[1]) lines -= countLines(step) - 1;
      }
      if (lines <= maxLines) return;
      context.report({
        range: [range[0], range[0] + 1],
        message: `Function has ${lines} lines, and the limit is ${maxLines}`,
        hint: "Move a step into a function of its own",
      });
    }

    return {
      'CallExpression[callee.property.name="step"]'({ range }: Deno.lint.CallExpression) {
        steps.push(range);
      },
      "FunctionDeclaration:exit": check,
      "FunctionExpression:exit": check,
      "ArrowFunctionExpression:exit": check,
    };
  },
};
