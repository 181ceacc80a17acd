import assert from "node:assert/strict";
import { canonicalAddress, isAddress } from "../../supabase/functions/_shared/entries/addresses.ts";

const addresses = [
  "ada@example.com",
  "a.d-a+news_1@mail.example.co.uk",
  "o'brien@example.com",
  "ada@localhost",
  "äda@bücher.example",
  "ada@xn--bcher-kva.example",
];
for (const text of addresses) {
  Deno.test(`isAddress(): ${text} is one`, () => assert.equal(isAddress(text), true));
}

const others = [
  "<ada@example.com>",
  "Ada <ada@example.com>",
  "ada@example.com>",
  "x,ada@example.com",
  "ada@example.com,",
  "x;ada@example.com",
  "x:ada@example.com;",
  '"x"<ada@example.com',
  '"ada"@example.com',
  "(c)ada@example.com",
  "ada@example.com(c)",
  "ada\\@example.com",
  "ada@[127.0.0.1]",
  "ada@example.com.",
  "ada@.example.com",
  "ada@example..com",
  "ada@",
  "@example.com",
  "ada",
  "ada@bob@example.com",
  "ada @example.com",
  "ada@example.com\u00a0",
  "ada\u200b@example.com",
  "ada\u0000@example.com",
  "ada@xn--.example",
];
for (const text of others) {
  Deno.test(`isAddress(): ${JSON.stringify(text)} is not one`, () => {
    assert.equal(isAddress(canonicalAddress(text)), false);
  });
}

const spellings: [text: string, canonical: string][] = [
  ["ada@xn--bcher-kva.example", "ada@bücher.example"],
  ["ada@BÜCHER.example", "ada@bücher.example"],
  ["ada@ｅｘａｍｐｌｅ.com", "ada@example.com"],
  ["ada@example。com", "ada@example.com"],
  ["ada@exam\u00adple.com", "ada@example.com"],
  ["Ada@Example.COM", "Ada@Example.COM"],
];
for (const [text, canonical] of spellings) {
  Deno.test(`canonicalAddress(): ${text} is ${canonical}`, () => {
    assert.equal(canonicalAddress(text), canonical);
  });
}
