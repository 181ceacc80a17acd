import assert from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { readResponseSnippet } from "../../supabase/functions/_shared/outbound/response_snippet.ts";

const encoder = new TextEncoder();

function read(
  body: Uint8Array | string,
  { encoding = null as string | null, maxBytes = 2048 } = {},
) {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  return readResponseSnippet({ body: bytes, encoding, maxBytes });
}

Deno.test("readResponseSnippet() keeps the start of a text and splits no character", async () => {
  assert.equal(await read("all fine"), "all fine");
  assert.equal(await read(""), "");
  assert.equal(await read("a€€", { maxBytes: 5 }), "a€");
  assert.equal(await read("😀😀", { maxBytes: 7 }), "😀");
});

Deno.test("readResponseSnippet() returns text that Postgres can store, for any bytes", async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (body) => {
    const snippet = await read(body, { maxBytes: 32 });
    assert(snippet !== null && snippet.isWellFormed() && !snippet.includes("\0"));
    assert(encoder.encode(snippet).length <= 32);
  }));
  assert.equal(await read("a\0b"), "a\ufffdb");
});

Deno.test("readResponseSnippet() inflates a body that the receiver compressed without being asked", async () => {
  assert.equal(await read(gzipSync("hello"), { encoding: "gzip" }), "hello");
  assert.equal(await read(gzipSync("hello"), { encoding: " X-GZIP" }), "hello");
  assert.equal(await read(deflateSync("hello"), { encoding: "deflate" }), "hello");
  assert.equal(await read(brotliCompressSync("hello"), { encoding: "br" }), "hello");
  assert.equal(await read("hello", { encoding: "identity" }), "hello");
});

Deno.test("readResponseSnippet() keeps the readable part of a truncated or damaged body", async () => {
  const text = Array.from({ length: 4_000 }, (_, index) => index).join(" ");
  const cut = gzipSync(text).subarray(0, 4_000);
  assert.equal(await read(cut, { encoding: "gzip" }), text.slice(0, 2048));
  assert.equal(await read("no gzip at all", { encoding: "gzip" }), "");
});

Deno.test("readResponseSnippet() returns null for an unknown encoding", async () => {
  for (const encoding of ["zstd", "gzip, gzip", "constructor"]) {
    assert.equal(await read("abc", { encoding }), null);
  }
});

Deno.test("readResponseSnippet() inflates no more of a zip bomb than it keeps", async () => {
  const bomb = brotliCompressSync(new Uint8Array(64 * 1024 * 1024).fill(97));
  const before = Deno.memoryUsage().rss;
  const snippets = await Promise.all(
    Array.from({ length: 20 }, () => read(bomb, { encoding: "br" })),
  );
  for (const snippet of snippets) assert.equal(snippet, "a".repeat(2048));
  // Twenty of them inflated whole would be 1.3 GB.
  assert(Deno.memoryUsage().rss - before < 256 * 1024 * 1024);
});
