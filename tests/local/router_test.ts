import assert from "node:assert/strict";
import { join } from "node:path";
import { createRouter } from "../../local/router.ts";

const functions = new Map<string, (request: Request) => Promise<Response> | Response>([
  ["address", ({ headers }: Request) => Response.json(headers.get("cf-connecting-ip"))],
  ["echo", async (request: Request) => {
    const { method, url } = request;
    return Response.json({ method, path: new URL(url).pathname, body: await request.text() });
  }],
]);
const api = {
  fetch: (request: Request, peerAddress: string) =>
    Promise.resolve(Response.json({ path: new URL(request.url).pathname, peerAddress })),
};

function serve(dashboard: string) {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    createRouter({ api, functions, publishableKey: "sb_publishable_x", dashboard }),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  return {
    base,
    get: async (path: string, init?: RequestInit) => {
      const response = await fetch(base + path, init);
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, type: headers.get("content-type"), text };
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function buildDashboard() {
  const path = await Deno.makeTempDir();
  await Deno.mkdir(join(path, "assets"));
  await Deno.writeTextFile(join(path, "index.html"), "<h1>Dashboard</h1>");
  await Deno.writeTextFile(join(path, "assets", "main.js"), "start()");
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("createRouter() passes a function its own name as the first part of the path", async () => {
  await using server = serve("/nowhere");
  const { text } = await server.get("/functions/v1/echo/a/b?c=d", { method: "POST", body: "hi" });
  assert.deepEqual(JSON.parse(text), { method: "POST", path: "/echo/a/b", body: "hi" });
});

Deno.test("createRouter() returns the 404 of functions for an unknown function", async () => {
  await using server = serve("/nowhere");
  for (
    const path of [
      "/functions/v1/missing",
      "/functions/v1/",
      "/functions/v1",
      "/functions/v1//echo",
    ]
  ) {
    const { status, text, headers } = await server.get(path);
    assert.equal(status, 404, path);
    const { error, code, request_id } = JSON.parse(text);
    assert.deepEqual([code, request_id], ["not_found", headers.get("x-request-id")]);
    assert.match(error, /^Route does not exist: /);
    assert.equal(headers.get("access-control-allow-origin"), "*");
  }
});

Deno.test("createRouter() forwards only Auth and Data API paths, with the peer's address", async () => {
  await using server = serve("/nowhere");
  for (const path of ["/auth/v1/health", "/rest/v1/customers"]) {
    const { text } = await server.get(path);
    assert.deepEqual(JSON.parse(text), { path, peerAddress: "127.0.0.1" });
  }
  assert.equal((await server.get("/_system/info")).status, 404);
});

Deno.test("createRouter() serves the dashboard, and its single page for the dashboard's own paths", async () => {
  await using dashboard = await buildDashboard();
  await using server = serve(dashboard.path);
  assert.equal((await server.get("/")).text, "<h1>Dashboard</h1>");
  assert.equal((await server.get("/customers/some-id")).text, "<h1>Dashboard</h1>");
  const script = await server.get("/assets/main.js");
  assert.deepEqual([script.text, script.type], ["start()", "text/javascript; charset=utf-8"]);
  assert.equal((await server.get("/assets/gone.js")).status, 404);
});

Deno.test("createRouter() serves nothing outside of the dashboard", async () => {
  await using dashboard = await buildDashboard();
  await Deno.writeTextFile(`${dashboard.path}-secret`, "secret");
  await using server = serve(dashboard.path);
  const name = dashboard.path.split("/").at(-1);
  for (const path of [`/..%2f${name}-secret`, `/%2e%2e/${name}-secret`, `//${name}-secret`]) {
    assert.notEqual((await server.get(path)).text, "secret");
  }
  await Deno.remove(`${dashboard.path}-secret`);
});

Deno.test("createRouter() reports a dashboard that is not built", async () => {
  await using server = serve("/nowhere");
  const { status, text } = await server.get("/");
  assert.equal(status, 200);
  assert.match(text, /not built/);
});

Deno.test("the router passes a browser's real address, not one that the browser claims", async () => {
  await using dashboard = await buildDashboard();
  await using router = serve(dashboard.path);
  const headers = { origin: "https://shop.example", "cf-connecting-ip": "192.0.2.1" };
  const { text } = await router.get("/functions/v1/address", { headers });
  assert.equal(text, '"127.0.0.1"');
  const { origin: _, ...others } = headers;
  const plain = await router.get("/functions/v1/address", { headers: others });
  assert.equal(plain.text, '"192.0.2.1"');
});

/** The status of a request with this Host header, and what is served of it. */
async function askWithHost(base: string, host: string): Promise<string> {
  const { hostname, port } = new URL(base);
  await using connection = await openConnection(hostname, Number(port));
  const lines = [`GET /functions/v1/echo/a HTTP/1.1`, `Host: ${host}`, "Connection: close", "", ""];
  return await connection.exchange(lines.join("\r\n"));
}

async function openConnection(hostname: string, port: number) {
  const connection = await Deno.connect({ hostname, port });
  return {
    async exchange(text: string): Promise<string> {
      await connection.write(new TextEncoder().encode(text));
      return await new Response(connection.readable).text();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

Deno.test("createRouter() returns 400 for an invalid Host header, and never changes the path", async () => {
  await using server = serve("/nowhere");
  for (const host of ["[", "a/b?", "a#", "a@b", "a b"]) {
    const response = await askWithHost(server.base, host);
    assert.match(response, /^HTTP\/1\.1 400 /, host);
  }
  for (const host of ["localhost", "127.0.0.1:54321", "[::1]:80"]) {
    const response = await askWithHost(server.base, host);
    assert.match(response, /^HTTP\/1\.1 200 /, host);
    assert.match(response, /"path":"\/echo\/a"/, host);
  }
});

Deno.test("/docs refuses frames, stores no key and sends no referrer", async () => {
  await using server = serve("/nowhere");
  for (const path of ["/docs", "/docs/start.js", "/docs/swagger-ui.css"]) {
    const { status, headers, text } = await server.get(path);
    assert.equal(status, 200, path);
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("referrer-policy"), "no-referrer", path);
    if (path.endsWith("start.js")) assert.doesNotMatch(text, /persistAuthorization/);
  }
});
