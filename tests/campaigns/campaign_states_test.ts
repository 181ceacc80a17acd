import assert from "node:assert/strict";
import {
  addPeople,
  assertAddsUp,
  change,
  createCampaign,
  createCampaignWorld,
  crowd,
  handOver,
  insertTemplate,
  listen,
  nextYear,
  read,
  readEvents,
  readOutcome,
  runUntilEnd,
  send,
  work,
} from "./campaign_world.ts";
import { eraseCustomers } from "../../testing/data/erasures.ts";

const refused = (message: RegExp) => ({ message });

Deno.test("each state allows its actions and refuses the others", async () => {
  await using world = await createCampaignWorld();
  await addPeople(world, crowd(2));
  const id = await createCampaign(world);
  for (const action of ["pause", "resume", "cancel"] as const) {
    await assert.rejects(change(world, id, { action }), refused(/campaign: it is draft/), action);
  }
  const options = { send_at: nextYear("03-23T18:00") };
  await change(world, id, { action: "start", options });
  await assert.rejects(change(world, id, { action: "pause" }), refused(/it is scheduled/));
  await send(world, id);
  await assert.rejects(send(world, id), refused(/Cannot send campaign: it is sending/));
  await work(world);
  await change(world, id, { action: "pause" });
  await assert.rejects(change(world, id, { action: "pause" }), refused(/it is paused/));
  await change(world, id, { action: "resume" });
  assert.equal((await runUntilEnd(world, id)).length, 2);
  for (const action of ["pause", "resume", "cancel", "start"] as const) {
    await assert.rejects(change(world, id, { action, options }), refused(/it is completed/));
  }
  const late = await createCampaign(world, { send_at: "2026-11-01T09:00:00Z" });
  await assert.rejects(change(world, late, { action: "start" }), refused(/must be in the future/));
});

Deno.test("a pause holds what is queued too, and a resumed campaign continues", async () => {
  await using world = await createCampaignWorld();
  await addPeople(world, crowd(50));
  const id = await createCampaign(world);
  await send(world, id);
  await work(world);
  await change(world, id, { action: "pause" });
  for (let second = 0; second < 30; second++) {
    assert.deepEqual(await handOver(world), []);
    assert.equal(await work(world), 0);
    world.now += 1000;
  }
  await change(world, id, { action: "resume" });
  assert.equal(new Set(await runUntilEnd(world, id)).size, 50);
  assertAddsUp(await readOutcome(world, id));
});

Deno.test("a cancelled campaign sends nothing more, and its numbers add up", async () => {
  await using world = await createCampaignWorld();
  await listen(world);
  await addPeople(world, crowd(50));
  const id = await createCampaign(world, { per_minute: 60 });
  await send(world, id);
  await work(world);
  const before = await handOver(world);
  assert(before.length > 0 && before.length < 50);
  await change(world, id, { action: "cancel" });
  for (let second = 0; second < 20; second++) {
    await work(world);
    assert.deepEqual(await handOver(world), []);
    world.now += 1000;
  }
  const outcome = await readOutcome(world, id);
  assert.deepEqual([outcome.sent, outcome.skipped.cancelled], [before.length, 50 - before.length]);
  assertAddsUp(outcome);
  assert.deepEqual((await readEvents(world)).map(([type]) => type), ["campaign.sent"]);
});

Deno.test("over campaign_confirm_above, sending needs the number of recipients", async () => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  await sql`
    insert into public.send_settings (workspace_id, campaign_confirm_above)
    values (${workspaceId}, 10)`;
  await addPeople(world, [...crowd(11), { email: "person-1@example.com" }]);
  const id = await createCampaign(world);
  await assert.rejects(send(world, id), refused(/it has 11 recipients. Over 10/));
  await assert.rejects(send(world, id, 12), refused(/it has 11 recipients/));
  await send(world, id, 11);
  assert.equal((await runUntilEnd(world, id)).length, 11);
  // An audience that grew until its time.
  const grown = await createCampaign(world, { send_at: nextYear("03-24T09:00") });
  await change(world, grown, { action: "start", options: { recipients: 11 } });
  await addPeople(world, crowd(5, "new"));
  world.now = Date.parse(nextYear("03-24T08:00:00Z"));
  assert.deepEqual(await runUntilEnd(world, grown), []);
  const { state, reason } = await read(world, grown);
  assert.deepEqual([state, reason], ["paused", "confirmation"]);
  await assert.rejects(change(world, grown, { action: "resume" }), refused(/it has 16 recipients/));
  await change(world, grown, { action: "resume", options: { recipients: 16 } });
  assert.equal((await runUntilEnd(world, grown)).length, 16);
});

Deno.test("complaints above the share pause a campaign after 500 sends, and say why", async () => {
  await using world = await createCampaignWorld();
  const { sql } = world;
  await addPeople(world, crowd(3000));
  const id = await createCampaign(world, { per_minute: 6000 });
  await send(world, id);
  let sent = 0;
  const complain = (count: number) =>
    sql`
      update public.sends set feedback = 'complained' where (queued_at, id) in (
        select queued_at, id from public.sends
        where campaign_id = ${id} and state = 'sent' and feedback is null limit ${count}
      )`;
  for (; sent < 400; world.now += 1000) {
    await work(world);
    sent += (await handOver(world)).length;
    if (sent > 0 && sent <= 200) await complain(10);
  }
  assert.equal((await read(world, id)).state, "sending", "not before 500 sends");
  sent += (await runUntilEnd(world, id)).length;
  const { state, reason, explanation } = await read(world, id);
  assert.deepEqual([state, reason], ["paused", "complaint_rate"]);
  assert.match(
    explanation!,
    /^\d+ of \d+ recipients complained \(\d+\.\d+ %\), and the limit is 0.5 %$/,
  );
  assert(sent >= 500 && sent < 3000, String(sent));
  const [entry] = await sql<{ action: string; details: unknown }[]>`
    select action, details from public.audit_log where entity_id = ${id}`;
  assert.deepEqual(entry, { action: "campaign.pause", details: { reason: "complaint_rate" } });
  // A caller who resumes has seen these.
  await change(world, id, { action: "resume" });
  sent += (await runUntilEnd(world, id)).length;
  assert.equal((await read(world, id)).state, "completed");
  assert.equal(sent, 3000);
});

Deno.test("a template, sender or topic that is deleted while sending pauses the campaign", async (t) => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  await addPeople(world, crowd(100));
  const cases = {
    templates: "template_deleted",
    topics: "topic_deleted",
    senders: "sender_deleted",
  };
  for (const [table, expected] of Object.entries(cases)) {
    await t.step(table, async () => {
      await insertTemplate(sql, workspaceId, `${table}-t`);
      await sql`
        insert into public.topics (workspace_id, key, name, default_state)
        values (${workspaceId}, ${`${table}-o`}, 'x', 'subscribed')`;
      await sql`
        insert into public.senders (workspace_id, key, name, provider, from_address)
        values (${workspaceId}, ${`${table}-s`}, 'x', 'resend', 'x@example.com')`;
      const id = await createCampaign(world, {
        template: `${table}-t`,
        topic: `${table}-o`,
        sender: `${table}-s`,
        per_minute: 60,
      });
      await send(world, id);
      await work(world);
      const before = await handOver(world);
      await sql`
        delete from ${sql("public." + table)}
        where workspace_id = ${workspaceId} and key = ${`${table}-${
        cases[table as "topics"] === "topic_deleted" ? "o" : table[0]
      }`}`;
      world.now += 1000;
      const after = await runUntilEnd(world, id);
      const { state, reason } = await read(world, id);
      assert.deepEqual([state, reason], ["paused", expected]);
      assert(before.length + after.length < 100);
      await assert.rejects(change(world, id, { action: "resume" }), refused(/was deleted/));
      await change(world, id, { action: "cancel" });
      for (let second = 0; second < 20; second++, world.now += 1000) {
        await work(world);
        await handOver(world);
      }
      assertAddsUp(await readOutcome(world, id));
    });
  }
});

Deno.test("a segment that is deleted before its audience is fixed cancels the campaign", async () => {
  await using world = await createCampaignWorld();
  await addPeople(world, crowd(3));
  const id = await createCampaign(world, { send_at: nextYear("03-23T18:00") });
  await change(world, id, { action: "start" });
  await world.sql`delete from public.segments where id = ${world.segmentId}`;
  world.now = Date.parse(nextYear("03-23T17:00:00Z"));
  await work(world);
  const { state, reason } = await read(world, id);
  assert.deepEqual([state, reason], ["cancelled", "segment_deleted"]);
  assertAddsUp(await readOutcome(world, id));
});

/** Merges customers as an alias does. */
async function merge(
  world: Awaited<ReturnType<typeof createCampaignWorld>>,
  into: string,
  id: string,
) {
  await world.sql`
    select private.move_customer(${into}, c, 'alias', ${new Date(world.now)})
    from public.customers as c where c.workspace_id = ${world.workspaceId} and c.id = ${id}`;
}

Deno.test("customers who merge while sending get one mail, also to a changed address", async () => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  const [a, b, c, d, e, f] = await addPeople(world, crowd(6));
  const [outside] = await addPeople(world, [{ email: "outside@example.com" }], crypto.randomUUID());
  // One mail a minute, so that merges come in between.
  const id = await createCampaign(world, { per_minute: 1 });
  await send(world, id);
  await work(world);
  const sent = await handOver(world);
  assert.deepEqual(sent, ["person-0@example.com"]);
  await merge(world, b!, a!); // a has got it: b gets none
  await merge(world, d!, c!); // both are recipients: one mail
  await merge(world, outside!, e!); // continues as somebody outside, at that address
  await sql`
    update public.customers set email = 'person-3@example.com'
    where workspace_id = ${workspaceId} and id = ${f!}`; // the address of d
  sent.push(...await runUntilEnd(world, id));
  assert.deepEqual(sent.toSorted(), [
    "outside@example.com",
    "person-0@example.com",
    "person-3@example.com",
  ]);
  const outcome = await readOutcome(world, id);
  assert.deepEqual(outcome.skipped, { merged: 2, same_address: 1 });
  assertAddsUp(outcome);
});

Deno.test("customers who are erased while sending leave numbers that add up", async () => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  await listen(world);
  const ids = await addPeople(world, crowd(30));
  const id = await createCampaign(world, { per_minute: 60 });
  await send(world, id);
  await work(world);
  const sent = await handOver(world);
  await work(world);
  // One who has got it, some who are queued, and some who wait.
  await eraseCustomers(sql, workspaceId, [ids[0]!, ...ids.slice(5, 25)]);
  for (let round = 0; round < 50; round++) {
    await sql`select private.work_erasures(1000, clock_timestamp() + ${round} * interval '2 minutes')`;
  }
  sent.push(...await runUntilEnd(world, id));
  assert.equal(new Set(sent).size, sent.length);
  const outcome = await readOutcome(world, id);
  assert.equal((await read(world, id)).state, "completed");
  assertAddsUp(outcome);
  assert.equal(outcome.recipients, 30);
  const [left] = await sql<{ count: number }[]>`
    select count(*)::int as count from private.campaign_recipients where customer_id = any (
      array(select jsonb_array_elements_text(${sql.json(ids.slice(5, 25))})::uuid)
    )`;
  assert.equal(left!.count, 0);
});

Deno.test("recipients are deleted 90 days after the end, and those of a deleted campaign at once", async () => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  await addPeople(world, crowd(3));
  const kept = await createCampaign(world);
  const deleted = await createCampaign(world);
  for (const id of [kept, deleted]) {
    await send(world, id);
    await runUntilEnd(world, id);
  }
  const outcome = await readOutcome(world, kept);
  await sql.begin(async (tx) => {
    await tx`
      select
        set_config('signalpost.workspace_id', ${workspaceId}, true),
        set_config('signalpost.scopes', 'campaigns:write', true)`;
    await tx`select private.delete_campaign(${workspaceId}, ${deleted}, ${new Date(world.now)})`;
  });
  await work(world);
  const count = async () => {
    const [row] = await sql<{ ids: string[] }[]>`
      select coalesce(jsonb_agg(distinct campaign_id), '[]') as ids from private.campaign_recipients`;
    return row!.ids;
  };
  assert.deepEqual(await count(), [kept]);
  world.now += 91 * 86_400_000;
  await work(world);
  assert.deepEqual(await count(), []);
  assert.deepEqual(await readOutcome(world, kept), outcome);
  const [jobs] = await sql<{ count: number }[]>`
    select count(*)::int as count from private.campaign_jobs`;
  assert.equal(jobs!.count, 0);
});
