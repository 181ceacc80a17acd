import assert from "node:assert/strict";
import { canonicalLocale } from "../../supabase/functions/_shared/entries/locales.ts";

Deno.test("canonicalLocale() reads every tag that the registry keeps from before BCP 47", () => {
  // IANA's "grandfathered" tags, and their canonical form in UTS 35.
  const tags = {
    "art-lojban": "jbo",
    "cel-gaulish": "xtg",
    "en-GB-oed": "en-GB-oxendict",
    "i-ami": "ami",
    "i-bnn": "bnn",
    "i-default": "en-x-i-default",
    "i-enochian": "und-x-i-enochian",
    "i-hak": "hak",
    "i-klingon": "tlh",
    "i-lux": "lb",
    "i-mingo": "see-x-i-mingo",
    "i-navajo": "nv",
    "i-pwn": "pwn",
    "i-tao": "tao",
    "i-tay": "tay",
    "i-tsu": "tsu",
    "no-bok": "nb",
    "no-nyn": "nn",
    "sgn-BE-FR": "sfb",
    "sgn-BE-NL": "vgt",
    "sgn-CH-DE": "sgg",
    "zh-guoyu": "zh",
    "zh-hakka": "hak",
    "zh-min": "nan-x-zh-min",
    "zh-min-nan": "nan",
    "zh-xiang": "hsn",
  };
  for (const [tag, canonical] of Object.entries(tags)) {
    for (const written of [tag, tag.toUpperCase(), tag.toLowerCase()]) {
      assert.equal(canonicalLocale(written), canonical, written);
    }
    // Stored tags are read again by updates.
    assert.equal(canonicalLocale(canonical), canonical);
  }
});

Deno.test("canonicalLocale() replaces a language below a macrolanguage by the language", () => {
  assert.equal(canonicalLocale("zh-yue-hk"), "yue-HK");
  assert.equal(canonicalLocale("sgn-ase"), "ase");
  assert.equal(canonicalLocale("zh-TW"), "zh-TW");
  assert.equal(canonicalLocale("zh-hant-tw"), "zh-Hant-TW");
  assert.equal(canonicalLocale("ar-EG"), "ar-EG");
});

Deno.test("canonicalLocale() refuses text that names no language", () => {
  for (
    const text of ["", "x-team", "i-unknown", "en_US", "e", "de-", "en-GB-oed-x-a", "zh-min-nan-TW"]
  ) {
    assert.equal(canonicalLocale(text), undefined, text);
  }
});
