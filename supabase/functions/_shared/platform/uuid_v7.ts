/** A version 7 UUID of that millisecond; ids of one millisecond are in no particular order. */
export function createUuidV7(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  // What follows the version digit is chance in version 4 too, and has the same variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
