import assert from "node:assert/strict";
import type postgres from "postgres";
import { createWorkspace } from "../../testing/data/factories.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { interleave } from "../../testing/postgres/locks.ts";
import { createJourneyWorld, fold } from "../journeys/journey_world.ts";
import { compareMembers, createSegment, foldAll } from "./fold_world.ts";

async function readSignals(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql`select kind from private.signals order by id`;
  return rows.map(({ kind }) => kind);
}

function identify(workspaceId: string, plan = "pro") {
  return {
    workspace_id: workspaceId,
    kind: "identify" as const,
    external_id: "user-1",
    profile: {},
    attributes: { plan },
  };
}

const onPlan = { field: "attributes.plan", op: "eq", value: "pro" } as const;
const isIdle = { start: "pause", steps: { pause: { wait: { for: "1d" } } } } as const;

Deno.test("segments and journeys about events alone cost new and changed customers nothing", async () => {
  await using world = await createJourneyWorld();
  const { sql, workspaceId } = world;
  await createSegment(sql, workspaceId, { event: "order_created" });
  await world.publish({ trigger: { event: "order_created" }, ...isIdle });
  await fold(world);
  const entries = [
    identify(workspaceId),
    {
      workspace_id: workspaceId,
      kind: "event" as const,
      anon_id: "browser-1",
      name: "page_viewed",
      properties: {},
    },
  ];
  await ingestEntries(sql, entries);
  assert.deepEqual(await readSignals(sql), []);
  await ingestEntries(sql, [{ ...entries[1]!, name: "order_created" }]);
  assert.deepEqual(await readSignals(sql), ["event"], "their events count");
});

for (
  const [what, condition] of [
    ["the profile", onPlan],
    ["what customers have not done", { not: { event: "order_created" } }],
    ["events that are few", { event: "order_created", count: { lte: 3 } }],
  ] as const
) {
  Deno.test(`a customer being stored when the first segment about ${what} is created is compared`, async () => {
    await using db = await createTestDatabase();
    const { sql } = db;
    const workspaceId = await createWorkspace(sql);
    await interleave(
      sql,
      (tx) => ingestEntries(tx as never, [identify(workspaceId)]),
      (other) => createSegment(other, workspaceId, condition as never),
    );
    await foldAll(sql, Date.now());
    await compareMembers(sql, { workspaceId, now: Date.now() });
    const [members] = await sql`select count(*)::integer as count from public.segment_members`;
    assert.equal(members!.count, 1);
    await ingestEntries(sql, [{ ...identify(workspaceId), external_id: "user-2" }]);
    assert.deepEqual(await readSignals(sql), ["created"]);
  });
}

for (
  const [what, definition] of [
    ["exit condition", {
      trigger: { event: "order_created" },
      exit_when: onPlan,
      ...isIdle,
    }],
    ["date", {
      trigger: { date: "attributes.renews_at", offset: "-7d", at: "09:00" },
      ...isIdle,
    }],
  ] as const
) {
  Deno.test(`a journey whose ${what} is about the profile is published after what is being stored`, async () => {
    await using world = await createJourneyWorld();
    const { sql, workspaceId } = world;
    await world.publish({ trigger: { event: "other" }, ...isIdle });
    await interleave(
      sql,
      (tx) => ingestEntries(tx as never, [identify(workspaceId)]),
      () => world.publish(definition),
    );
    assert.deepEqual(await readSignals(sql), [], "nothing asked for this customer");
    await ingestEntries(sql, [identify(workspaceId, "free")]);
    assert.deepEqual(await readSignals(sql), ["profile"]);
  });
}
