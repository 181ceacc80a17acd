/** Static parts of a text; `undefined` where an expression stands. */
type TextParts = (string | undefined)[];

/** A constant that holds a text, and the block in which its name is known. */
interface NamedText {
  name: string;
  node: Deno.lint.Node;
  scope: Deno.lint.Range;
  parts: TextParts;
}

/**
 * The text of an error starts with a capital or a quoted value and has no full stop. The message
 * about one field continues the field's name, so it starts with a lowercase letter. Tests are not
 * checked: they throw the errors of others.
 */
export const errorText: Deno.lint.Rule = {
  create(context) {
    if (context.filename.endsWith("_test.ts")) return {};
    const constants: NamedText[] = [];
    const uses: Deno.lint.Identifier[] = [];

    function report(node: Deno.lint.Node, parts: TextParts) {
      const fault = findFault(parts);
      if (!fault) return;
      const hint = 'Write it like: Cannot read "a.json": it is empty';
      context.report({ node, message: `Error text ${fault}`, hint });
    }

    return {
      VariableDeclarator({ id, init, parent }) {
        const parts = readParts(init);
        if (id.type !== "Identifier" || !init || !parts) return;
        constants.push({ name: id.name, node: init, scope: parent.parent.range, parts });
      },
      NewExpression({ callee, arguments: given }) {
        if (callee.type !== "Identifier" || !callee.name.endsWith("Error")) return;
        const text = given[callee.name === "ApiError" ? 1 : 0];
        if (text?.type === "Identifier") uses.push(text);
        const parts = readParts(text);
        if (text && parts) report(text, parts);
      },
      ObjectExpression({ properties }) {
        const field = findProperty(properties, "field");
        const message = findProperty(properties, "message");
        const parts = readParts(message?.value);
        if (!field || !message || !parts) return;
        const fault = findFieldFault(parts);
        if (!fault) return;
        const hint = 'Continue the name of the field: "must be …"';
        context.report({ node: message, message: `Message about a field ${fault}`, hint });
      },
      "Program:exit"() {
        for (const use of uses) {
          const constant = findConstant(constants, use);
          if (constant) report(constant.node, constant.parts);
        }
      },
    };
  },
};

/** Finds the innermost constant of that name; the last one declared is the innermost. */
function findConstant(constants: NamedText[], { name, range }: Deno.lint.Identifier) {
  return constants.findLast((each) =>
    each.name === name && each.scope[0] <= range[0] && range[1] <= each.scope[1]
  );
}

function findFault(parts: TextParts): string | undefined {
  const first = parts[0];
  if (first !== undefined && !/^["\p{Lu}]/u.test(first)) return "does not start with a capital";
  return endsInStop(parts) ? "ends in a full stop" : undefined;
}

function findFieldFault(parts: TextParts): string | undefined {
  const first = parts[0];
  if (first !== undefined && !/^[\p{Ll}"]/u.test(first)) {
    return "does not start with a lowercase letter";
  }
  return endsInStop(parts) ? "ends in a full stop" : undefined;
}

function endsInStop(parts: TextParts): boolean {
  return /[.!]$/.test(parts.at(-1) ?? "");
}

function readParts(node: Deno.lint.Node | null | undefined): TextParts | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ cooked }) => cooked || undefined);
}

function findProperty(properties: Deno.lint.ObjectExpression["properties"], name: string) {
  for (const property of properties) {
    if (property.type !== "Property") continue;
    if (property.key.type === "Identifier" && property.key.name === name) return property;
  }
  return undefined;
}
