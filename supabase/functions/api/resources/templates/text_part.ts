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

const hidden = /^(?:head|style|script|title)$/;
const blocks =
  /^(?:address|article|blockquote|div|footer|form|h[1-6]|header|hr|ol|p|pre|section|table|tr|ul)$/;

/**
 * Makes the text part of a message from its HTML. Liquid stays as it is; links keep their address
 * in brackets, images their description. Each character is read a fixed number of times.
 */
export function makeTextPart(html: string): string {
  const kept: string[] = [];
  // Liquid may contain what looks like a tag.
  const guarded = guardLiquid(html, kept).replaceAll(/[ \t\r\n]+/g, " ");
  const text = writeTags(guarded)
    .replaceAll(/&(#\d+|#x[0-9a-f]+|\w+);/gi, readEntity)
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return text.replaceAll(/\uE000(\d+)\uE001/g, (_, n) => kept[Number(n)]!);
}

/** Replaces each Liquid tag by its number among those that are kept. */
function guardLiquid(html: string, kept: string[]): string {
  let [guarded, done] = ["", 0];
  const last = { "{%": html.lastIndexOf("%}"), "{{": html.lastIndexOf("}}") };
  const start = /\{[{%]/g;
  for (let found = start.exec(html); found !== null; found = start.exec(html)) {
    const opening = found[0] as keyof typeof last;
    if (found.index + 2 > last[opening]) continue;
    const end = html.indexOf(opening === "{%" ? "%}" : "}}", found.index + 2) + 2;
    guarded += html.slice(done, found.index);
    guarded += `\uE000${kept.push(html.slice(found.index, end)) - 1}\uE001`;
    done = start.lastIndex = end;
  }
  return guarded + html.slice(done);
}

/** Writes what the tags of HTML stand for, with the text between them. */
function writeTags(html: string): string {
  const pieces: string[] = [];
  let link: { href: string; from: number } | undefined;
  let done = 0;
  for (const { start, end, name, isEnd, attributes } of readTags(html)) {
    pieces.push(html.slice(done, start));
    done = end;
    const href = attributes.get("href");
    if (name === "a" && isEnd && link !== undefined) {
      pieces.push(writeLink(link.href, pieces.splice(link.from).join("")));
      link = undefined;
    } else if (name === "a" && href !== undefined) link ??= { href, from: pieces.length };
    else if (name === "img") pieces.push(attributes.get("alt") ?? "");
    else if (name === "br") pieces.push("\n");
    else if (name === "li" && !isEnd) pieces.push("\n- ");
    else if (isEnd && (name === "td" || name === "th")) pieces.push(" ");
    else if (blocks.test(name)) pieces.push("\n\n");
  }
  return pieces.join("") + html.slice(done);
}

interface HtmlTag {
  start: number;
  /** After the tag, or after the element if it is hidden. */
  end: number;
  /** In lower case; empty for a comment. */
  name: string;
  isEnd: boolean;
  attributes: ReadonlyMap<string, string>;
}

function* readTags(html: string): Generator<HtmlTag> {
  const last = { tag: html.lastIndexOf(">"), comment: html.lastIndexOf("-->") };
  const unclosed = new Set<string>();
  let start = html.indexOf("<");
  while (start !== -1 && start < last.tag) {
    let tag: HtmlTag;
    if (html.startsWith("<!--", start) && start + 4 <= last.comment) {
      const end = html.indexOf("-->", start + 4) + 3;
      tag = { start, end, name: "", isEnd: false, attributes: new Map() };
    } else tag = readTag(html, start, last.tag);
    const { name, isEnd } = tag;
    if (hidden.test(name) && !isEnd && !unclosed.has(name)) {
      const closing = new RegExp(`</${name}\\s*>`, "gi");
      closing.lastIndex = tag.end;
      if (closing.test(html)) tag.end = closing.lastIndex;
      else unclosed.add(name);
    }
    yield tag;
    start = html.indexOf("<", tag.end);
  }
}

// As browsers read them: a quote opens a value only behind the equals sign.
const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/y;

/** Reads a tag until the ">" that ends it. */
function readTag(html: string, start: number, last: number): HtmlTag {
  const opening = /<(\/?)([a-z][a-z0-9]*(?![\w-])|)/iy;
  opening.lastIndex = start;
  const [all, slash = "", name = ""] = opening.exec(html)!;
  const attributes = new Map<string, string>();
  let at = start + all.length;
  attribute.lastIndex = at;
  while (name !== "" && attribute.lastIndex < last) {
    const found = attribute.exec(html);
    if (found === null) break;
    const [, key = "", value = ""] = found;
    if (attribute.lastIndex <= last) at = attribute.lastIndex;
    const text = value.replace(/^(["'])([^]*)\1$/, "$2");
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), text);
  }
  const end = html.indexOf(">", at) + 1;
  return { start, end, name: name.toLowerCase(), isEnd: slash !== "", attributes };
}

function writeLink(href: string, inner: string): string {
  const label = inner.replaceAll(/\s+/g, " ").trim();
  if (label === "" || label === href || /^(?:mailto:|tel:|#|$)/.test(href)) return label || href;
  return `${label} (${href})`;
}

function readEntity(all: string, name: string): string {
  if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? all;
  const code = Number(name.slice(1).replace(/^x/i, "0x"));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
}
