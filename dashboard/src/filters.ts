/** Reads these filters, and nothing else, from a page's address. */
export function readFilters<const Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [key in Name]?: string } => {
    const filters: { [key in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string" && value !== "") filters[name] = value;
    }
    return filters;
  };
}
