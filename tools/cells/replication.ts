import { databaseErrorCode } from "../../supabase/functions/_shared/db/errors.ts";
import type { CellConnection } from "./cell_connections.ts";
import { pause, waitUntil } from "./wait_until.ts";

/** Changes that take no longer from the source to the target arrive soon. */
const soonMs = 250;

/** The two cells of a move, and the name of its publication, slot and subscription. */
export interface Replication {
  source: CellConnection;
  target: CellConnection;
  name: string;
}

/** Subscribes the target to what the source publishes; doing it again changes nothing. */
export async function startReplication({ source, target, name }: Replication): Promise<void> {
  // Apart from the subscription: within one server, they would wait for each other.
  await source.sql`
    select pg_create_logical_replication_slot(${name}, 'pgoutput')
    where not exists (select from pg_replication_slots where slot_name = ${name})
  `;
  if (await hasSubscription(target, name)) return;
  // A copy drops its slot once it has committed, so a crash of the target must not undo the commit.
  await target.sql.unsafe(
    `create subscription ${name} connection ${quote(source.url)} publication ${name}
     with (create_slot = false, slot_name = '${name}', synchronous_commit = on)`,
  );
}

/** Resolves when the first copy of every table has arrived. */
export async function waitForCopy(replication: Replication, limitMs: number): Promise<void> {
  const { target, name } = replication;
  await waitUntil(() => isCopied(replication), { limitMs, what: "the copy" });
  // From here on, what a crash of the target undoes is sent again.
  await target.sql.unsafe(`alter subscription ${name} set (synchronous_commit = off)`);
}

/** Returns whether the target has every table as it was at some time since the start. */
async function isCopied({ target, name }: Replication): Promise<boolean> {
  const [row] = await target.sql<{ tables: number; waiting: number }[]>`
    select
      count(*)::integer as tables,
      (count(*) filter (where r.srsubstate <> 'r'))::integer as waiting
    from pg_subscription_rel as r
    join pg_subscription as s on s.oid = r.srsubid
    where s.subname = ${name}
      and s.subdbid = (select oid from pg_database where datname = current_database())
  `;
  return row!.tables > 0 && row!.waiting === 0;
}

/** Resolves when changes of the source arrive soon, or after the time that the caller allows. */
export async function catchUp(replication: Replication, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  let tookMs: number;
  do {
    const startedAt = Date.now();
    const [now] = await replication.source.sql<{ position: string }[]>`
      select pg_current_wal_lsn()::text as position
    `;
    while (!await hasApplied(replication, now!.position) && Date.now() < deadline) await pause(10);
    tookMs = Date.now() - startedAt;
  } while (tookMs > soonMs && Date.now() < deadline);
}

/** Returns whether the target has applied everything up to a position of the source. */
async function hasApplied({ source, name }: Replication, position: string): Promise<boolean> {
  const rows = await source.sql`
    select from pg_stat_replication
    where application_name = ${name} and replay_lsn >= ${position}::pg_lsn
  `;
  return rows.length > 0;
}

interface LastChanges {
  workspaceId: string;
  /** Longest time without progress. */
  stallMs: number;
}

/**
 * Resolves when the target has applied everything up to the mark that ends the replication.
 *
 * @throws Error when nothing arrives any more
 */
export async function waitForLastChanges(
  replication: Replication,
  { workspaceId, stallMs }: LastChanges,
): Promise<void> {
  const { target, name } = replication;
  let furthest = -1;
  let movedAt = Date.now();
  for (;;) {
    const marks = await target.sql`
      select from private.move_marks where workspace_id = ${workspaceId}
    `;
    if (marks.length > 0 && await isCopied(replication)) return;
    const position = await readConfirmed(replication);
    if (position > furthest) {
      furthest = position;
      movedAt = Date.now();
    }
    if (Date.now() - movedAt > stallMs) {
      const { isRunning, errors } = await readWorker(replication);
      throw new Error(
        `Cannot finish the move: no change has arrived in cell "${target.id}" for ${stallMs} ms. ` +
          `The worker of subscription "${name}" ${isRunning ? "is running" : "is not running"} ` +
          `and has had ${errors} errors. Find them in the log of that database, then run it again`,
      );
    }
    await pause(5);
  }
}

/** Returns up to where the target has stored the changes of the source, in bytes of its log. */
async function readConfirmed({ source, name }: Replication): Promise<number> {
  const [row] = await source.sql<{ position: number }[]>`
    select (confirmed_flush_lsn - '0/0')::float8 as position
    from pg_replication_slots where slot_name = ${name}
  `;
  return row?.position ?? 0;
}

/** Returns whether the process that applies changes is running, and how often it failed. */
async function readWorker(
  { target, name }: Replication,
): Promise<{ isRunning: boolean; errors: number }> {
  const [row] = await target.sql<{ isRunning: boolean; errors: number }[]>`
    select
      s.pid is not null as "isRunning",
      coalesce(e.apply_error_count + e.sync_error_count, 0)::integer as errors
    from pg_stat_subscription as s
    left join pg_stat_subscription_stats as e on e.subid = s.subid
    where s.subname = ${name} and s.relid is null
  `;
  return row ?? { isRunning: false, errors: 0 };
}

/** Removes subscription, slot and publication. One that does not exist is not an error. */
export async function stopReplication({ source, target, name }: Replication): Promise<void> {
  if (await hasSubscription(target, name)) {
    await target.sql.unsafe(`alter subscription ${name} disable`);
    await target.sql.unsafe(`alter subscription ${name} set (slot_name = none)`);
    await target.sql.unsafe(`drop subscription ${name}`);
  }
  await waitUntil(() => dropSlot(source, name), {
    limitMs: 30_000,
    what: "the end of replication",
  });
  await source.sql.unsafe(`drop publication if exists ${name}`);
}

async function hasSubscription({ sql }: CellConnection, name: string): Promise<boolean> {
  const rows = await sql`
    select from pg_subscription
    where subname = ${name}
      and subdbid = (select oid from pg_database where datname = current_database())
  `;
  return rows.length > 0;
}

/** Drops the slot and those of copies that were cut off; false while one is in use. */
async function dropSlot({ sql }: CellConnection, name: string): Promise<boolean> {
  try {
    await sql`
      select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ${name}
    `;
    return true;
  } catch (error) {
    // The sender notices a little later that nobody listens.
    if (databaseErrorCode(error) === "55006") return false;
    throw error;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
