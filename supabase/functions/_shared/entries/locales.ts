/**
 * Tags from before BCP 47 that `Intl` refuses, in lower case, with their canonical form by Unicode
 * (UTS 35, annex C). `Intl` reads the others, such as "art-lojban".
 */
const legacyTags = new Map([
  ["en-gb-oed", "en-GB-oxendict"],
  ["i-ami", "ami"],
  ["i-bnn", "bnn"],
  ["i-default", "en-x-i-default"],
  ["i-enochian", "und-x-i-enochian"],
  ["i-hak", "hak"],
  ["i-klingon", "tlh"],
  ["i-lux", "lb"],
  ["i-mingo", "see-x-i-mingo"],
  ["i-navajo", "nv"],
  ["i-pwn", "pwn"],
  ["i-tao", "tao"],
  ["i-tay", "tay"],
  ["i-tsu", "tsu"],
  ["no-bok", "nb"],
  ["no-nyn", "nn"],
  ["sgn-be-fr", "sfb"],
  ["sgn-be-nl", "vgt"],
  ["sgn-ch-de", "sgg"],
  ["zh-min", "nan-x-zh-min"],
  ["zh-min-nan", "nan"],
]);

/** The macrolanguages that BCP 47 allows before one of their languages: "zh-yue" is "yue". */
const macrolanguage = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-(?=[a-z]{3}(?:-|$))/i;

/**
 * Returns the canonical form of a BCP 47 language tag; undefined for any other text, and for a tag
 * of private use only, such as "x-team".
 */
export function canonicalLocale(tag: string): string | undefined {
  const current = legacyTags.get(tag.toLowerCase()) ?? tag.replace(macrolanguage, "");
  try {
    return Intl.getCanonicalLocales(current)[0];
  } catch {
    return undefined;
  }
}
