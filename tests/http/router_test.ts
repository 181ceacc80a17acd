import assert from "node:assert/strict";
import { join } from "node:path";
import { createRouter } from "../../local/router.ts";

const functions = new Map([
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

Deno.test("createRouter() shows a function its own name as the first part of the path", async () => {
  await using server = serve("/nowhere");
  const { text } = await server.get("/functions/v1/echo/a/b?c=d", { method: "POST", body: "hi" });
  assert.deepEqual(JSON.parse(text), { method: "POST", path: "/echo/a/b", body: "hi" });
});

Deno.test("createRouter() answers 404 for a function that does not exist, as functions do", async () => {
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

Deno.test("createRouter() hands only Auth and Data API paths to them, with the peer's address", async () => {
  await using server = serve("/nowhere");
  for (const path of ["/auth/v1/health", "/rest/v1/customers"]) {
    const { text } = await server.get(path);
    assert.deepEqual(JSON.parse(text), { path, peerAddress: "127.0.0.1" });
  }
  assert.equal((await server.get("/_system/info")).status, 404);
});

Deno.test("createRouter() serves the dashboard, and its one page for paths of its own", async () => {
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

Deno.test("createRouter() says that the dashboard is not built where it is not", async () => {
  await using server = serve("/nowhere");
  const { status, text } = await server.get("/");
  assert.equal(status, 200);
  assert.match(text, /not built/);
});
