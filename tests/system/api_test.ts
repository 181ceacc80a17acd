import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import assert from "node:assert/strict";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import type { StackInfo } from "../../local/stack.ts";
import { ApiCallError, createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const password = "correct horse battery";

async function signUp(info: StackInfo, email: string): Promise<SupabaseClient> {
  const client = createClient(info.base_url, info.publishable_key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  assert.equal((await client.auth.signUp({ email, password: password })).error, null);
  assert.equal((await client.auth.signInWithPassword({ email, password: password })).error, null);
  return client;
}

async function track({ base_url, api_key }: StackInfo, body: object): Promise<void> {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Reads a compressed response. `fetch` would decompress it, and take the header away. */
async function readCompressed(url: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip" } }, resolve).on("error", reject);
  });
  return { headers: response.headers, body: await text(response.pipe(createGunzip())) };
}

Deno.test("the api serves supabase-js and the typed client on the running stack", async (t) => {
  await using db = await createTestDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const { info } = stack;
  const demo = createClient(info.base_url, info.publishable_key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  await demo.auth.signInWithPassword(info.user);
  const workspaceId = info.workspace_id;

  await t.step(
    "functions.invoke() reaches a new user's first workspace",
    async () => {
      const client = await signUp(info, "grace@example.com");
      const { data, error } = await client.functions.invoke("api/workspaces", { method: "GET" });
      assert.equal(error, null);
      assert.deepEqual(
        data.data.map(({ name, role }: { name: string; role: string }) => [name, role]),
        [["grace's workspace", "owner"]],
      );
      await client.auth.refreshSession();
      const again = await client.functions.invoke("api/members", { method: "GET" });
      assert.equal(again.data.data[0].email, "grace@example.com");
      await client.auth.signOut();
      const { error: refused } = await client.functions.invoke("api/members", { method: "GET" });
      assert.equal(refused?.context.status, 401);
    },
  );

  await t.step("a user who signs up with an invited address joins by accepting", async () => {
    const { data } = await demo.functions.invoke("api/members", {
      method: "POST",
      headers: { "x-workspace-id": workspaceId },
      body: { email: "viewer@example.com", role: "viewer" },
    });
    assert.equal(data.state, "invited");
    const viewer = await signUp(info, "viewer@example.com");
    const { data: session } = await viewer.auth.getSession();
    const client = createApiClient({
      functionsUrl: `${info.base_url}/functions/v1`,
      headers: () => ({ authorization: `Bearer ${session.session!.access_token}` }),
    });
    const { data: [invitation] } = await client.call("GET /invitations", { query: { limit: 10 } });
    const { id, workspace, invited_by } = invitation!;
    assert.deepEqual([workspace, invited_by], [{ id: workspaceId, name: "Demo" }, info.user.email]);
    const joined = await client.call("POST /invitations/{id}/accept", { params: { id } });
    assert.deepEqual([joined.id, joined.role], [workspaceId, "viewer"]);
    const { error } = await viewer.functions.invoke("api/api-keys", {
      method: "GET",
      headers: { "x-workspace-id": workspaceId },
    });
    assert.equal(error?.context.status, 403);
  });

  await t.step("the typed client calls with a key", async () => {
    await track(info, { type: "identify", external_id: "u1", email: "ada@example.com" });
    const client = createApiClient({
      functionsUrl: `${info.base_url}/functions/v1`,
      headers: () => ({ authorization: `Bearer ${info.api_key}` }),
    });
    const page = await client.call("GET /customers", { query: { external_id: "u1", limit: 10 } });
    const customer = page.data[0]!;
    assert.equal(customer.email, "ada@example.com");
    const { id } = customer;
    const edited = await client.call("PATCH /customers/{id}", {
      params: { id },
      body: { first_name: "Ada" },
    });
    assert.equal(edited.first_name, "Ada");
    assert.equal(await client.call("DELETE /customers/{id}", { params: { id } }), undefined);
    await assert.rejects(
      client.call("GET /customers/{id}", { params: { id } }),
      (error) => error instanceof ApiCallError && error.status === 404,
    );
  });

  await t.step("a template of MJML is compiled by compile-mjml", async () => {
    const client = createApiClient({
      functionsUrl: `${info.base_url}/functions/v1`,
      headers: async () => {
        const { data } = await demo.auth.getSession();
        const authorization = `Bearer ${data.session!.access_token}`;
        return { authorization, "x-workspace-id": workspaceId };
      },
    });
    const mjml = "<mjml><mj-body><mj-raw><p>Hello</p></mj-raw></mj-body></mjml>";
    const body = { name: "News", subject: "News", mjml };
    const { html } = await client.call("POST /templates", { body });
    assert.match(html ?? "", /^<!doctype html>[\s\S]*<p>Hello<\/p>/);
  });

  await t.step("large JSON arrives compressed", async () => {
    const url = `${info.base_url}/functions/v1/api/openapi.json`;
    const { headers, body } = await readCompressed(url);
    assert.equal(headers["content-encoding"], "gzip");
    assert.match(headers.vary ?? "", /accept-encoding/i);
    assert.deepEqual(JSON.parse(body), await (await fetch(url)).json());
  });

  await t.step("/docs shows the OpenAPI document without external requests", async () => {
    const page = await fetch(`${info.base_url}/docs`);
    const html = await page.text();
    assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'self'/);
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source!);
    for (const source of sources.filter((source) => !source.startsWith("data:"))) {
      assert(source.startsWith("/"), source);
      const asset = await fetch(info.base_url + source);
      assert.equal(asset.status, 200, source);
      await asset.body?.cancel();
    }
    const document = await (await fetch(`${info.base_url}/functions/v1/api/openapi.json`)).json();
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.servers[0].url, `${info.base_url}/functions/v1`);
  });
});
