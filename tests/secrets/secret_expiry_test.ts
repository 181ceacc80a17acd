import assert from "node:assert/strict";
import { type Actor, tryAs } from "../../testing/access/acting.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const owners = [
  {
    table: "private.destination_secrets",
    scope: "destinations:write",
    create: (workspaceId: string) => `
      with owner as (
        insert into public.destinations (workspace_id, name, url, event_types)
        values ('${workspaceId}', 'x', 'https://x.test/', '{*}') returning id
      )
      insert into private.destination_secrets (workspace_id, destination_id, ciphertext, expires_at)`,
  },
  {
    table: "private.inbound_secrets",
    scope: "sources:write",
    create: (workspaceId: string) => `
      with owner as (
        insert into public.inbound_sources (workspace_id, name, scheme)
        values ('${workspaceId}', 'x', 'github') returning id
      )
      insert into private.inbound_secrets (workspace_id, source_id, ciphertext, expires_at)`,
  },
] as const;

/** Makes a secret of each kind that was replaced and stays valid for another hour. */
async function createSecretsWorld() {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await createApiWorld());
  const { sql, workspaceId } = world;
  for (const { create } of owners) {
    await sql.unsafe(`${create(workspaceId)}
      select '${workspaceId}', o.id, 'v1.a.b', now() + interval '1 hour' from owner as o`);
  }
  const userId = await world.createUser();
  await sql`insert into public.workspace_members (workspace_id, user_id, role)
    values (${workspaceId}, ${userId}, 'owner')`;
  const owner: Actor = { role: "signalpost_user", userId, actingWorkspaceId: workspaceId };
  const keyWith = (scope: string): Actor => ({
    role: "signalpost_key",
    workspaceId,
    scopes: [scope],
  });
  const kept = stack.move();
  return { sql, owner, keyWith, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const attacks = ["null", "'infinity'", "expires_at + interval '1 second'"];

for (const { table, scope } of owners) {
  Deno.test(`nobody keeps a replaced secret of ${table} longer`, async () => {
    await using world = await createSecretsWorld();
    for (const actor of [world.owner, world.keyWith(scope)]) {
      for (const expiry of attacks) {
        const outcome = await tryAs(
          world.sql,
          actor,
          `update ${table} set expires_at = ${expiry}`,
        );
        assert.deepEqual(outcome, { code: "SP409" }, `${actor.role}: ${expiry}`);
      }
    }
  });

  Deno.test(`callers end a secret of ${table} earlier, and let the current one expire`, async () => {
    await using world = await createSecretsWorld();
    const earlier = `update ${table} set expires_at = now()`;
    for (const actor of [world.owner, world.keyWith(scope)]) {
      assert.deepEqual(await tryAs(world.sql, actor, earlier), { rows: 1 });
    }
    await world.sql.unsafe(`alter table ${table} disable trigger user`);
    await world.sql.unsafe(`update ${table} set expires_at = null`);
    await world.sql.unsafe(`alter table ${table} enable trigger user`);
    for (const actor of [world.owner, world.keyWith(scope)]) {
      assert.deepEqual(await tryAs(world.sql, actor, earlier), { rows: 1 });
    }
  });
}
