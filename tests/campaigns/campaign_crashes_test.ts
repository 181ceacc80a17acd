import assert from "node:assert/strict";
import postgres from "postgres";
import {
  addPeople,
  assertAddsUp,
  type CampaignWorld,
  change,
  createCampaign,
  createCampaignWorld,
  crowd,
  handOver,
  listen,
  read,
  readEvents,
  readOutcome,
  send,
  work,
} from "./campaign_world.ts";

/** Numbers from 0 to below 1 that repeat for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Begins a step on a connection of its own, and kills the server's process of that connection. */
async function crashInStep({ db, sql, now }: CampaignWorld): Promise<void> {
  const doomed = postgres(db.url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await doomed.begin(async (tx) => {
      await tx`select private.work_campaigns(${new Date(now)})`;
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await sql`select pg_terminate_backend(${own!.pid})`;
      await tx`select 1`;
    });
    assert.fail("the connection was not killed");
  } catch (error) {
    assert(!(error instanceof assert.AssertionError), String(error));
  } finally {
    await doomed.end({ timeout: 1 });
  }
}

/** Does steps, and loses the results of some. */
async function workWithCrashes(world: CampaignWorld, random: () => number): Promise<number> {
  let crashes = 0;
  while (random() < 0.7) {
    await crashInStep(world);
    crashes++;
  }
  await work(world);
  return crashes;
}

Deno.test("nobody gets two mails, after crashes and pauses", async (t) => {
  for (const seed of [1, 2, 3]) {
    await t.step(`seed ${seed}`, async () => {
      const random = createRandom(seed);
      await using world = await createCampaignWorld();
      await listen(world);
      const people = [...crowd(300), ...crowd(300).filter(() => random() < 0.2)];
      await addPeople(world, people.toSorted(() => random() - 0.5));
      const id = await createCampaign(world, { per_minute: 1000 });
      await send(world, id);
      const sent: string[] = [];
      let crashes = 0;
      let pauses = 0;
      for (let round = 0; round < 300; round++, world.now += 1000) {
        crashes += await workWithCrashes(world, random);
        sent.push(...await handOver(world));
        const { state } = await read(world, id);
        if (state === "completed") break;
        if (random() < 0.3) {
          await change(world, id, { action: "pause" });
          pauses++;
          crashes += await workWithCrashes(world, random);
          assert.deepEqual(await handOver(world), [], "a paused campaign sends nothing");
          world.now += 20_000;
          await change(world, id, { action: "resume" });
        }
      }
      assert(crashes >= 5 && pauses >= 2, `${crashes} crashes, ${pauses} pauses`);
      assert.deepEqual(sent.toSorted(), crowd(300).map(({ email }) => email!).toSorted());
      const outcome = await readOutcome(world, id);
      assert.deepEqual([outcome.recipients, outcome.sent], [300, 300]);
      assertAddsUp(outcome);
      const events = (await readEvents(world)).map(([type]) => type);
      assert.deepEqual(events, ["campaign.sent", "campaign.completed"]);
    });
  }
});

Deno.test("a campaign of 3,000 that is killed five times and paused twice reaches each address once", async () => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  await listen(world);
  await sql`
    insert into public.customers (workspace_id, id, email)
    select ${workspaceId}, private.uuid_v7(), 'p' || n % 3000 || '@example.com'
    from generate_series(1, 3100) as n`;
  await sql`
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    select workspace_id, ${world.segmentId}, 0, id, now() from public.customers`;
  await sql`
    insert into public.send_settings (workspace_id, campaign_confirm_above)
    values (${workspaceId}, 1000000)`;
  const id = await createCampaign(world);
  await send(world, id);
  for (let crash = 0; crash < 3; crash++) await crashInStep(world);
  await work(world);
  // The outcomes, without the hand-over, which would take minutes.
  const settle = () =>
    sql`
      with gone as (
        delete from private.send_queue returning workspace_id, send_id
      )
      update public.sends as s set state = 'sent' from gone as g
      where s.workspace_id = g.workspace_id and s.queued_at = private.uuid_v7_time(g.send_id)
        and s.id = g.send_id`;
  for (let round = 0; round < 50 && (await read(world, id)).state !== "completed"; round++) {
    await settle();
    world.now += 1000;
    if (round < 2) {
      await crashInStep(world);
      await change(world, id, { action: "pause" });
      assert.equal(await work(world), 0);
      await change(world, id, { action: "resume" });
    }
    await work(world);
  }
  const outcome = await readOutcome(world, id);
  assert.deepEqual([outcome.recipients, outcome.sent], [3000, 3000]);
  const [row] = await sql<{ sends: number; emails: number }[]>`
    select count(*)::int as sends, count(distinct email)::int as emails
    from public.sends where campaign_id = ${id}`;
  assert.deepEqual(row, { sends: 3000, emails: 3000 });
  assert.equal((await readEvents(world)).length, 2);
});
