/** Creates a version 7 UUID of that millisecond; ids within one millisecond are not ordered. */
export function createUuidV7(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  // The digits after the version digit are random in version 4 too, with the same variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
