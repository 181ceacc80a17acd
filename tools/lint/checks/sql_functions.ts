import type { Problem, Tree } from "../tree.ts";

const rule = "sql_functions";
const maxLines = 80;

const definition = /^create (?:or replace )?(?:function|procedure) ([\w.]+)[^;]*?\$(\w*)\$/gm;
const raised = /\braise exception(?: using message =)? '((?:[^']|'')+)'/g;

/** Finds SQL functions whose body, between its dollar quotes, has more than 80 lines. */
export function findLongSqlFunctions(tree: Tree): Problem[] {
  const hint = "move a step into a function of its own";
  const problems: Problem[] = [];
  for (const [path, text] of sqlFiles(tree)) {
    for (const match of text.matchAll(definition)) {
      const start = match.index + match[0].length;
      const body = text.slice(start, text.indexOf(`$${match[2]}$`, start));
      const lines = body.trim().split("\n").length;
      if (lines <= maxLines) continue;
      const problem = `Function "${match[1]}" has ${lines} lines, and the limit is ${maxLines}`;
      problems.push({ rule, path, line: lineAt(text, match.index), text: problem, hint });
    }
  }
  return problems;
}

/** Finds texts of SQL errors without a capital at the start, or with a full stop at the end. */
export function findSqlErrorTexts(tree: Tree): Problem[] {
  const hint = "write it like 'Cannot count \"%\": it is locked'";
  const problems: Problem[] = [];
  for (const [path, text] of sqlFiles(tree)) {
    for (const match of text.matchAll(raised)) {
      if (/^["%\p{Lu}]/u.test(match[1]!) && !/[.!]$/.test(match[1]!)) continue;
      const line = lineAt(text, match.index);
      const problem = "Error text needs a capital first and no full stop last";
      problems.push({ rule, path, line, text: problem, hint });
    }
  }
  return problems;
}

function* sqlFiles(tree: Tree) {
  for (const [path, text] of tree) if (path.endsWith(".sql")) yield [path, text] as const;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
