import assert from "node:assert/strict";
import fc from "fast-check";
import type postgres from "postgres";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { type Condition, type CustomerRows, isMet } from "./condition_model.ts";
import { createConditionArbitrary, eventNames } from "./condition_arbitrary.ts";
import {
  createProfile,
  createProperties,
  createRandom,
  pick,
  readCustomers,
} from "./segment_world.ts";

const start = Date.parse("2026-11-22T10:00:00Z");
const world = { live: new Map(), listed: new Map() };
/** More worlds make more comparisons: about 28,000 each. */
const worlds = Number(Deno.env.get("TEST_WORLDS") ?? "4");

interface Answer {
  customer_id: string;
  is_true: boolean;
  changes_at: number | null;
}

/** Stores customers with identities and events with events that came late or from a wrong clock. */
async function storeWorld(sql: postgres.Sql, workspaceId: string, seed: number): Promise<void> {
  const random = createRandom(seed);
  const rows = Array.from({ length: 150 }, (_, i) => {
    const ids = Array.from({ length: Math.floor(random() * 3) }, (_, k) => `${i}-${k}`);
    return { ...createProfile(random, start), ids, events: createEvents(random) };
  });
  await sql`
    with people as materialized (
      select r.*, private.uuid_v7() as id, row_number() over () as n
      from jsonb_to_recordset(${sql.json(rows as never)}) as r
        (profile jsonb, attributes jsonb, ids text[], events jsonb)
    ), customers as (
      insert into public.customers
        (workspace_id, id, email, country, first_name, timezone, attributes, created_at, last_seen_at)
      select ${workspaceId}, p.id, p.profile ->> 'email', p.profile ->> 'country',
        p.profile ->> 'first_name', p.profile ->> 'timezone', p.attributes,
        ${new Date(start)}::timestamptz - p.n * interval '5 hours',
        ${new Date(start)}::timestamptz - p.n * interval '3 hours'
      from people as p
    ), identities as (
      insert into public.identities (workspace_id, id, kind, value, customer_id)
      overriding system value
      select ${workspaceId}, p.n * 10 + k.n, case when k.n = 1 then 'anon' else 'external' end, k.value, p.id
      from people as p
      cross join unnest(array['anon-' || p.n] || p.ids) with ordinality as k (value, n)
    )
    insert into public.events
      (workspace_id, id, identity_id, name, occurred_at, received_at, properties)
    select ${workspaceId}, gen_random_uuid(), p.n * 10 + 1 + (e ->> 'on')::integer % (1 + cardinality(p.ids)),
      e ->> 'name', (e ->> 'occurred')::timestamptz, (e ->> 'received')::timestamptz, e -> 'properties'
    from people as p
    cross join jsonb_array_elements(p.events) as e`;
}

function createEvents(random: () => number): Record<string, unknown>[] {
  return Array.from({ length: Math.floor(random() ** 2 * 9) }, () => {
    const received = start - Math.floor(random() ** 3 * 40 * 86_400_000);
    // Late, exactly on an edge of a window, or of a clock that is ahead.
    const delay = pick(random, [0, 0, 1_000, 86_400_000, -3_600_000]);
    const occurred = random() < 0.2 ? start - 3 * 86_400_000 : received - delay;
    return {
      on: Math.floor(random() * 3),
      name: pick(random, eventNames),
      occurred: new Date(occurred),
      received: new Date(Math.max(received, occurred - 3_600_000)),
      properties: createProperties(random),
    };
  });
}

async function evaluate(
  sql: postgres.Sql,
  { workspaceId, condition, ids, now }: {
    workspaceId: string;
    condition: Condition;
    ids: string[];
    now: number;
  },
): Promise<Answer[]> {
  const rows = await sql<Answer[]>`
    select e.customer_id, e.is_true,
      case when e.changes_at < 'infinity' then
        floor(extract(epoch from e.changes_at) * 1000)::float8
      end as changes_at
    from private.evaluate_condition(
      ${workspaceId}, ${sql.json(condition as never)},
      array(select jsonb_array_elements_text(${sql.json(ids)}))::uuid[], ${new Date(now)}
    ) as e`;
  return [...rows];
}

/** All customers of the workspace that match, as counts and lists of whole workspaces find them. */
async function findAll(
  sql: postgres.Sql,
  { workspaceId, condition, now }: { workspaceId: string; condition: Condition; now: number },
): Promise<string[]> {
  const [row] = await sql<{ ids: string[] }[]>`
    select to_jsonb(private.count_exactly(
      private.compile_condition(
        row(${workspaceId}, 'events', 'conditions'), ${sql.json(condition as never)}
      ),
      ${workspaceId}, ${new Date(now)}
    )) as ids`;
  return row!.ids;
}

function compare(condition: Condition, people: Map<string, CustomerRows>) {
  return (answers: Answer[], now: number) => {
    for (const { customer_id, is_true } of answers) {
      const customer = people.get(customer_id)!;
      if (is_true === isMet(condition, customer, { world, now })) continue;
      assert.fail(
        `${JSON.stringify(condition)} at ${new Date(now).toISOString()} is ${is_true} for ` +
          JSON.stringify(customer),
      );
    }
    return answers.length;
  };
}

Deno.test("a condition's answers are those of the model, just before and at each change too", async (t) => {
  await using db = await createTestDatabase();
  const { sql } = db;
  let comparisons = 0;
  for (let seed = 1; seed <= worlds; seed++) {
    await t.step(`world ${seed}`, async () => {
      const workspaceId = await createWorkspace(sql);
      await storeWorld(sql, workspaceId, seed);
      const people = new Map((await readCustomers(sql, workspaceId)).map((one) => [one.id, one]));
      const ids = [...people.keys()];
      const condition = createConditionArbitrary();
      const offset = fc.integer({ min: -20 * 86_400, max: 40 * 86_400 });
      await fc.assert(
        fc.asyncProperty(condition, offset, async (condition, seconds) => {
          const check = compare(condition, people);
          const now = start + seconds * 1000;
          const answers = await evaluate(sql, { workspaceId, condition, ids, now });
          assert.equal(answers.length, ids.length);
          comparisons += check(answers, now);
          const matching = answers.filter((one) => one.is_true).map((one) => one.customer_id);
          const found = await findAll(sql, { workspaceId, condition, now });
          assert.deepEqual(found.toSorted(), matching.toSorted());
          const changes = answers.filter(({ changes_at }) => changes_at !== null);
          assert(changes.every(({ changes_at }) => changes_at! > now), "changes in the past");
          // Until the earliest change nothing changes, and there the answer is right again.
          const next = Math.min(...changes.map(({ changes_at }) => changes_at!));
          if (next === Infinity || next > Date.parse("2100-01-01")) return;
          const before = await evaluate(sql, { workspaceId, condition, ids, now: next - 1 });
          comparisons += check(before, next - 1);
          assert.deepEqual(before.map((one) => one.is_true), answers.map((one) => one.is_true));
          comparisons += check(
            await evaluate(sql, { workspaceId, condition, ids, now: next }),
            next,
          );
        }),
        { numRuns: 120, seed, endOnFailure: false },
      );
    });
  }
  await t.step(`${comparisons} comparisons`, () => {
    assert(comparisons > 25_000 * worlds, `${comparisons} comparisons`);
  });
});
