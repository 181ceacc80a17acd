import assert from "node:assert/strict";
import type postgres from "postgres";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { type OwnServer, startOwnServer } from "../../testing/postgres/own_server.ts";
import { spawnAutomation } from "../../testing/service/spawn_automation.ts";
import { startJourneyWorld } from "./journey_world.ts";

const customers = 2_000;
const batch = 1_000;

function createDefinition(destination: string): Definition {
  const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
  return {
    trigger: { event: "signed_up" },
    start: "first",
    steps: {
      first: { update: { attributes: { first: true } }, next: "plan" },
      plan: {
        branch: [{ when: { field: "trigger.plan", op: "eq", value: "pro" }, next: "mail" }],
        else: "pause",
      },
      mail: { send, next: "pause" },
      pause: { wait: { for: "1s" }, next: "bought" },
      bought: {
        wait_for: { event: "bought", since: "entry", timeout: "2s" },
        next: "hook",
        on_timeout: "last",
      },
      hook: { webhook: { destination }, next: "last" },
      last: { update: { attributes: { last: true } } },
    },
  };
}

/** The steps of a customer, by number. */
function predictPath(n: number): string {
  const mail = n % 2 === 0 ? ["mail next"] : [];
  const rest = n % 3 === 0 ? ["bought next", "hook next"] : ["bought timeout"];
  const plan = `plan ${n % 2 === 0 ? 0 : "else"}`;
  return ["first next", plan, ...mail, "pause next", ...rest, "last next"].join();
}

async function trackAll(sql: postgres.Sql, workspace_id: string): Promise<void> {
  const entries = Array.from({ length: customers }, (_, n) => {
    const entry = { workspace_id, kind: "event" as const, external_id: `user-${n}` };
    const properties = { plan: n % 2 === 0 ? "pro" : "free" };
    const bought = n % 3 === 0 ? [{ ...entry, name: "bought" }] : [];
    return [{ ...entry, name: "signed_up", properties }, ...bought];
  }).flat();
  for (let n = 0; n < entries.length; n += batch) {
    await ingestEntries(sql, entries.slice(n, n + batch));
  }
}

async function countSteps(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from public.run_steps`;
  return row!.count;
}

/** Starts workers, one after the other, until so many steps were taken; returns the last. */
async function moveUntil({ db: { sql, url } }: OwnServer, steps: number) {
  let isOver = false;
  const spawn = () => {
    isOver = false;
    // Small claims, so that a kill hits many of them.
    const child = spawnAutomation(url, { maxHeld: 20 });
    void child.status.then(() => {
      isOver = true;
    });
    return child;
  };
  let child = spawn();
  while (await countSteps(sql) < steps) {
    await sql`select private.fold_segments()`;
    if (isOver) child = spawn();
  }
  return child;
}

/** Frees what killed workers held, when none of their statements runs any more. */
async function expireClaims(sql: postgres.Sql): Promise<void> {
  const countSessions = async () =>
    (await sql`
      select from pg_stat_activity where application_name = 'automation-test'`).length;
  while (await countSessions() > 0);
  await sql`select private.expire_run_claims(clock_timestamp() + interval '2 minutes')`;
}

async function readPaths(sql: postgres.Sql): Promise<Map<string, string>> {
  const rows = await sql<{ value: string; path: string }[]>`
    select i.value, string_agg(
      s.step || ' ' || coalesce(s.outcome ->> 'skipped', s.outcome ->> 'way'), ',' order by s.visit
    ) as path
    from public.run_steps as s
    join public.journey_runs as r on r.workspace_id = s.workspace_id and r.id = s.run_id
    join public.identities as i on i.workspace_id = r.workspace_id and i.customer_id = r.customer_id
    group by i.value, r.id`;
  assert.equal(rows.length, customers);
  return new Map(rows.map(({ value, path }) => [value, path]));
}

Deno.test("2,000 runs take the predicted steps once when workers and Postgres are killed", async () => {
  await using server = await startOwnServer({ durable: true });
  const { sql } = server.db;
  const workspaceId = await createWorkspace(sql);
  const [destination] = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Hook', 'https://example.com/hook', '{unrelated}') returning id`;
  const world = startJourneyWorld({
    sql,
    workspaceId,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  await world.publish(createDefinition(destination!.id));
  await trackAll(sql, workspaceId);
  const expected = Array.from({ length: customers }, (_, n) => predictPath(n));
  const total = expected.join().split(",").length;

  for (
    const [share, victim] of [[0.2, "worker"], [0.4, "server"], [0.6, "worker"], [0.8, "server"]]
  ) {
    const child = await moveUntil(server, total * (share as number));
    if (victim === "server") await server.restart("crash");
    child.kill("SIGKILL");
    await child.status;
    await expireClaims(sql);
  }
  const last = await moveUntil(server, total);
  last.kill("SIGKILL");
  await last.status;

  const paths = await readPaths(sql);
  for (const [n, path] of expected.entries()) assert.equal(paths.get(`user-${n}`), path, `${n}`);
  const [counts] = await sql`
    select
      (select count(*)::int from public.journey_runs where reason = 'completed') as completed,
      (select count(*)::int from public.sends) as sends,
      (select count(distinct (run_id, visit))::int from public.sends) as distinct_sends,
      (select count(*)::int from private.webhook_queue) as webhooks,
      (select count(*)::int from public.customers
        where attributes = '{"first": true, "last": true}') as updated`;
  const mails = Math.ceil(customers / 2);
  const hooks = Math.ceil(customers / 3);
  assert.deepEqual({ ...counts }, {
    completed: customers,
    sends: mails,
    distinct_sends: mails,
    webhooks: hooks,
    updated: customers,
  });
});
