import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import type { StackInfo } from "../../local/stack.ts";
import { createEmptyDatabase } from "../../testing/postgres/database.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const password = "correct horse battery";

function connect(info: StackInfo, key = info.publishable_key) {
  return createClient(info.base_url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

Deno.test("the stack's Auth and Data API serve supabase-js", async (t) => {
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const { info } = stack;

  await t.step("a user signs up, in, refreshes and out", async () => {
    const client = connect(info);
    const email = "someone@example.com";
    assert.equal((await client.auth.signUp({ email, password: password })).error, null);
    assert.equal((await client.auth.signInWithPassword({ email, password: password })).error, null);
    assert.equal((await client.auth.refreshSession()).error, null);
    assert.equal((await client.auth.getUser()).data.user?.email, email);
    assert.equal((await client.auth.signOut()).error, null);
    assert.equal((await client.auth.getSession()).data.session, null);
  });

  await t.step("the api refuses a token after its session was signed out", async () => {
    const client = connect(info);
    const email = "leaves@example.com";
    await client.auth.signUp({ email, password: password });
    const { data } = await client.auth.signInWithPassword({ email, password: password });
    const call = async () => {
      const response = await fetch(`${info.base_url}/functions/v1/api/workspaces`, {
        headers: { authorization: `Bearer ${data.session?.access_token}` },
      });
      const { error } = await response.json();
      return [response.status, error];
    };
    assert.deepEqual(await call(), [200, undefined]);
    await client.auth.signOut();
    assert.deepEqual(await call(), [401, "Session has ended: sign in again"]);
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

  await db.sql.unsafe(`
    create table public.notes (author uuid, text text);
    insert into public.notes select id, 'mine' from auth.users;
    insert into public.notes values (gen_random_uuid(), 'of somebody else');
    alter table public.notes enable row level security;
    create policy "Authors can read" on public.notes
      for select to authenticated using (author = (select auth.uid()));
    grant select on public.notes to authenticated, service_role;
  `);

  await t.step("the Data API serves a table of the project's own under its policies", async () => {
    const read = async (client: SupabaseClient) => {
      const { data, error } = await client.from("notes").select("text");
      return error?.code ?? data?.length;
    };
    const owner = connect(info);
    await owner.auth.signInWithPassword(info.user);
    assert.equal(await read(owner), 1);
    assert.equal(await read(connect(info)), "42501");
    const all = await db.sql`select from public.notes`;
    assert.equal(await read(connect(info, info.secret_key)), all.count);
  });

  await t.step("a tampered token is refused", async () => {
    const client = connect(info);
    const { data } = await client.auth.signInWithPassword(info.user);
    const [head, payload] = data.session?.access_token.split(".") ?? [];
    const response = await fetch(`${info.base_url}/rest/v1/notes`, {
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
