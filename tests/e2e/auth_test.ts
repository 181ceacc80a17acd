import { createClient } from "@supabase/supabase-js";
import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import type { StackInfo } from "../../local/stack.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { startTestStack } from "../support/stack.ts";

const PASSWORD = "correct horse battery";

function connect(info: StackInfo, key = info.publishable_key) {
  return createClient(info.base_url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

Deno.test("the stack's Auth and Data API serve supabase-js under row-level security", async (t) => {
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const { info } = stack;

  await t.step("a user signs up, in, refreshes and out", async () => {
    const client = connect(info);
    const email = "someone@example.com";
    assert.equal((await client.auth.signUp({ email, password: PASSWORD })).error, null);
    assert.equal((await client.auth.signInWithPassword({ email, password: PASSWORD })).error, null);
    assert.equal((await client.auth.refreshSession()).error, null);
    assert.equal((await client.auth.getUser()).data.user?.email, email);
    assert.equal((await client.auth.signOut()).error, null);
    assert.equal((await client.auth.getSession()).data.session, null);
  });

  await t.step("a wrong password is refused", async () => {
    const { error } = await connect(info).auth.signInWithPassword({
      email: info.user.email,
      password: "wrong",
    });
    assert.equal(error?.status, 400);
  });

  await t.step("tokens are ES256 and verified against the published keys", async () => {
    const client = connect(info);
    const { data } = await client.auth.signInWithPassword(info.user);
    const { alg, kid } = decodeProtectedHeader(data.session?.access_token ?? "");
    const jwks = await (await fetch(`${info.base_url}/auth/v1/.well-known/jwks.json`)).json();
    assert.deepEqual([alg, kid], ["ES256", jwks.keys[0].kid]);
    assert.equal("d" in jwks.keys[0], false);
    const claims = (await client.auth.getClaims()).data?.claims;
    assert.equal(claims?.iss, `${info.base_url}/auth/v1`);
    assert.equal(claims?.aud, "authenticated");
  });

  await t.step("anonymous callers read nothing", async () => {
    const { data, error } = await connect(info).from("workspaces").select("id");
    assert.equal(data, null);
    assert.equal(error?.code, "42501");
  });

  await t.step("a member reads the own workspace, a stranger another one", async () => {
    const owner = connect(info);
    await owner.auth.signInWithPassword(info.user);
    assert.deepEqual((await owner.from("workspaces").select("id")).data, [
      { id: info.workspace_id },
    ]);
    const stranger = connect(info);
    await stranger.auth.signUp({ email: "stranger@example.com", password: PASSWORD });
    const theirs = (await stranger.from("workspaces").select("id")).data ?? [];
    assert.equal(theirs.length, 1);
    assert.notEqual(theirs[0]?.id, info.workspace_id);
  });

  await t.step("the secret key reads past the policies", async () => {
    const { data } = await connect(info, info.secret_key).from("workspaces").select("id");
    // That of the demo, and those that came with the two users of the steps before.
    assert.equal(data?.length, 3);
  });

  await t.step("a tampered token is refused", async () => {
    const client = connect(info);
    const { data } = await client.auth.signInWithPassword(info.user);
    const [head, payload] = data.session?.access_token.split(".") ?? [];
    const response = await fetch(`${info.base_url}/rest/v1/workspaces`, {
      headers: {
        apikey: info.publishable_key,
        authorization: `Bearer ${head}.${payload}.${"A".repeat(86)}`,
      },
    });
    await response.body?.cancel();
    assert.equal(response.status, 401);
  });

  await t.step("schemas other than public are not reachable", async () => {
    const { error } = await connect(info, info.secret_key).schema("private").from("api_keys")
      .select();
    assert.notEqual(error, null);
  });
});
