const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  euro: "€",
};

const hidden = /<!--[\s\S]*?-->|<(head|style|script|title)\b[\s\S]*?<\/\1\s*>/gi;
const blocks =
  /<\/?(?:address|article|blockquote|div|footer|form|h[1-6]|header|hr|ol|p|pre|section|table|tr|ul)\b[^>]*>/gi;
const liquidTag = /\{%-?[\s\S]*?-?%\}|\{\{-?[\s\S]*?-?\}\}/g;

/**
 * Makes the text part of a message from its HTML. Liquid stays as it is; links keep their address
 * in brackets, images their description.
 */
export function makeTextPart(html: string): string {
  const kept: string[] = [];
  // Liquid may contain what looks like a tag.
  const guarded = html.replaceAll(liquidTag, (tag) => `\uE000${kept.push(tag) - 1}\uE001`);
  const text = guarded
    .replaceAll(hidden, "")
    .replaceAll(/[ \t\r\n]+/g, " ")
    .replaceAll(
      /<a\b[^>]*?href\s*=\s*(["'])(.*?)\1[^>]*>(.*?)<\/a\s*>/gi,
      (...[, , href, inner]: string[]) => writeLink(href!, inner!),
    )
    .replaceAll(/<img\b[^>]*?alt\s*=\s*(["'])(.*?)\1[^>]*>/gi, "$2")
    .replaceAll(/<br\b[^>]*>/gi, "\n")
    .replaceAll(/<li\b[^>]*>/gi, "\n- ")
    .replaceAll(/<\/t[dh]\s*>/gi, " ")
    .replaceAll(blocks, "\n\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(#\d+|#x[0-9a-f]+|\w+);/gi, readEntity)
    .replaceAll(/[^\S\n]*\n[^\S\n]*/g, "\n")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return text.replaceAll(/\uE000(\d+)\uE001/g, (_, n) => kept[Number(n)]!);
}

function writeLink(href: string, inner: string): string {
  const label = inner.replaceAll(/<img\b[^>]*?alt\s*=\s*(["'])(.*?)\1[^>]*>/gi, "$2")
    .replaceAll(/<[^>]*>/g, "").trim();
  if (label === "" || label === href || /^(?:mailto:|tel:|#)/.test(href)) return label || href;
  return `${label} (${href})`;
}

function readEntity(all: string, name: string): string {
  if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? all;
  const code = Number(name.slice(1).replace(/^x/i, "0x"));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
}
