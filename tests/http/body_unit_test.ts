import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  readBytes,
  readJson,
  readOptionalJson,
  readText,
} from "../../supabase/functions/_shared/http/body.ts";
import { ApiError, type ErrorCode } from "../../supabase/functions/_shared/errors/errors.ts";

const mebibyte = 1024 * 1024;

function request(body: BodyInit, headers: Record<string, string> = {}): Request {
  const all = { "content-type": "application/json", ...headers };
  return new Request("http://service.test/", { method: "POST", body, headers: all });
}

async function compress(body: Uint8Array<ArrayBuffer>, format: CompressionFormat) {
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A stream that counts the bytes taken from it. */
function endlessStream() {
  const chunk = new Uint8Array(64 * 1024);
  const told = { bytes: 0, isCancelled: false };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      told.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel() {
      told.isCancelled = true;
    },
  });
  return { stream, told };
}

async function assertRefused(run: Promise<unknown>, code: ErrorCode): Promise<ApiError> {
  try {
    await run;
  } catch (error) {
    assert(error instanceof ApiError, String(error));
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`not refused with ${code}`);
}

Deno.test("readText() accepts JSON in UTF-8 with any spelling of its media type", async () => {
  const types = [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; boundary=x; charset=utf8",
  ];
  for (const type of types) {
    assert.equal(await readText(request('"ü"', { "content-type": type })), '"ü"');
  }
});

Deno.test("readText() refuses other media types and charsets and names the accepted ones", async () => {
  const types = [
    "text/html",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "json",
    "",
  ];
  for (const type of types) {
    const refused = readText(request("{}", { "content-type": type }));
    const error = await assertRefused(refused, "unsupported_media_type");
    assert.match(error.message, /send application\/json/);
  }
  const latin = readText(request("{}", { "content-type": "application/json; charset=latin1" }));
  await assertRefused(latin, "unsupported_media_type");
  const missing = new Request("http://service.test/", {
    method: "POST",
    body: new Uint8Array([1]),
  });
  await assertRefused(readText(missing), "unsupported_media_type");
  await assertRefused(
    readText(request("{}", { "content-type": "text/plain" })),
    "unsupported_media_type",
  );
});

Deno.test("readText() refuses invalid UTF-8 instead of replacing it", async () => {
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    await assertRefused(readText(request(new Uint8Array(bytes))), "invalid_json");
  }
});

Deno.test("readText() refuses an empty body", async () => {
  await assertRefused(readText(request("")), "invalid_json");
  await assertRefused(
    readText(request(await compress(new Uint8Array(), "gzip"), {
      "content-encoding": "gzip",
    })),
    "invalid_json",
  );
});

Deno.test("readBytes() accepts 1 MiB on the wire and refuses one byte more", async () => {
  assert.equal((await readBytes(request(new Uint8Array(mebibyte)))).byteLength, mebibyte);
  await assertRefused(readBytes(request(new Uint8Array(mebibyte + 1))), "payload_too_large");
});

Deno.test("readBytes() refuses an announced length without reading", async () => {
  const { stream, told } = endlessStream();
  const before = told.bytes;
  const large = request(stream, { "content-length": String(mebibyte + 1) });
  await assertRefused(readBytes(large), "payload_too_large");
  assert(told.bytes - before <= 64 * 1024);
});

Deno.test("readBytes() stops reading an endless body at the limit", async () => {
  const { stream, told } = endlessStream();
  await assertRefused(readBytes(request(stream)), "payload_too_large");
  assert(told.isCancelled);
  assert(told.bytes <= mebibyte + 4 * 64 * 1024, String(told.bytes));
});

Deno.test("readBytes() treats a hang-up as invalid JSON, not as a failure", async () => {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new Uint8Array([123])),
    pull: (controller) => controller.error(new TypeError("connection closed")),
  });
  const error = await assertRefused(readBytes(request(stream)), "invalid_json");
  assert.equal(error.message, "Body ended early: the connection broke");
});

Deno.test("readBytes() waits for a body no longer than its limit", async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new Uint8Array([123])),
    cancel: () => void (isCancelled = true),
  });
  const error = await assertRefused(readBytes(request(stream), { receiveMs: 1 }), "invalid_json");
  assert.match(error.message, /^Body did not arrive within /);
  assert(isCancelled);
});

Deno.test("readBytes() inflates gzip and deflate up to 5 MiB", async () => {
  for (const format of ["gzip", "deflate"] as const) {
    const fits = await compress(new Uint8Array(5 * mebibyte), format);
    const headers = { "content-encoding": format };
    assert.equal((await readBytes(request(fits, headers))).byteLength, 5 * mebibyte);
    const over = await compress(new Uint8Array(5 * mebibyte + 1), format);
    await assertRefused(readBytes(request(over, headers)), "payload_too_large");
  }
});

Deno.test("readBytes() refuses a gzip bomb long before it is inflated", async () => {
  const bomb = new Uint8Array(gzipSync(new Uint8Array(600 * mebibyte)));
  assert(bomb.byteLength < mebibyte);
  const before = Deno.memoryUsage().rss;
  const headers = { "content-encoding": "gzip" };
  await assertRefused(readBytes(request(bomb, headers)), "payload_too_large");
  const grown = Deno.memoryUsage().rss - before;
  assert(grown < 100 * mebibyte, `memory grew by ${grown} bytes`);
});

Deno.test("readBytes() refuses broken and unknown encodings", async () => {
  const whole = await compress(new TextEncoder().encode('{"a":1}'), "gzip");
  const gzip = { "content-encoding": "gzip" };
  await assertRefused(readBytes(request(whole.slice(0, -9), gzip)), "invalid_json");
  await assertRefused(readBytes(request('{"a":1}', gzip)), "invalid_json");
  for (const encoding of ["br", "zstd", "gzip, gzip", "x"]) {
    const refused = readBytes(request("{}", { "content-encoding": encoding }));
    const error = await assertRefused(refused, "unsupported_media_type");
    assert.equal(error.headers["Accept-Encoding"], "gzip, deflate");
  }
  assert.equal((await readBytes(request("{}", { "content-encoding": "identity" }))).byteLength, 2);
});

Deno.test("readJson() names the field that cannot be stored", async () => {
  const error = await assertRefused(readJson(request('{"a":{"b":1e999}}')), "invalid_input");
  assert.equal(error.details?.[0]?.field, "a.b");
  assert.deepEqual(await readJson(request('{"a":[1]}')), { a: [1] });
});

Deno.test("readOptionalJson() treats no bytes as an empty object, with any headers", async () => {
  const types: Record<string, string>[] = [{}, { "content-type": "application/json" }, {
    "content-type": "text/html",
  }];
  for (const headers of types) {
    for (const body of [null, new Uint8Array()]) {
      const empty = new Request("http://service.test/", { method: "POST", body, headers });
      assert.deepEqual(await readOptionalJson(empty), {});
    }
  }
  assert.equal(await readOptionalJson(request("null")), null);
});

Deno.test("readOptionalJson() refuses bytes that are not labelled as JSON, or not JSON", async () => {
  const bytes = new TextEncoder().encode('{"a":1}');
  const unnamed = new Request("http://service.test/", { method: "POST", body: bytes });
  await assertRefused(readOptionalJson(unnamed), "unsupported_media_type");
  const plain = request("{}", { "content-type": "text/plain" });
  await assertRefused(readOptionalJson(plain), "unsupported_media_type");
  await assertRefused(readOptionalJson(request("nonsense")), "invalid_json");
  await assertRefused(readOptionalJson(request('{"a":1e999}')), "invalid_input");
});

Deno.test("readText() inflates and decodes a large body in slices without losing a character", async () => {
  let ended = 0;
  const slices = {
    start: () => {},
    stop: () => {},
    isOver: () => true,
    next: () => Promise.resolve(void ended++),
  };
  // Three bytes each, so that pieces end inside of them; of chance, so that they stay many pieces.
  const random = crypto.getRandomValues(new Uint16Array(10_000));
  const text = Array.from(random, (n) => String.fromCharCode(0x1000 + n % 0x4000)).join("")
    .repeat(54);
  const body = await compress(new TextEncoder().encode(text), "gzip");
  const sent = request(body, { "content-encoding": "gzip" });
  assert.equal(await readText(sent, { slices }), text);
  assert(ended >= Math.floor(body.byteLength / 4096) + 3, `${ended} slices`);
  await assertRefused(
    readText(request(new TextEncoder().encode(text).slice(0, -1)), {
      slices,
      wireBytes: 5 * mebibyte,
    }),
    "invalid_json",
  );
});
