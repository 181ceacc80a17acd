const maxLength = 100;

/** Makes a key from a name: "Köln news!" becomes "koln_news". */
export function suggestKey(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== "");
  return words.join("_").slice(0, maxLength);
}
