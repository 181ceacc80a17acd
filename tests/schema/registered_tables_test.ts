import assert from "node:assert/strict";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";

/** Tables of the service itself: no row belongs to a workspace. */
const serviceTables = [
  "public.plans",
  "public.workspaces",
  "private.dispatch_state",
  "private.erasure_steps",
  "private.erasures",
  "private.fold_wakes",
  "private.limited_kinds",
  "private.move_rules",
  "private.partition_policies",
  "private.periodic_tasks",
  "private.secret_owners",
  "private.service_event_types",
  "private.this_cell",
  "private.work_wakes",
];

/** Tables of a workspace without data of its customers; ids of customers do not count as data. */
const withoutCustomerData = [
  "public.alert_rules",
  "public.alerts",
  "private.alert_checks",
  "public.audit_log",
  "public.canceled_messages",
  "public.campaigns",
  "public.delivery_durations",
  "public.delivery_stats",
  "public.event_definitions",
  "public.event_name_stats",
  "public.event_names",
  "public.event_samples",
  "public.inbound_sources",
  "public.invitations",
  "public.jobs",
  "public.journey_stats",
  "public.journey_versions",
  "public.journeys",
  "public.rehearsals",
  "public.rejected_entry_stats",
  "public.segment_stats",
  "public.segments",
  "public.send_settings",
  "public.sender_stats",
  "public.senders",
  "public.usage_stats",
  "public.throttle_stats",
  "public.template_versions",
  "public.templates",
  "public.topics",
  "public.views",
  "public.workspace_members",
  "private.api_keys",
  "private.campaign_counts",
  "private.campaign_jobs",
  // By a keyed hash of the address.
  "private.consents",
  "private.destination_headers",
  "private.destination_secrets",
  "private.event_interests",
  "private.features",
  "private.directory",
  "private.inbound_secrets",
  "private.inbound_tokens",
  "private.journey_interests",
  "private.journey_jobs",
  "private.journey_lanes",
  "private.journey_stat_deltas",
  "private.run_arrivals",
  "private.lane_arrivals",
  "private.lanes",
  "private.move_marks",
  "private.moved_addresses",
  "private.rate_limit_buckets",
  // By a keyed hash of the address.
  "private.cap_uses",
  "private.send_arrivals",
  "private.send_lanes",
  "private.send_queue",
  "private.sender_secrets",
  "private.topic_counts",
  "private.segment_jobs",
  "private.segment_nodes",
  "private.segment_parts",
  "private.usage_deltas",
  "private.workspace_keys",
  "private.workspace_moves",
];

/** Tables of a workspace whose rows stay until their use, their owner or the workspace ends. */
const keptRows = [
  "public.alert_rules",
  "private.alert_checks",
  "public.audit_log",
  "public.campaigns",
  "public.customer_merges",
  "public.customers",
  "public.destinations",
  "public.device_tokens",
  "public.event_definitions",
  "public.events",
  "public.identities",
  "public.inbound_sources",
  "public.invitations",
  "public.jobs",
  "public.journey_stats",
  "public.journey_versions",
  "public.journeys",
  "public.template_versions",
  "public.templates",
  "public.topics",
  "public.segment_members",
  "public.segments",
  "public.send_settings",
  "public.senders",
  "public.views",
  "public.workspace_members",
  "private.api_keys",
  "private.campaign_jobs",
  "private.campaign_recipients",
  "private.destination_event_types",
  "private.consents",
  "private.destination_headers",
  "private.destination_secrets",
  "private.event_interests",
  "private.feature_buckets",
  "private.feature_marks",
  "private.features",
  "private.directory",
  "private.inbound_secrets",
  "private.journey_dates",
  "private.journey_entries",
  "private.journey_jobs",
  "private.journey_lanes",
  "private.lane_arrivals",
  "private.run_arrivals",
  "private.move_marks",
  "private.moved_addresses",
  "private.rate_limit_buckets",
  "private.send_arrivals",
  "private.send_queue",
  "private.sender_secrets",
  "private.workspace_keys",
  "private.segment_checks",
  "private.segment_jobs",
  "private.segment_lanes",
  "private.segment_nodes",
  "private.segment_parts",
  "private.signals",
  "private.workspace_moves",
];

/** Functions that delete a customer at once; the erasure steps delete the rest. */
const immediateErasure = ["private.erase_customer"];

interface Unregistered {
  name: string;
  missing: "workspace" | "erasure" | "retention";
}

/** Finds the tables that a workspace's deletion, a customer's erasure or retention forgets. */
async function findUnregistered(sql: postgres.Sql): Promise<Unregistered[]> {
  const tables = await sql<{ name: string; is_tenant: boolean; has_retention: boolean }[]>`
    select
      c.relnamespace::regnamespace || '.' || c.relname as name,
      c.oid in (select t from private.tenant_tables() as t) as is_tenant,
      exists (
        select from private.partition_policies as p
        where p.table_name = c.relname and p.keep is not null
      ) as has_retention
    from pg_class as c
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and c.relkind in ('r', 'p') and not c.relispartition`;
  const steps = await sql<{ name: string }[]>`
    select s.function_name as name from private.erasure_steps as s where s.subject = 'customer'`;
  const tasks = await sql<{ call: string }[]>`select t.call from private.periodic_tasks as t`;
  const reach = await readReferences(sql);
  const erased = reach([...immediateErasure, ...steps.map(({ name }) => name)]);
  const expired = reach(tasks.flatMap(({ call }) => findNames(call)));
  return tables.flatMap(({ name, is_tenant, has_retention }) => {
    if (!is_tenant) {
      return serviceTables.includes(name) ? [] : [{ name, missing: "workspace" as const }];
    }
    const missing: Unregistered[] = [];
    if (!erased.has(name) && !withoutCustomerData.includes(name)) {
      missing.push({ name, missing: "erasure" });
    }
    if (!has_retention && !expired.has(name) && !keptRows.includes(name)) {
      missing.push({ name, missing: "retention" });
    }
    return missing;
  });
}

/** Returns a function that finds everything that functions name, directly or through others. */
async function readReferences(sql: postgres.Sql) {
  const rows = await sql<{ name: string; body: string }[]>`
    select p.pronamespace::regnamespace || '.' || p.proname as name, p.prosrc as body
    from pg_proc as p
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`;
  const names = new Map(rows.map(({ name, body }) => [name, findNames(body)]));
  return (start: readonly string[]) => {
    const reached = new Set(start);
    for (const name of reached) for (const next of names.get(name) ?? []) reached.add(next);
    return reached;
  };
}

function findNames(text: string): string[] {
  return text.match(/\b(?:public|private)\.[a-z_0-9]+/g) ?? [];
}

Deno.test("every table is registered for tenancy, erasure and retention", async () => {
  await using db = await createTestDatabase();
  assert.deepEqual(await findUnregistered(db.sql), []);
});

Deno.test("a table that no registry names is found", async () => {
  await using db = await createTestDatabase();
  await db.sql.unsafe(`
    create table public.notes (workspace_id uuid, text text);
    create table public.colours (name text);`);
  const found = await findUnregistered(db.sql);
  assert.deepEqual(found.map(({ name, missing }) => `${name}: ${missing}`).sort(), [
    "public.colours: workspace",
    "public.notes: erasure",
    "public.notes: retention",
  ]);
});

Deno.test("the lists of exceptions name tables and functions that exist", async () => {
  await using db = await createTestDatabase();
  const tables = [...serviceTables, ...withoutCustomerData, ...keptRows];
  const rows = await db.sql<{ name: string }[]>`
    select t.name from jsonb_array_elements_text(${
    JSON.stringify(tables)
  }::text::jsonb) as t (name) where to_regclass(t.name) is null
    union all
    select f.name
    from jsonb_array_elements_text(${JSON.stringify(immediateErasure)}::text::jsonb) as f (name)
    where to_regproc(f.name) is null`;
  assert.deepEqual(rows.map(({ name }) => name), []);
});
