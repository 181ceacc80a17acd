import { createClient } from "@supabase/supabase-js";
import assert from "node:assert/strict";
import { listRelations, listRoutines } from "../../testing/postgres/catalog.ts";
import { createEmptyDatabase } from "../../testing/postgres/database.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const schemas = ["public", "private", "ops"];

Deno.test("the Data API cannot read, change or run any part of the service", async (t) => {
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const { info } = stack;
  const auth = createClient(info.base_url, info.publishable_key, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth;
  const { data: { session } } = await auth.signInWithPassword(info.user);
  const callers = {
    "nobody signed in": { apikey: info.publishable_key },
    "the owner of the workspace": {
      apikey: info.publishable_key,
      authorization: `Bearer ${session!.access_token}`,
    },
    "the secret key": { apikey: info.secret_key },
  };
  const relations = await listRelations(db.sql);
  const routines = await listRoutines(db.sql);
  assert(relations.length > 50 && routines.length > 100);
  // Shows that the requests below would succeed if only a grant were missing.
  await db.sql.unsafe(`
    create table public.probe (id integer);
    insert into public.probe values (1);
    grant select on public.probe to anon, authenticated, service_role;
  `);

  for (const [caller, credentials] of Object.entries(callers)) {
    const call = async (method: string, path: string, { schema = "public", body = {} } = {}) => {
      const response = await fetch(`${info.base_url}/rest/v1/${path}`, {
        method,
        headers: {
          ...credentials,
          "content-type": "application/json",
          "accept-profile": schema,
          "content-profile": schema,
          prefer: "return=representation",
        },
        ...(method === "POST" || method === "PATCH" ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, text: await response.text() };
    };
    const assertRefused = async (
      method: string,
      path: string,
      options: { schema: string; body?: object },
    ) => {
      const { status, text } = await call(method, path, options);
      const isRefused = [401, 403, 404, 406].includes(status);
      assert(isRefused, `${method} ${options.schema} ${path}: ${status} ${text}`);
    };

    await t.step(`as ${caller}`, async () => {
      const probe = await call("GET", "probe?select=id");
      assert.deepEqual([probe.status, JSON.parse(probe.text)], [200, [{ id: 1 }]]);
      for (const { schema, name, column } of relations) {
        const body = { [column]: null };
        const rows = `${name}?${column}=not.is.null`;
        await assertRefused("GET", name, { schema });
        await assertRefused("POST", name, { schema, body });
        await assertRefused("PATCH", rows, { schema, body });
        await assertRefused("DELETE", rows, { schema });
      }
      for (const { schema, name } of routines) {
        for (const asked of new Set([schema, ...schemas])) {
          await assertRefused("POST", `rpc/${name}`, { schema: asked });
        }
      }
      await assertRefused("POST", "rpc/pg_sleep", { schema: "public" });
      const { text: document } = await call("GET", "");
      for (const { name } of relations) assert(!document.includes(`/${name}"`), name);
    });
  }
});
