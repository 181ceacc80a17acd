import assert from "node:assert/strict";
import fc from "fast-check";
import {
  generateApiKey,
  hashApiKey,
  isApiKey,
  readKeyCell,
} from "../../supabase/functions/_shared/access/keys.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

Deno.test("generateApiKey() makes unique pk_ keys of a cell and 38 base62 characters", async () => {
  const keys = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const { key, lastFour } = await generateApiKey();
    assert.match(key, /^pk_00[0-9A-Za-z]{38}$/);
    assert(key.endsWith(lastFour) && lastFour.length === 4);
    assert(isApiKey(key));
    keys.add(key);
  }
  assert.equal(keys.size, 500);
});

Deno.test("generateApiKey() favours no character", async () => {
  const counts = new Map<string, number>();
  const keys = 2000;
  for (let i = 0; i < keys; i++) {
    for (const character of (await generateApiKey()).key.slice(5, 37)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = keys * 32 / 62;
  // Six standard deviations: chance fails this once in millions of runs.
  const tolerance = 6 * Math.sqrt(expected);
  for (const character of base62) {
    assert(Math.abs((counts.get(character) ?? 0) - expected) < tolerance, character);
  }
});

Deno.test("isApiKey() refuses a key with any character changed", async () => {
  const { key } = await generateApiKey();
  for (let i = 3; i < key.length; i++) {
    for (const character of base62) {
      if (character === key[i]) continue;
      assert(!isApiKey(key.slice(0, i) + character + key.slice(i + 1)), `position ${i}`);
    }
  }
});

Deno.test("isApiKey() refuses anything else", () => {
  fc.assert(fc.property(fc.string(), (text) => assert(!isApiKey(text))));
  fc.assert(fc.property(fc.string(), (text) => assert(!isApiKey(`pk_${text}`))));
});

Deno.test("readKeyCell() returns the cell of a key, and the first one for a key without", async () => {
  assert.equal(readKeyCell((await generateApiKey("a7")).key), "a7");
  assert.equal(readKeyCell((await generateApiKey()).key), "00");
  assert.equal(readKeyCell(`pk_${"a7".repeat(16)}2wjyrI`), "00");
});

Deno.test("generateApiKey() refuses a cell that does not fit", async () => {
  await assert.rejects(generateApiKey("7"), /Cannot generate key: "7" is not a cell/);
});

Deno.test("isApiKey() accepts the checksum of a fixed key without a cell", () => {
  // The CRC-32 of 32 zeros is 0xa0f292d0 by zlib, and six digits of base62.
  assert(isApiKey(`pk_${"0".repeat(32)}2wjyrI`));
});

Deno.test("hashApiKey() is SHA-256", async () => {
  const { key, hash } = await generateApiKey();
  assert.equal(hash.byteLength, 32);
  assert.deepEqual(await hashApiKey(key), hash);
  const abc = await hashApiKey("abc");
  assert.equal(abc.toHex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
