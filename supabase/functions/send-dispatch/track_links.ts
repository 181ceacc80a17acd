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
const linkStart = /<(?:a|area|v:[a-z]+)(?=\s)/gi;
const hrefAttribute = /(\shref\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/**
 * Replaces the http and https links of rendered HTML by click links, and adds the image that
 * records an open. Links of the service itself, such as those to unsubscribe, stay as they are.
 */
export function trackLinks(html: string, options: TrackLinksOptions): TrackedMessage {
  const { links, tracksOpens, tracksClicks } = options;
  const table = new Map<string, number>();
  const replaceHref = (tag: string) =>
    tag.replace(hrefAttribute, (whole, start: string, ...values: (string | undefined)[]) => {
      const url = decodeHtml(values.slice(0, 3).find((value) => value !== undefined) ?? "").trim();
      if (!isTrackable(url) || links.isOwn(url)) return whole;
      const index = table.get(url) ?? table.size;
      if (index >= maxLinks) return whole;
      table.set(url, index);
      return `${start}"${links.clickUrl(index)}"`;
    });
  const clicked = tracksClicks ? replaceTags(html, replaceHref) : html;
  const tracked = tracksOpens ? addImage(clicked, links.openUrl) : clicked;
  return { html: tracked, links: [...table.keys()] };
}

function isTrackable(url: string): boolean {
  return url.length <= maxUrlLength && /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Replaces the start tags of links, in one pass. An attribute may contain ">". */
function replaceTags(html: string, replace: (tag: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { index } of html.matchAll(linkStart)) {
    if (index < done) continue;
    const end = findTagEnd(html, index);
    if (end === -1) break;
    parts.push(html.slice(done, index), replace(html.slice(index, end)));
    done = end;
  }
  return parts.join("") + html.slice(done);
}

function findTagEnd(html: string, start: number): number {
  let quote = "";
  for (let i = start; i < html.length; i++) {
    const character = html.charAt(i);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") return i + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
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
