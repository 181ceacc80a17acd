import { databaseErrorCode } from "../../supabase/functions/_shared/db/errors.ts";
import type { CellConnection } from "./cell_connections.ts";
import { waitUntil } from "./wait_until.ts";

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
  await target.sql.unsafe(
    `create subscription ${name} connection ${quote(source.url)} publication ${name}
     with (create_slot = false, slot_name = '${name}')`,
  );
}

/** Resolves when the first copy of every table has arrived. */
export async function waitForCopy({ target, name }: Replication, limitMs: number): Promise<void> {
  await waitUntil(async () => {
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
  }, { limitMs, what: "the copy" });
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
