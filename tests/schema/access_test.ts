import assert from "node:assert/strict";
import { type Actor, tryAs } from "../../testing/access/acting.ts";
import { admins, createActors, members, none, type Right } from "../../testing/access/actors.ts";
import { createApiEntities, type Entities } from "../../testing/access/api_entities.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { harmless, lookups } from "../../testing/access/lookups.ts";
import { verbs, writes } from "../../testing/access/writes.ts";

/** Right that reads a row of each table. Nobody may read a table that is not here. */
const readers: Readonly<Record<string, Right>> = {
  "public.workspaces": { role: "viewer", scopes: "any" },
  "public.workspace_members": members(),
  "public.invitations": members(),
  "private.api_keys": admins(),
  "public.audit_log": admins(),
  "public.customers": members("customers:read", "customers:write"),
  "public.identities": members(
    "customers:read",
    "customers:write",
    "events:read",
    "deliveries:read",
  ),
  "public.customer_merges": members("customers:read", "customers:write"),
  "public.device_tokens": members("customers:read", "customers:write"),
  "public.events": members("events:read", "customers:read", "deliveries:read"),
  "public.usage_stats": members("events:read", "events:write", "destinations:read"),
  "public.rejected_entry_stats": members("events:read", "events:write", "destinations:read"),
  "public.throttle_stats": members("events:read", "events:write", "destinations:read"),
  "private.usage_deltas": members("events:read", "events:write", "destinations:read"),
  "public.event_names": members("events:read", "events:write", "destinations:read"),
  "public.event_name_stats": members("events:read", "events:write", "destinations:read"),
  "public.event_definitions": members("events:read", "events:write"),
  "public.event_samples": members("events:read", "events:write"),
  "public.event_properties": members("events:read", "events:write"),
  "public.destinations": members("destinations:read", "destinations:write"),
  "private.destination_headers": admins("destinations:write"),
  "private.destination_secrets": admins("destinations:write"),
  "public.missed_messages": members("destinations:read", "destinations:write"),
  "public.canceled_messages": members("deliveries:read", "deliveries:write"),
  "public.webhook_messages": members("deliveries:read", "deliveries:write"),
  "public.deliveries": members("deliveries:read", "deliveries:write"),
  "public.delivery_stats": members(
    "destinations:read",
    "destinations:write",
    "deliveries:read",
    "events:read",
  ),
  "public.delivery_durations": members(
    "destinations:read",
    "destinations:write",
    "deliveries:read",
  ),
  "public.jobs": members(
    "destinations:read",
    "destinations:write",
    "deliveries:read",
    "deliveries:write",
    "journeys:read",
    "journeys:write",
  ),
  "public.templates": members("templates:read", "templates:write"),
  "public.template_versions": members("templates:read", "templates:write"),
  "public.topics": members(
    "topics:read",
    "topics:write",
    "customers:read",
    "customers:write",
    "sends:write",
  ),
  "private.topic_counts": members("topics:read", "topics:write"),
  "public.suppressions": members("suppressions:read", "suppressions:write"),
  "public.views": members("views:read", "views:write"),
  "public.senders": members("senders:read", "senders:write"),
  "private.sender_secrets": admins("senders:write"),
  "public.sender_stats": members("senders:read", "senders:write"),
  "public.send_settings": members("senders:read", "senders:write", "sends:read", "sends:write"),
  "public.sends": members("sends:read", "sends:write", "customers:read"),
  "public.inbound_sources": members("sources:read", "sources:write"),
  "private.inbound_secrets": admins("sources:write"),
  "public.inbound_receipts": members("sources:read", "sources:write"),
  "public.rejected_entries": members("events:read", "track:write"),
  "public.alert_rules": members("alerts:read", "alerts:write"),
  "public.alerts": members("alerts:read", "alerts:write"),
  "public.campaigns": members("campaigns:read", "campaigns:write"),
  "private.campaign_counts": members("campaigns:read", "campaigns:write"),
  "public.journeys": members("journeys:read", "journeys:write"),
  "public.journey_versions": members("journeys:read", "journeys:write"),
  "public.journey_runs": members("journeys:read", "journeys:write", "customers:read"),
  "public.run_steps": members("journeys:read", "journeys:write"),
  "public.journey_stats": members("journeys:read", "journeys:write"),
  "public.rehearsals": members("journeys:read", "journeys:write"),
  "public.segments": members("segments:read", "segments:write"),
  "public.segment_members": members("segments:read", "segments:write"),
  "public.segment_stats": members("segments:read", "segments:write"),
  "public.segment_changes": members("segments:read", "segments:write"),
};

/** Rows of tables that `createApiEntities()` leaves empty. */
async function fillTheRest({ sql }: ApiWorld, entities: Entities): Promise<void> {
  const { workspaceId, destinationId, sourceId, messageId, segmentId, customerId } = entities;
  await sql`insert into public.send_settings (workspace_id) values (${workspaceId})`;
  await sql`
    insert into private.sender_secrets (workspace_id, sender_id, ciphertext)
    values (${workspaceId}, ${entities.senderId}, 'v1.a.b')`;
  await sql`
    insert into public.rehearsals (workspace_id, journey_id, definition, since, until)
    values (${workspaceId}, ${entities.journeyId}, '{}', now(), now())`;
  await sql`
    insert into public.segment_stats (workspace_id, segment_id, hour, members)
    values (${workspaceId}, ${segmentId}, date_trunc('hour', now()), 1)`;
  await sql`
    insert into public.segment_changes
    values (${workspaceId}, now(), gen_random_uuid(), ${segmentId}, ${customerId}, 'entered', 'event')`;
  await sql`
    insert into private.destination_headers (workspace_id, destination_id, name, ciphertext)
    values (${workspaceId}, ${destinationId}, 'X-Key', 'v1.a.b')`;
  await sql`
    insert into private.destination_secrets (workspace_id, destination_id, ciphertext)
    values (${workspaceId}, ${destinationId}, 'v1.a.b')`;
  await sql`
    insert into private.inbound_secrets (workspace_id, source_id, ciphertext)
    values (${workspaceId}, ${sourceId}, 'v1.a.b')`;
  await sql`
    insert into public.sender_stats (workspace_id, sender_id, hour)
    values (${workspaceId}, gen_random_uuid(), date_trunc('hour', now()))`;
  await sql`
    insert into public.missed_messages
    values (${workspaceId}, ${destinationId}, ${messageId}, now())`;
  await sql`
    insert into public.canceled_messages
    values (${workspaceId}, ${destinationId}, ${messageId}, now(), now())`;
  await sql`
    insert into public.delivery_stats
    values (${workspaceId}, ${destinationId}, date_trunc('hour', now()), 1, 1)`;
  await sql`
    insert into public.delivery_durations
    values (${workspaceId}, ${destinationId}, date_trunc('hour', now()), 0, 1, 3, 3)`;
  await sql`
    insert into public.rejected_entry_stats (workspace_id, day, kept)
    values (${workspaceId}, date_trunc('day', now()), 1)`;
  await sql`
    insert into public.throttle_stats
    values (
      ${workspaceId}, date_trunc('hour', now()), 'api', 'rate', 'api_key', gen_random_uuid(), 1
    )`;
  await sql`
    insert into private.usage_deltas (workspace_id, at, events) values (${workspaceId}, now(), 1)`;
  await sql`
    insert into public.event_properties
    select n.workspace_id, n.name, 'total', 0, 1, 0, 0, 0, now(), now() from public.event_names as n
    where n.workspace_id = ${workspaceId}`;
  await sql`
    insert into public.audit_log (workspace_id, actor_kind, actor_id, action)
    values (${workspaceId}, 'user', gen_random_uuid(), 'test')`;
}

Deno.test("tables show rows only to permitted readers", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  await fillTheRest(world, entities);
  const actors = await createActors(world, entities);
  const tables = await world.sql<{ name: string; key: string }[]>`
    select
      format('%s.%s', n.nspname, c.relname) as name,
      case when c.relname = 'workspaces' then 'id' else 'workspace_id' end as key
    from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private') and c.relkind in ('r', 'p')
      and exists (
        select from pg_attribute as a
        where a.attrelid = c.oid
          and a.attname = case when c.relname = 'workspaces' then 'id' else 'workspace_id' end
      )
    order by 1`;
  assert(tables.some(({ name }) => name.startsWith("private.events_")), "partitions are tried too");
  for (const { name, key } of tables) {
    await t.step(name, async () => {
      const right = readers[name] ?? none;
      const statement = `select ${key} from ${name} where ${key} = '${entities.workspaceId}'`;
      const [row] = await world.sql.unsafe(statement);
      if (right !== none) assert(row, "the test has no row to try");
      for (const actor of actors) {
        const outcome = await tryAs(world.sql, actor, statement);
        const sees = "rows" in outcome && outcome.rows > 0;
        assert.equal(sees, actor.mayDo(right), `${actor.name}: ${JSON.stringify(outcome)}`);
        if (right === none) assert.deepEqual(outcome, { code: "42501" }, actor.name);
      }
    });
  }
});

Deno.test("only permitted writers can write", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  // An owner besides the actors, so that removing one leaves another.
  const owner = await world.createUser();
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${entities.workspaceId}, ${owner}, 'owner')`;
  const actors = await createActors(world, entities);
  for (const { title, statement, right } of [...writes, ...verbs]) {
    await t.step(title, async () => {
      for (const actor of actors) {
        const outcome = await tryAs(world.sql, actor, statement(entities));
        const done = "rows" in outcome && outcome.rows > 0;
        assert.equal(done, actor.mayDo(right), `${actor.name}: ${JSON.stringify(outcome)}`);
      }
    });
  }
});

Deno.test("functions show a workspace only to its permitted readers", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const actors = await createActors(world, entities);
  for (const { title, statement, right } of lookups) {
    await t.step(title, async () => {
      for (const actor of actors) {
        const outcome = await tryAs(world.sql, actor, statement(entities));
        const sees = "rows" in outcome && outcome.rows > 0;
        assert.equal(sees, actor.mayDo(right), `${actor.name}: ${JSON.stringify(outcome)}`);
      }
    });
  }
});

Deno.test("a null workspace belongs to no caller", async (t) => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const actors = await createActors(world, entities);
  for (const { title, statement } of [...verbs, ...lookups]) {
    const ofNull = statement(entities).replaceAll(`'${entities.workspaceId}'`, "null");
    if (ofNull === statement(entities)) continue;
    await t.step(title, async () => {
      for (const actor of actors) {
        const outcome = await tryAs(world.sql, actor, ofNull);
        const isRefused = "rows" in outcome
          ? outcome.rows === 0
          : ["42501", "SP403", "SP404"].includes(outcome.code);
        assert(isRefused, `${actor.name}: ${JSON.stringify(outcome)}`);
      }
    });
  }
  const userId = await world.createUser();
  const responses = await world.sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: userId })}, true)`;
    return await tx`select private.is_readable(null, '{customers:read}') as response`;
  });
  assert.deepEqual([...responses], [{ response: false }]);
});

Deno.test("every function that a caller may execute is tested here or harmless", async () => {
  await using world = await createApiWorld();
  const rows = await world.sql<{ name: string }[]>`
    select distinct format('%s.%s', n.nspname, p.proname) as name
    from pg_proc as p
    join pg_namespace as n on n.oid = p.pronamespace
    cross join unnest(array['signalpost_user', 'signalpost_key']) as r (role)
    where n.nspname in ('public', 'private', 'ops') and has_function_privilege(r.role, p.oid, 'execute')
    order by 1`;
  const tried = [...verbs, ...lookups].flatMap(({ statement }) =>
    /private\.\w+/.exec(statement({} as Entities)) ?? []
  );
  const known = [...new Set([...tried, ...harmless])].toSorted();
  assert.deepEqual(rows.map(({ name }) => name), known);
});

Deno.test("a session that names no workspace reads, and writes nothing", async () => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const [owner] = await createActors(world, entities);
  const session: Actor = { ...owner!, actingWorkspaceId: undefined };
  const { customerId } = entities;
  const read = `select from public.customers where id = '${customerId}'`;
  assert.deepEqual(await tryAs(world.sql, session, read), { rows: 1 });
  for (const { title, statement } of [...writes, ...verbs]) {
    const outcome = await tryAs(world.sql, session, statement(entities));
    const isRefused = "code" in outcome
      ? ["42501", "SP403", "SP404"].includes(outcome.code)
      : outcome.rows === 0;
    assert(isRefused, `${title}: ${JSON.stringify(outcome)}`);
  }
});

/** Columns that hold what must not be read back even by those who wrote it. */
const unreadable = [
  ["private.api_keys", "hash"],
  ["private.destination_headers", "ciphertext"],
  ["private.destination_secrets", "ciphertext"],
  ["private.inbound_secrets", "ciphertext"],
  ["private.sender_secrets", "ciphertext"],
] as const;

Deno.test("hashes and secrets can be written but not read", async () => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const actors = await createActors(world, entities);
  for (const [table, column] of unreadable) {
    for (const actor of actors) {
      const outcome = await tryAs(world.sql, actor, `select ${column} from ${table}`);
      assert.deepEqual(outcome, { code: "42501" }, `${actor.name}: ${table}.${column}`);
    }
  }
});

Deno.test("a key that was revoked stays revoked, also for an admin's own SQL", async () => {
  await using world = await createApiWorld();
  const entities = await createApiEntities(world);
  const { apiKeyId } = entities;
  const [owner] = await createActors(world, entities);
  const set = (value: string) =>
    tryAs(
      world.sql,
      owner!,
      `update private.api_keys set revoked_at = ${value} where id = '${apiKeyId}'`,
    );
  assert.deepEqual(await set("now()"), { rows: 1 });
  assert.deepEqual(await set("null"), { code: "42501" });
});

Deno.test("no caller inserts, updates or deletes more than this list allows", async () => {
  await using world = await createApiWorld();
  const rows = await world.sql<{ grant: string }[]>`
    select format('%s %s.%s', p.command, n.nspname, c.relname) as grant
    from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    cross join unnest(array['insert', 'update', 'delete']) as p (command)
    cross join unnest(array['signalpost_user', 'signalpost_key', 'signalpost_ingest',
      'signalpost_dispatch']) as r (role)
    where n.nspname in ('public', 'private', 'ops') and c.relkind in ('r', 'p', 'v')
      and case p.command
        when 'delete' then has_table_privilege(r.role, c.oid, p.command)
        else has_any_column_privilege(r.role, c.oid, p.command)
      end
    group by 1
    order by 1`;
  const tried = writes.map(({ statement }) => {
    const [, command, table] = /^(insert|update|delete)(?: into| from)? (\S+)/
      .exec(statement({} as Entities))!;
    return `${command} ${table}`;
  });
  // The rest of what a rotation or an edit touches.
  const others = [
    "delete private.destination_headers",
    "delete private.sender_secrets",
    "update private.destination_secrets",
    "update private.inbound_secrets",
    "update private.sender_secrets",
    "update public.inbound_sources",
    "update public.send_settings",
  ];
  const expected = [...new Set([...tried, ...others])].toSorted();
  assert.deepEqual(rows.map(({ grant }) => grant), expected);
});
