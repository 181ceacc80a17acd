import { Hono } from "hono";
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { compressJson } from "../../supabase/functions/api/kernel/compress_json.ts";

const large = { items: Array.from({ length: 100 }, (_, i) => ({ id: i, name: "Ada Lovelace" })) };
const text = JSON.stringify(large);

const app = new Hono()
  .use(compressJson())
  .get("/large", (c) => c.json(large, 201, { "X-Request-Id": "7" }))
  .get("/small", (c) => c.json({ items: [] }))
  .get("/empty", (c) => c.body(null, 204))
  .get("/csv", (c) =>
    c.body(ReadableStream.from([new TextEncoder().encode(text)]), 200, {
      "Content-Type": "text/csv",
    }))
  .get("/error", () => {
    throw new Error("lost");
  })
  .onError((_, c) => c.json(large, 500));

Deno.test("JSON of 1 KiB or more is compressed for callers that accept gzip", async () => {
  for (
    const accepted of ["gzip", "br, gzip", "GZIP;q=0.5, br", "deflate,gzip;q=1.0,*;q=0.5", "*"]
  ) {
    const response = await request("/large", accepted);
    assert.equal(response.headers.get("content-encoding"), "gzip", accepted);
    assert.equal(response.status, 201);
    assert.equal(response.headers.get("x-request-id"), "7");
    assert.equal(response.headers.get("vary"), "Accept-Encoding");
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert(bytes.byteLength * 4 < text.length, `${bytes.byteLength} of ${text.length} bytes`);
    assert.equal(gunzipSync(bytes).toString(), text);
  }
});

Deno.test("errors are compressed like other JSON", async () => {
  const response = await request("/error", "gzip");
  assert.equal(response.status, 500);
  assert.equal(gunzipSync(new Uint8Array(await response.arrayBuffer())).toString(), text);
});

Deno.test("other callers get the same JSON as it is", async () => {
  for (const accepted of [undefined, "", "br", "identity", "gzip;q=0", "br, gzip;q=0.0", "xgzip"]) {
    const response = await request("/large", accepted);
    assert.equal(response.headers.get("content-encoding"), null, `for "${accepted}"`);
    // A cache must not give it to callers of the other kind.
    assert.equal(response.headers.get("vary"), "Accept-Encoding");
    assert.equal(await response.text(), text);
  }
});

Deno.test("small JSON, streams and empty responses are sent as they are", async () => {
  assert.equal(await (await request("/small", "gzip")).text(), '{"items":[]}');
  assert.equal(await (await request("/csv", "gzip")).text(), text);
  const empty = await request("/empty", "gzip");
  assert.equal(empty.status, 204);
  assert.equal(await empty.text(), "");
});

async function request(path: string, accepted: string | undefined): Promise<Response> {
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  return await app.request(path, { headers });
}
