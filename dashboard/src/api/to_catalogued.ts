/** Returns the input that names an event to the catalogue's routes, even "." and "..". */
export function toCatalogued(name: string) {
  // Browsers drop both from the path of an address.
  const isDropped = name === "." || name === "..";
  return { params: { name: isDropped ? "-" : name }, query: isDropped ? { name } : {} };
}
