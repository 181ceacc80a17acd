import assert from "node:assert/strict";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";
import { createTrackWorld, type SendOptions } from "./app.ts";
import { createApiKey, createWorkspace } from "../data/factories.ts";

/** A route behind a scoped key. */
export interface GuardedRoute extends SendOptions {
  title: string;
  /** A body the route responds with 200. */
  body: unknown;
  /** The scope it needs. */
  scope: string;
}

/** Tests the promises of every route that takes a key. */
export function runAuthSuite(route: GuardedRoute): void {
  const { title, body, scope, ...options } = route;

  Deno.test(`${title} responds with 401 to a missing, malformed, unknown or expired key`, async () => {
    await using world = await createTrackWorld();
    const { workspaceId, db } = world;
    const expired = await createApiKey(db.sql, {
      workspaceId,
      expiresAt: new Date(Date.now() - 1),
    });
    const { key: unknown } = await generateApiKey();
    const headers = [
      undefined,
      "",
      world.key,
      `Basic ${btoa(`${world.key}:`)}`,
      "Bearer",
      "Bearer x",
      `Bearer ${world.key}x`,
      `Bearer ${unknown}`,
      `Bearer ${expired}`,
    ];
    for (const authorization of headers) {
      const response = await world.send(body, { ...options, headers: { authorization } });
      assert.equal(response.status, 401, authorization ?? "no credential");
      assert.equal(response.body.code, "unauthorized");
      assert.equal(response.headers.get("www-authenticate"), "Bearer");
      assert.equal(response.headers.get("ratelimit-limit"), null);
    }
  });

  Deno.test(`${title} responds with 403 to a key without the scope "${scope}"`, async () => {
    await using world = await createTrackWorld({ scopes: ["events:read", "sources:write"] });
    const response = await world.send(body, options);
    assert.equal(response.status, 403);
    assert.equal(response.body.code, "insufficient_scope");
    assert.match(response.body.error, new RegExp(`"${scope}"`));
    assert.notEqual(response.headers.get("ratelimit-limit"), null);
  });

  Deno.test(`${title} refuses a revoked key within 10 s`, async () => {
    let at = Date.now();
    await using world = await createTrackWorld({ now: () => new Date(at) });
    assert.equal((await world.send(body, options)).status, 200);
    await world.db.sql`update private.api_keys set revoked_at = now()`;
    at += 10_000;
    assert.equal((await world.send(body, options)).status, 401);
  });

  Deno.test(`${title} acts for the workspace of the key and for no other`, async () => {
    await using world = await createTrackWorld();
    const other = await createWorkspace(world.db.sql);
    assert.equal((await world.send(body, options)).status, 200);
    const rows = await world.db.sql<{ count: number }[]>`
      select count(*)::integer as count from public.customers where workspace_id = ${other}
    `;
    assert.equal(rows[0]?.count, 0);
  });
}
