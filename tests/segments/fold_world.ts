import assert from "node:assert/strict";
import type postgres from "postgres";
import { ingestEntries } from "../../testing/data/ingest.ts";
import type { IngestEntry } from "../../supabase/functions/_shared/entries/ingest.ts";
import { eventNames } from "./condition_arbitrary.ts";
import { type Condition, isMet } from "./condition_model.ts";
import {
  createProfile,
  createProperties,
  pick,
  readCustomers,
  readModelWorld,
} from "./segment_world.ts";

const day = 86_400_000;

/** Creates a live segment, as the service itself. */
export async function createSegment(
  sql: postgres.Sql,
  workspaceId: string,
  condition: Condition,
): Promise<string> {
  const segment = { name: "Some", condition };
  const [row] = await sql<{ id: string }[]>`
    select private.insert_segment(${workspaceId}, ${sql.json(segment as never)}) as id`;
  return row!.id;
}

/** Gives a segment another condition. */
export async function editSegment(
  sql: postgres.Sql,
  { workspaceId, id, condition }: { workspaceId: string; id: string; condition: Condition },
): Promise<void> {
  await sql`
    select private.change_segment(
      ${workspaceId}, ${id}, ${sql.json({ condition } as never)}
    )`;
}

/** Folds at an instant until nothing is left; `limit` signals at a time. */
export async function foldAll(sql: postgres.Sql, now: number, limit = 1000): Promise<void> {
  for (let round = 0; round < 5000; round++) {
    const [row] = await sql<{ done: number }[]>`
      select private.fold_segments(${new Date(now)}, ${limit}) as done`;
    if (row!.done === 0) return;
  }
  assert.fail("the folds do not come to an end");
}

/** Random entries: events late and early, identifies and aliases that merge, for few ids. */
export function createEntries(
  random: () => number,
  { workspaceId, now }: { workspaceId: string; now: number },
): IngestEntry[] {
  return Array.from({ length: 1 + Math.floor(random() * 12) }, (): IngestEntry => {
    const external = `user-${Math.floor(random() * 25)}`;
    const anon = `browser-${Math.floor(random() * 25)}`;
    const kind = random();
    if (kind < 0.7) {
      const delay = pick(random, [0, 0, 60_000, 3 * day, 7 * day, Math.floor(random() * 30 * day)]);
      return {
        workspace_id: workspaceId,
        kind: "event",
        ...(random() < 0.5 ? { external_id: external } : { anon_id: anon }),
        name: pick(random, eventNames),
        occurred_at: new Date(now - delay).toISOString(),
        properties: createProperties(random),
        ...(random() < 0.1 ? { idempotency_key: `key-${Math.floor(random() * 5)}` } : {}),
      };
    }
    if (kind < 0.93) {
      const { profile, attributes } = createProfile(random, now);
      return {
        workspace_id: workspaceId,
        kind: "identify",
        external_id: external,
        ...(random() < 0.5 ? { anon_id: anon } : {}),
        profile,
        attributes,
      } as IngestEntry;
    }
    const previous = `user-${Math.floor(random() * 25)}`;
    return {
      workspace_id: workspaceId,
      kind: "alias",
      external_id: external,
      previous_id: previous === external ? "user-99" : previous,
    } as IngestEntry;
  });
}

/** Stores a batch of random entries. */
export async function ingestSome(
  sql: postgres.Sql,
  random: () => number,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<void> {
  await ingestEntries(sql as never, createEntries(random, { workspaceId, now }));
}

/** Compares all memberships with the model; returns the number of comparisons. */
export async function compareMembers(
  sql: postgres.Sql,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<number> {
  const people = await readCustomers(sql, workspaceId);
  const world = await readModelWorld(sql, workspaceId);
  const segments = await sql<{ id: string; state: string; members: string; ids: string[] }[]>`
    select s.id, s.state, s.members, (
      select coalesce(jsonb_agg(m.customer_id), '[]') from public.segment_members as m
      where m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
    ) as ids
    from public.segments as s where s.workspace_id = ${workspaceId} and s.kind = 'live'`;
  for (const { id, state, members, ids } of segments) {
    assert.equal(state, "ready");
    assert.equal(Number(members), ids.length, "the count is that of the members");
    const stored = new Set(ids);
    const condition = world.live.get(id)!;
    for (const customer of people) {
      const is = isMet(condition, customer, { world, now });
      if (stored.delete(customer.id) === is) continue;
      assert.fail(
        `${JSON.stringify(condition)} is ${is} at ${new Date(now).toISOString()} for ` +
          JSON.stringify(customer),
      );
    }
    assert.deepEqual([...stored], [], "no member is a customer who is gone");
  }
  return segments.length * people.length;
}

/** The earliest timer of a workspace in milliseconds, or undefined. */
export async function readNextCheck(
  sql: postgres.Sql,
  workspaceId: string,
): Promise<number | undefined> {
  const [row] = await sql<{ at: number | null }[]>`
    select floor(extract(epoch from min(check_at)) * 1000)::float8 as at
    from private.segment_checks where workspace_id = ${workspaceId}`;
  return row!.at ?? undefined;
}
