import { ForTag, type Template, toValueSync, TypeGuards, Value } from "liquidjs";

/** A name, a number, or a variable that chooses the name. */
export type Segment = string | number | Segment[];

interface Reader {
  /** Variables that every text gets. */
  given: ReadonlySet<string>;
  /** Names that a tag around this one defines, and how many do. */
  blocks: Map<string, number>;
  /** Names that a tag before this one assigns. */
  assigned: Set<string>;
  found: Segment[][];
}

/**
 * Reads the paths of the variables that a text takes from outside. A name that the text assigns
 * anywhere is its own, because a loop may read it before the tag that assigns it. A given variable
 * has a value until the text assigns it.
 *
 * @throws {Error} for a text that includes another one.
 */
export function readVariables(
  templates: readonly Template[],
  given: ReadonlySet<string>,
): Segment[][] {
  const reader: Reader = { given, blocks: new Map(), assigned: new Set(), found: [] };
  visitAll(templates, reader);
  return reader.found.filter(([root]) =>
    given.has(root as string) || !reader.assigned.has(root as string)
  );
}

function visitAll(templates: Iterable<Template>, reader: Reader): void {
  for (const template of templates) visit(template, reader);
}

function visit(template: Template, reader: Reader): void {
  for (const value of template.arguments?.() ?? []) {
    // `offset: continue` names no variable.
    if (!(template instanceof ForTag && readName(value) === "continue")) readValue(value, reader);
  }
  for (const name of template.localScope?.() ?? []) {
    reader.assigned.add(typeof name === "string" ? name : name.content);
  }
  if (template.children === undefined) return;
  const names = [...template.blockScope?.() ?? []].map(String);
  const count = (step: number) => {
    for (const name of names) reader.blocks.set(name, (reader.blocks.get(name) ?? 0) + step);
  };
  count(1);
  visitAll(toValueSync(template.children(true, true)) as Template[], reader);
  count(-1);
}

/** Returns the name that a value consists of, if it is one. */
function readName(value: unknown): string | number | undefined {
  const isPath = TypeGuards.isPropertyAccessToken(value);
  return isPath && value.props.length === 1 ? readWord(value.props[0]) : undefined;
}

function readValue(value: unknown, reader: Reader): void {
  if (value instanceof Value || TypeGuards.isFilteredValueToken(value)) {
    for (const token of value.initial.postfix) readValue(token, reader);
    for (const arg of value.filters.flatMap(({ args }) => args as unknown[])) {
      readValue(Array.isArray(arg) ? arg[1] : arg, reader);
    }
  } else if (TypeGuards.isRangeToken(value)) {
    readValue(value.lhs, reader);
    readValue(value.rhs, reader);
  } else if (TypeGuards.isPropertyAccessToken(value)) {
    readPath(value, reader);
  }
}

interface Path {
  variable?: unknown;
  props: readonly unknown[];
}

/** Notes a path and those inside of it, and returns its segments. */
function readPath({ variable, props }: Path, reader: Reader): Segment[] {
  const segments: Segment[] = [];
  for (const prop of props) {
    const isPath = TypeGuards.isPropertyAccessToken(prop);
    const segment = isPath ? readPath(prop, reader) : readWord(prop);
    if (segment !== undefined) segments.push(segment);
  }
  // The path of a text or a range, such as `(1..3).size`.
  if (variable !== undefined) {
    readValue(variable, reader);
    return segments;
  }
  const [root] = segments;
  if (typeof root !== "string" || reader.blocks.get(root)) return segments;
  if (!reader.assigned.has(root)) reader.found.push(segments);
  return segments;
}

function readWord(prop: unknown): string | number | undefined {
  const isWord = TypeGuards.isQuotedToken(prop) || TypeGuards.isNumberToken(prop) ||
    TypeGuards.isWordToken(prop);
  return isWord ? prop.content : undefined;
}
