import { maxLinks } from "../_shared/links/link_token.ts";
import type { MessageLinks } from "./message_links.ts";

/** A message whose links lead through the service. */
export interface TrackedMessage {
  html: string;
  /** Link table: URLs by the index in their click link. */
  links: string[];
}

export interface TrackLinksOptions {
  links: MessageLinks;
  tracksOpens: boolean;
  tracksClicks: boolean;
}

// A URL that is longer is left as it is.
const maxUrlLength = 2000;
// VML is what buttons are made of for Outlook.
const linkStart = /<(?:a|area|v:[a-z]+)(?=[\s/])/gi;
// As browsers read them: a quote opens a value only behind the equals sign.
const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/gy;
const tagEnd = /[\s/]*>/y;

/**
 * Replaces the http and https links of rendered HTML by click links, and adds the image that
 * records an open. Links of the service itself, such as those to unsubscribe, stay as they are.
 */
export function trackLinks(html: string, options: TrackLinksOptions): TrackedMessage {
  const { links, tracksOpens, tracksClicks } = options;
  const table = new Map<string, number>();
  const clickUrl = (value: string): string | undefined => {
    const url = decodeHtml(value).trim();
    if (!isTrackable(url) || links.isOwn(url)) return undefined;
    const index = table.get(url) ?? table.size;
    if (index >= maxLinks) return undefined;
    table.set(url, index);
    return links.clickUrl(index);
  };
  const clicked = tracksClicks ? replaceLinks(html, clickUrl) : html;
  const tracked = tracksOpens ? addImage(clicked, links.openUrl) : clicked;
  return { html: tracked, links: [...table.keys()] };
}

function isTrackable(url: string): boolean {
  return url.length <= maxUrlLength && /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Replaces the values of href in the start tags of links, in one pass; undefined keeps a value. */
function replaceLinks(html: string, replace: (value: string) => string | undefined): string {
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: start } of html.matchAll(linkStart)) {
    if (index < done) continue;
    const { href, end } = readTag(html, index + start.length);
    const url = href && replace(unquote(html.slice(href.start, href.end)));
    parts.push(
      ...href !== undefined && url !== undefined
        ? [html.slice(done, href.start), `"${url}"`, html.slice(href.end, end)]
        : [html.slice(done, end)],
    );
    done = end;
  }
  return parts.join("") + html.slice(done);
}

function unquote(value: string): string {
  return /^["']/.test(value) ? value.slice(1, -1) : value;
}

interface Tag {
  /** The value with its quotes; undefined if there is none, or if the tag cannot be read. */
  href: { start: number; end: number } | undefined;
  /** The place where the tag ends, or cannot be read further. */
  end: number;
}

/** Reads the attributes behind the name of a tag. The first of two with one name counts. */
function readTag(html: string, from: number): Tag {
  let href: Tag["href"];
  let end = from;
  attribute.lastIndex = from;
  for (let found; (found = attribute.exec(html)) !== null;) {
    const [, name, value = ""] = found;
    end = attribute.lastIndex;
    if (href === undefined && name!.toLowerCase() === "href") {
      href = { start: end - value.length, end };
    }
  }
  tagEnd.lastIndex = end;
  return tagEnd.test(html) ? { href, end: tagEnd.lastIndex } : { href: undefined, end };
}

function addImage(html: string, url: string): string {
  const image = `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0">`;
  const end = [...html.matchAll(/<\/body\s*>/gi)].at(-1)?.index ?? html.length;
  return html.slice(0, end) + image + html.slice(end);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  apos: "'",
  lt: "<",
  gt: ">",
};

/** Decodes the entities that occur in URLs: those of Liquid's escape, and numeric ones. */
function decodeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|quot|apos|lt|gt));/gi,
    (whole, ...found) => {
      const [decimal, hex, name] = found as (string | undefined)[];
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
