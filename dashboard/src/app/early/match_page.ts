/** A path of the router, such as `/w/$workspaceId/customers/$customerId`, and what belongs to it. */
export type PageEntry<Value> = readonly [pattern: string, value: Value];

/** Returns what belongs to the first pattern that a path fits, with the path's variable parts. */
export function matchPage<Value>(
  path: string,
  entries: readonly PageEntry<Value>[],
): { value: Value; params: string[] } | undefined {
  const parts = split(path);
  for (const [pattern, value] of entries) {
    const names = split(pattern);
    const isVariable = (n: number) => names[n]!.startsWith("$");
    const fits = names.length === parts.length &&
      parts.every((part, n) => isVariable(n) || names[n] === part);
    if (fits) return { value, params: parts.filter((_, n) => isVariable(n)) };
  }
  return undefined;
}

function split(path: string): string[] {
  return path.split("/").filter(Boolean);
}
