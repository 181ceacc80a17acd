import assert from "node:assert/strict";
import { brotliDecompressSync } from "node:zlib";
import { compressFiles } from "../../dashboard/compress_files.ts";
import { createDashboard } from "../../dashboard/serve.ts";

Deno.test("the built page is served compressed", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const script = "export const text = 'signalpost';\n".repeat(200);
    await Deno.mkdir(`${directory}/assets`);
    await Deno.writeTextFile(`${directory}/assets/page-1.js`, script);
    const config = { supabase_url: "/", publishable_key: "key" };
    const app = createDashboard({ config, directory });
    const headers = { "accept-encoding": "gzip" };
    const response = await app.request("/assets/page-1.js", { headers });
    assert.equal(response.headers.get("content-encoding"), "gzip");
    const text = response.body!.pipeThrough(new DecompressionStream("gzip"));
    assert.equal(await new Response(text).text(), script);
    const plain = await app.request("/assets/page-1.js");
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(await plain.text(), script);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a file that was compressed when the page was built is served as it is", async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${directory}/assets`);
    await Deno.writeTextFile(`${directory}/assets/page-1.js`, "export const text = 1;\n");
    await compressFiles(directory);
    const config = { supabase_url: "/", publishable_key: "key" };
    const app = createDashboard({ config, directory });
    const headers = { "accept-encoding": "gzip, br" };
    const response = await app.request("/assets/page-1.js", { headers });
    assert.equal(response.headers.get("content-encoding"), "br");
    assert.match(response.headers.get("content-type") ?? "", /javascript/);
    const bytes = new Uint8Array(await response.arrayBuffer());
    assert.equal(brotliDecompressSync(bytes).toString(), "export const text = 1;\n");
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("the page says that it loads before any script has run", async () => {
  const page = await Deno.readTextFile(new URL("../../dashboard/index.html", import.meta.url));
  assert.match(page, /<div id="root">[^]*Loading the dashboard…[^]*<\/div>/);
});
