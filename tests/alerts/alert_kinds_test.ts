import assert from "node:assert/strict";
import type postgres from "postgres";
import { alertKinds } from "../../supabase/functions/api/contract/alerts.ts";
import { addRule, checkAlerts, readAlerts } from "../../testing/data/alerts.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

interface Things {
  workspaceId: string;
  destinationId: string;
  sourceId: string;
  senderId: string;
  journeyId: string;
}

interface Case {
  threshold: number;
  /** Makes the rule true, at the threshold exactly. */
  begin: (sql: postgres.Sql, things: Things) => Promise<unknown>;
  end: (sql: postgres.Sql, things: Things) => Promise<unknown>;
  opened: string;
  resolved: string;
}

const failingSince = "now() - interval '12 minutes'";

const cases: Record<keyof typeof alertKinds, Case> = {
  destination_failing: {
    threshold: 12,
    begin: (sql, { destinationId }) =>
      sql`update private.lanes set failures = 2, failing_since = ${sql.unsafe(failingSince)}
          where destination_id = ${destinationId}`,
    end: (sql, { destinationId }) =>
      sql`update private.lanes set failures = 0, failing_since = null
          where destination_id = ${destinationId}`,
    opened: 'Destination "Warehouse" has been failing for 12 minutes',
    resolved: 'Destination "Warehouse" has recovered',
  },
  destination_disabled: {
    threshold: 0,
    begin: (sql, { destinationId }) =>
      sql`update public.destinations set enabled = false where id = ${destinationId}`,
    end: (sql, { destinationId }) =>
      sql`update public.destinations set enabled = true where id = ${destinationId}`,
    opened: 'Destination "Warehouse" was disabled',
    resolved: 'Destination "Warehouse" is enabled again',
  },
  backlog: {
    threshold: 3,
    begin: (sql, { workspaceId, destinationId }) =>
      sql`insert into private.webhook_queue (
            workspace_id, destination_id, message_id, message_created_at, due_at
          )
          select ${workspaceId}, ${destinationId}, gen_random_uuid(), now(), now()
          from generate_series(1, 3)`,
    end: (sql) => sql`delete from private.webhook_queue`,
    opened: '3 messages are waiting for destination "Warehouse"',
    resolved: 'Fewer than 3 messages are waiting for destination "Warehouse"',
  },
  missed_messages: {
    threshold: 2,
    begin: (sql, { workspaceId, destinationId }) =>
      sql`insert into public.missed_messages
          select ${workspaceId}, ${destinationId}, gen_random_uuid(), now()
          from generate_series(1, 2)`,
    end: (sql) => sql`delete from public.missed_messages`,
    opened: 'Destination "Warehouse" missed 2 messages',
    resolved: 'Destination "Warehouse" has fewer than 2 missed messages',
  },
  source_refusing: {
    threshold: 2,
    begin: (sql, { workspaceId, sourceId }) =>
      sql`insert into public.inbound_receipts (
            workspace_id, source_id, id, received_at, is_verified, outcome, status_code, body_bytes,
            request_id
          )
          select
            ${workspaceId}, ${sourceId}, gen_random_uuid(), now(), false, o, 401, 0,
            gen_random_uuid()
          from unnest(array['refused', 'rejected', 'accepted']) as o`,
    end: (sql) => sql`delete from public.inbound_receipts`,
    opened: 'Source "Shop" refused 2 requests within 60 minutes',
    resolved: 'Source "Shop" refused fewer than 2 requests within 60 minutes',
  },
  sender_failing: {
    threshold: 12,
    begin: (sql, { senderId }) =>
      sql`update private.send_lanes set failures = 2, failing_since = ${
        sql.unsafe(failingSince)
      } where sender_id = ${senderId}`,
    end: (sql, { senderId }) =>
      sql`update private.send_lanes set failures = 0, failing_since = null
          where sender_id = ${senderId}`,
    opened: 'Sender "Main" has been failing for 12 minutes',
    resolved: 'Sender "Main" has recovered',
  },
  complaint_rate: {
    threshold: 0.5,
    begin: async (sql, { workspaceId, senderId }) => {
      await sql`insert into public.sender_stats (workspace_id, sender_id, hour, sent)
        values (${workspaceId}, ${senderId}, date_trunc('hour', now()), 200)`;
      await sql`
        insert into public.sends (workspace_id, queued_at, id, sender_id, feedback, feedback_at)
        values (${workspaceId}, now(), gen_random_uuid(), ${senderId}, 'complained', now())`;
    },
    end: (sql) => sql`update public.sender_stats set sent = 201`,
    opened: '0.5 % of the messages of sender "Main" were reported as spam in 24 hours',
    resolved: 'Less than 0.5 % of the messages of sender "Main" were reported as spam in 24 hours',
  },
  quota: {
    threshold: 80,
    begin: (sql, { workspaceId }) =>
      sql`insert into public.usage_stats (workspace_id, hour, events, customers, bytes)
          select w.id, date_trunc('hour', now()), 1, 0, p.ingest_bytes_per_day / 100 * 80 + 100
          from public.workspaces as w join public.plans as p on p.id = w.plan_id
          where w.id = ${workspaceId}`,
    end: (sql) => sql`delete from public.usage_stats`,
    opened: "80 % of the ingest quota is used",
    resolved: "Less than 80 % of the ingest quota is used",
  },
  segment_lag: {
    threshold: 12,
    begin: (sql, { workspaceId }) =>
      sql`insert into private.signals (workspace_id, kind, received_at)
          values (${workspaceId}, 'created', null),
            (${workspaceId}, 'event', ${sql.unsafe(failingSince)})`,
    end: (sql) => sql`delete from private.signals`,
    opened: "Segments are 12 minutes behind",
    resolved: "Segments are up to date",
  },
  journey_lag: {
    threshold: 12,
    begin: (sql, { workspaceId, journeyId }) =>
      sql`insert into private.journey_lanes (workspace_id, journey_id, due_at)
          values (${workspaceId}, ${journeyId}, ${sql.unsafe(failingSince)})
          on conflict (workspace_id, journey_id) do update set due_at = excluded.due_at`,
    end: (sql) => sql`update private.journey_lanes set due_at = 'infinity'`,
    opened: 'Journey "Welcome" is 12 minutes behind',
    resolved: 'Journey "Welcome" is up to date',
  },
};

async function createThings(sql: postgres.Sql): Promise<Things> {
  const workspaceId = await createWorkspace(sql);
  const [row] = await sql<Things[]>`
    with destination as (
      insert into public.destinations (workspace_id, name, url, event_types)
      values (${workspaceId}, 'Warehouse', 'https://example.com', '{order_created}')
      returning id
    ), source as (
      insert into public.inbound_sources (workspace_id, name, scheme)
      values (${workspaceId}, 'Shop', 'service')
      returning id
    ), sender as (
      insert into public.senders (workspace_id, name, provider, from_address)
      values (${workspaceId}, 'Main', 'inbox', 'a@acme.example')
      returning id
    ), journey as (
      insert into public.journeys (workspace_id, name, definition)
      values (${workspaceId}, 'Welcome', '{}')
      returning id
    )
    select
      d.id as "destinationId", s.id as "sourceId", o.id as "senderId", j.id as "journeyId"
    from destination as d, source as s, sender as o, journey as j`;
  return { ...row!, workspaceId };
}

Deno.test("a rule of each kind opens an alert at its threshold, and resolves it", async (t) => {
  await using db = await createTestDatabase();
  const { sql } = db;
  for (const [kind, { threshold, begin, end, opened, resolved }] of Object.entries(cases)) {
    await t.step(kind, async () => {
      const things = await createThings(sql);
      const { workspaceId } = things;
      // Half a minute after what is 12 minutes old.
      const now = Date.now() + 5_000;
      const id = await addRule(sql, workspaceId, { kind, threshold });
      const { target, most } = alertKinds[kind as keyof typeof alertKinds];
      await checkAlerts(sql, new Date(now));
      assert.deepEqual(await readAlerts(sql, workspaceId), []);

      await begin(sql, things);
      if (most > 0) {
        const above = await addRule(sql, workspaceId, { kind, threshold: threshold + 1 });
        await checkAlerts(sql, new Date(now + 31_000));
        await sql`delete from public.alert_rules where id = ${above}`;
      }
      await checkAlerts(sql, new Date(now + 40_000));
      const [alert, ...others] = await readAlerts(sql, workspaceId);
      assert.deepEqual(others, []);
      assert.deepEqual([alert?.rule_id, alert?.state, alert?.message], [id, "open", opened]);
      const targets = {
        destination: { id: things.destinationId, name: "Warehouse" },
        source: { id: things.sourceId, name: "Shop" },
        sender: { id: things.senderId, name: "Main" },
        journey: { id: things.journeyId, name: "Welcome" },
      };
      assert.deepEqual(alert!.target, target === null ? null : targets[target]);

      await end(sql, things);
      await checkAlerts(sql, new Date(now + 71_000));
      const [after] = await readAlerts(sql, workspaceId);
      assert.deepEqual([after!.state, after!.resolved_by, after!.message], [
        "resolved",
        "recovery",
        resolved,
      ]);
      await sql`delete from public.alert_rules`;
    });
  }
});

Deno.test("a rule about one target ignores the others", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const things = await createThings(sql);
  const [other] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${things.workspaceId}, 'Second', 'https://example.com', '{*}') returning id`;
  await addRule(sql, things.workspaceId, { kind: "destination_disabled", targetId: other!.id });
  await sql`update public.destinations set enabled = false where id = ${things.destinationId}`;
  await checkAlerts(sql, new Date());
  assert.deepEqual(await readAlerts(sql, things.workspaceId), []);
});

Deno.test("a destination that a member disabled on purpose opens no alert", async () => {
  await using db = await createTestDatabase();
  const { sql } = db;
  const { workspaceId, destinationId } = await createThings(sql);
  await addRule(sql, workspaceId, { kind: "destination_disabled", threshold: 0 });
  await sql.begin(async (tx) => {
    await tx`alter table public.destinations disable trigger user`;
    await tx`
      update public.destinations
      set enabled = false, disabled_by = 'member', disabled_reason = 'x', disabled_at = now()
      where id = ${destinationId}`;
    await tx`alter table public.destinations enable trigger user`;
  });
  await checkAlerts(sql, new Date());
  assert.deepEqual(await readAlerts(sql, workspaceId), []);
});
