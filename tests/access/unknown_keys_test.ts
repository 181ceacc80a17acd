import assert from "node:assert/strict";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";
import {
  createTrackWorld,
  type TrackInstance,
  type TrackWorld,
} from "../../testing/service/app.ts";
import { createApiKey } from "../../testing/data/factories.ts";

const event = { external_id: "user-1", name: "viewed" };

async function makeUpKeys(count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, generateApiKey));
  return made.map(({ key }) => key);
}

async function sendWith(instance: TrackInstance, key: string): Promise<number> {
  const response = await instance.send(event, { headers: { authorization: `Bearer ${key}` } });
  return response.status;
}

/** Lookups that ended connections have made; each connection reports its own when it ends. */
async function countLookups({ db }: TrackWorld): Promise<number> {
  for (;;) {
    const [row] = await db.sql`
      select
        (select count(*) from pg_stat_activity where application_name = 'test-track')::integer as open,
        (
          select calls from pg_stat_user_functions where funcname = 'authenticate_keys'
        )::integer as calls
    `;
    if (row!.open === 0 && row!.calls !== null) return row!.calls;
  }
}

Deno.test("1,000 concurrent unknown keys cost a few lookups, and valid keys among them are accepted", async () => {
  await using world = await createTrackWorld();
  const { db, workspaceId } = world;
  const [row] = await db.sql`select current_database() as name`;
  await db.sql.unsafe(`alter database "${row!.name}" set track_functions = 'pl'`);
  const instance = world.startInstance();
  const keys = await makeUpKeys(1000);
  const valid = [400, 1000].map(() => createApiKey(db.sql, { workspaceId }));
  keys.splice(400, 0, await valid[0]!);
  keys.push(await valid[1]!);
  const statuses = await Promise.all(keys.map((key) => sendWith(instance, key)));
  assert.deepEqual(
    statuses.flatMap((status, i) => status === 200 ? [i] : []),
    [400, 1001],
  );
  assert.equal(statuses.filter((status) => status === 401).length, 1000);
  await instance[Symbol.asyncDispose]();
  const lookups = await countLookups(world);
  assert(lookups <= 10, `${lookups} lookups`);
});

Deno.test("a key revoked during a flood of unknown keys is refused within 10 s", async () => {
  let at = Date.now();
  await using world = await createTrackWorld({ now: () => new Date(at) });
  assert.equal(await sendWith(world, world.key), 200);
  await world.db.sql`update private.api_keys set revoked_at = now()`;
  at += 10_000;
  const keys = [...await makeUpKeys(300), world.key];
  const statuses = await Promise.all(keys.map((key) => sendWith(world, key)));
  assert.deepEqual(new Set(statuses), new Set([401]));
});
