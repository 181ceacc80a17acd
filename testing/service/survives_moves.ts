import assert from "node:assert/strict";
import type { MoveStep } from "../../tools/cells/move_workspace.ts";
import { eraseCustomers, runFrequentTasksFor } from "../data/erasures.ts";
import type { OwnServer } from "../postgres/own_server.ts";
import {
  type AcknowledgedEntry,
  type MovingLoad,
  startMovingLoad,
} from "../senders/moving_load.ts";
import { type CellWorld, createCellWorld } from "./cell_world.ts";

/** A move, and the server that is killed before one of its steps. */
export interface TriedMove {
  killed?: "source" | "target";
  before?: MoveStep;
}

export interface SurvivalOptions {
  moves: readonly TriedMove[];
  /** Entries per second. @default as many as are answered */
  perSecond?: number;
  /** Entries acknowledged before each move. @default 100 */
  entriesBetween?: number;
  /** Longest time without an acknowledgement while no server is killed, in ms. @default any */
  longestGapMs?: number;
  say?: (line: string) => void;
}

const erasedPerMove = 3;

/**
 * Moves a workspace back and forth under load, with merges, deliveries and erasures under way and
 * servers killed, and asserts that nothing is lost, doubled or left behind.
 */
export async function survivesMoves(options: SurvivalOptions): Promise<void> {
  const { moves, perSecond, entriesBetween = 100, longestGapMs = Infinity, say = () => {} } =
    options;
  await using world = await createCellWorld();
  const load = startMovingLoad({
    track: (entry) => world.track.send(entry),
    ...perSecond !== undefined && { perSecond },
  });
  const erased = new Set<string>();
  for (const [i, move] of moves.entries()) {
    const [from, to] = i % 2 === 0 ? ["00", "01"] as const : ["01", "00"] as const;
    await load.acknowledged(load.entries.length + entriesBetween);
    await eraseSome(world, { cell: from, load, erased });
    load.takeLongestGap();
    const startedAt = performance.now();
    const { pausedMs } = await world.move(
      to,
      killBefore(move, {
        source: world.servers.get(from)!,
        target: world.servers.get(to)!,
      }),
    ).catch((error) => {
      // The message asks an operator to do this.
      if (!String(error).includes("run it again")) throw error;
      return world.move(to);
    });
    const gapMs = load.takeLongestGap();
    const tookMs = Math.round(performance.now() - startedAt);
    say(
      `${from} → ${to} ${JSON.stringify(move)}: ${tookMs} ms, refused for ${pausedMs} ms, ` +
        `longest gap ${gapMs} ms, ${load.entries.length} entries`,
    );
    if (move.killed === undefined) assert(gapMs <= longestGapMs, `a gap of ${gapMs} ms`);
    assert.deepEqual(await world.tablesWithRows(from), [], "rows stayed behind");
  }
  await load.stop();
  const cell = moves.length % 2 === 0 ? "00" : "01";
  const kept = load.entries.filter(({ customerId }) => !erased.has(customerId));
  await assertStoredOnce(world, { cell, entries: kept });
  await assertErased(world, {
    cell,
    entries: load.entries.filter(({ customerId }) => erased.has(customerId)),
  });
  await assertFirstIds(world, load.entries.slice(-50).filter((one) => kept.includes(one)));
  await world.delivered(await listToDeliver(world, { cell, entries: kept }));
  const sent = [...world.got.values()];
  const twice = sent.filter((count) => count > 1).length;
  say(
    `${load.entries.length} entries, ${erased.size} customers erased, ${sent.length} events ` +
      `delivered, ${twice} of them more than once`,
  );
  if (moves.every(({ killed }) => killed === undefined)) assert.equal(twice, 0);
}

function killBefore(
  { killed, before }: TriedMove,
  servers: { source: OwnServer; target: OwnServer },
): (step: MoveStep) => Promise<void> {
  let isDone = killed === undefined;
  return async (step) => {
    if (isDone || step !== before) return;
    isDone = true;
    await servers[killed!].restart("crash");
  };
}

/** Erases a few customers that were identified, and remembers all ids that they had. */
async function eraseSome(
  world: CellWorld,
  { cell, load, erased }: { cell: string; load: MovingLoad; erased: Set<string> },
): Promise<void> {
  const { sql } = world.servers.get(cell)!.db;
  const rows = await sql<{ id: string; merged: string[] }[]>`
    select c.id, coalesce((
      select jsonb_agg(m.merged_customer_id) from public.customer_merges as m
      where m.workspace_id = c.workspace_id and m.customer_id = c.id
    ), '[]') as merged
    from public.customers as c
    where c.workspace_id = ${world.workspaceId}
    order by c.created_at, c.id
    limit ${erasedPerMove}
  `;
  assert(load.entries.length > 0 && rows.length > 0);
  for (const { id, merged } of rows) for (const each of [id, ...merged]) erased.add(each);
  await eraseCustomers(sql, world.workspaceId, rows.map(({ id }) => id));
}

interface Stored {
  cell: string;
  entries: readonly AcknowledgedEntry[];
}

async function assertStoredOnce(world: CellWorld, { cell, entries }: Stored): Promise<void> {
  const { sql } = world.servers.get(cell)!.db;
  const ids = entries.map(({ eventId }) => eventId);
  const rows = await sql<{ id: string }[]>`
    select w.id
    from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as w (id)
    left join (
      select e.id, count(*) as times from public.events as e
      where e.workspace_id = ${world.workspaceId}
      group by e.id
    ) as s on s.id = w.id::uuid
    where s.times is distinct from 1
  `;
  assert.deepEqual(rows.map(({ id }) => id), [], "entries are lost or doubled");
}

/** Asserts that erasures that were under way have been completed in the last cell. */
async function assertErased(world: CellWorld, { cell, entries }: Stored): Promise<void> {
  assert(entries.length > 0);
  const { sql } = world.servers.get(cell)!.db;
  await runFrequentTasksFor(sql, { seconds: 180 });
  const ids = entries.map(({ eventId }) => eventId);
  const [row] = await sql`
    select
      (select count(*)::integer from private.erasures) as erasures,
      (
        select count(*)::integer from public.events as e
        where e.workspace_id = ${world.workspaceId} and e.id in (
          select w::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as w
        )
      ) as events
  `;
  assert.deepEqual(row, { erasures: 0, events: 0 });
}

async function assertFirstIds(
  world: CellWorld,
  entries: readonly AcknowledgedEntry[],
): Promise<void> {
  assert(entries.length > 0);
  for (const { entry, eventId } of entries) {
    const { body } = await world.track.send(entry);
    assert.deepEqual([body.event_id, body.duplicate], [eventId, true]);
  }
}

/** Lists the events whose message is not about an erased customer. */
async function listToDeliver(world: CellWorld, { cell, entries }: Stored): Promise<string[]> {
  const { sql } = world.servers.get(cell)!.db;
  const rows = await sql<{ id: string }[]>`
    select distinct (m.body::jsonb -> 'payload' ->> 'event_id') as id
    from public.webhook_messages as m
    where m.workspace_id = ${world.workspaceId} and m.body is not null
      and m.event_type = 'viewed'
  `;
  const acknowledged = new Set(entries.map(({ eventId }) => eventId));
  const found = rows.map(({ id }) => id).filter((id) => acknowledged.has(id));
  const events = entries.filter(({ entry }) => entry.name === "viewed");
  assert.equal(found.length, events.length, "a message is missing");
  return found;
}
