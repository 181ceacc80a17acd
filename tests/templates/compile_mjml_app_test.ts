import assert from "node:assert/strict";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createCompileApp } from "../../supabase/functions/compile-mjml/app.ts";
import { assertRequest, assertResponse, findOperation } from "../../testing/service/openapi.ts";

const key = "sb_secret_dispatch";
const operation = findOperation("compileMjml");
const app = createCompileApp({
  dispatchKey: key,
  log: createLog({ name: "compile-mjml", write: () => {} }),
});
const json = { apikey: key, "content-type": "application/json" };
const mjml = "<mjml><mj-body><mj-raw><p>{{ a }}</p></mj-raw></mj-body></mjml>";

async function post(body: string, headers: Record<string, string> = json) {
  const response = await app.request("/compile-mjml", { method: "POST", headers, body });
  const answer = {
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  };
  assertResponse(operation, answer);
  return answer;
}

Deno.test("compile-mjml compiles MJML and lists its errors", async () => {
  assertRequest(operation, { mjml });
  const good = await post(JSON.stringify({ mjml }));
  assert.equal(good.status, 200);
  assert.match(good.body.html, /^<!doctype html>[\s\S]*<p>{{ a }}<\/p>/);
  assert.deepEqual(good.body.errors, []);
  const unknown = await post(
    JSON.stringify({ mjml: mjml.replace("<mj-raw>", "\n<mj-moon></mj-moon><mj-raw>") }),
  );
  assert.equal(unknown.status, 200);
  assert.equal(unknown.body.errors[0].line, 2);
  assert.match(unknown.body.errors[0].message, /^Element mj-moon doesn't exist/);
  const none = await post(JSON.stringify({ mjml: "<p>Hello" }));
  assert.deepEqual([none.status, none.body.html, none.body.errors[0].line], [200, null, null]);
});

Deno.test("compile-mjml lists at most 10 errors", async () => {
  const moons = "<mj-moon></mj-moon>".repeat(20);
  const { body } = await post(
    JSON.stringify({ mjml: `<mjml><mj-body>${moons}</mj-body></mjml>` }),
  );
  assert.equal(body.errors.length, 10);
});

Deno.test("compile-mjml refuses callers without the dispatch key", async () => {
  const wrong: Record<string, string>[] = [
    {},
    { apikey: "" },
    { apikey: key.slice(0, -1) },
    { apikey: `${key}x` },
    { authorization: `Bearer ${key}` },
  ];
  for (const headers of wrong) {
    const { status, body } = await post(JSON.stringify({ mjml }), {
      ...headers,
      "content-type": "application/json",
    });
    assert.deepEqual([status, body.code], [401, "unauthorized"]);
  }
});

Deno.test("compile-mjml accepts the longest source in any form, and no longer body", async () => {
  const longest = "\u0001".repeat(250_000 - 29);
  const source = `<mjml><mj-body></mj-body><!--${longest}`.slice(0, 250_000);
  assert.equal((await post(JSON.stringify({ mjml: source }))).status, 200);
  const over = await post(JSON.stringify({ mjml: "x".repeat(250_001) }));
  assert.equal(over.status, 400);
  assert.equal(over.body.details[0].field, "mjml");
  const large = await post(JSON.stringify({ mjml: "x".repeat(2 * 1024 * 1024) }));
  assert.equal(large.status, 413);
});

Deno.test("compile-mjml accepts only POST of JSON with MJML, and no page may call it", async () => {
  for (const body of ["{}", "[]", '"text"', '{"mjml":1}', '{"mjml":"","other":1}']) {
    assert.equal((await post(body)).status, 400, body);
  }
  assert.equal((await post("{}", { ...json, "content-type": "text/html" })).status, 415);
  const read = await app.request("/compile-mjml", { headers: { apikey: key } });
  assert.deepEqual([read.status, read.headers.get("allow")], [405, "POST"]);
  const { headers } = await post(JSON.stringify({ mjml }), { ...json, origin: "https://a.test" });
  assert.equal(headers.get("access-control-allow-origin"), null);
});
