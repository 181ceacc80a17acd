/** Cached sizes of the objects of one item. */
export type Sizes = Map<object, number>;

/**
 * Returns a lower bound for the length of `JSON.stringify` of a value, counting escapes as one
 * character; stops counting over `limit`. A shared object is measured once.
 */
export function measureJson(value: unknown, limit: number, sizes: Sizes = new Map()): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = measureMembers(value, limit);
  sizes.set(value, size);
  return size;
}

function measureMembers(root: object, limit: number): number {
  const open: object[] = [root];
  let size = 0;
  for (let object = open.pop(); object !== undefined && size <= limit; object = open.pop()) {
    // Two brackets, minus the comma that follows the last member.
    size += 1;
    const isArray = Array.isArray(object);
    for (const key in object) {
      const member = object[key as keyof typeof object] as unknown;
      size += isArray ? 1 : key.length + 4;
      if (typeof member === "string") size += member.length + 2;
      else if (typeof member === "object" && member !== null) open.push(member);
      else size += member === undefined ? 0 : String(member).length;
      if (size > limit) break;
    }
  }
  return size;
}
