import assert from "node:assert/strict";
import {
  addPeople,
  assertAddsUp,
  type CampaignWorld,
  change,
  createCampaign,
  createCampaignWorld,
  crowd,
  handOver,
  insertSegment,
  insertTemplate,
  listen,
  nextYear,
  read,
  readEvents,
  readOutcome,
  runUntilEnd,
  send,
  start,
  work,
} from "./campaign_world.ts";

/** The recipients of a campaign with their times and variants, by address. */
async function readRecipients({ sql, workspaceId }: CampaignWorld, campaignId: string) {
  const rows = await sql<
    { email: string; due_at: Date; variant: number | null; state: string; reason: string | null }[]
  >`
    select c.email, r.due_at, r.variant, r.state, r.reason
    from private.campaign_recipients as r
    join public.customers as c on c.workspace_id = r.workspace_id and c.id = r.customer_id
    where r.workspace_id = ${workspaceId} and r.campaign_id = ${campaignId}
    order by c.email`;
  return rows;
}

Deno.test("a campaign sends one mail to each address of its segment", async () => {
  await using world = await createCampaignWorld();
  await listen(world);
  await addPeople(world, [
    ...crowd(5),
    { email: " PERSON-1@example.com" },
    { email: null },
    { email: "" },
  ]);
  const excluded = await insertSegment(world.sql, world.workspaceId, "staff");
  const [both] = await addPeople(world, [{ email: "staff@example.com" }]);
  await world.sql`
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    values (${world.workspaceId}, ${excluded}, 0, ${both!}, now())`;
  const id = await createCampaign(world, { exclude: ["staff"] });
  await send(world, id);
  const sent = await runUntilEnd(world, id);
  assert.deepEqual(sent.toSorted(), crowd(5).map(({ email }) => email));
  const { state, recipients } = await read(world, id);
  assert.deepEqual([state, recipients], ["completed", "5"]);
  const campaign = { id, name: "Sale" };
  assert.deepEqual(await readEvents(world), [
    ["campaign.sent", { campaign, recipients: 5 }],
    ["campaign.completed", {
      campaign,
      recipients: 5,
      sent: 5,
      skipped: {},
      failed: 0,
      unknown: 0,
    }],
  ]);
});

Deno.test("the hash of a recipient is private.address_hash() of the address", async () => {
  await using world = await createCampaignWorld();
  const emails = ["ada@example.com", " Ada.B@Example.com\t", "ÄÖ@Example.com", "a\u0308@x.de"];
  await addPeople(world, emails.map((email) => ({ email })));
  const id = await createCampaign(world);
  await send(world, id);
  await work(world);
  const [row] = await world.sql<{ same: number; all: number }[]>`
    select
      count(*)::int as all,
      count(*) filter (
        where r.address_hash = private.address_hash(c.workspace_id, 'email', c.email)
      )::int as same
    from private.campaign_recipients as r
    join public.customers as c on c.workspace_id = r.workspace_id and c.id = r.customer_id`;
  assert.deepEqual(row, { all: emails.length, same: emails.length });
});

Deno.test("outcomes of all kinds add up", async () => {
  await using world = await createCampaignWorld();
  await listen(world);
  await addPeople(world, crowd(20));
  const { sql, workspaceId } = world;
  await sql`
    select private.suppress(${workspaceId},
      '[{"email": "person-1@example.com", "reason": "manual", "source": "api"}]')`;
  await sql`
    select private.set_consents(${workspaceId}, ${
    JSON.stringify([{
      address: "person-2@example.com",
      topic_id: world.topicId,
      subscribed: false,
      source: "link",
    }])
  }::text::jsonb)`;
  const id = await createCampaign(world);
  await send(world, id);
  const refuse = (email: string) =>
    email.startsWith("person-3@") ? "unknown" : email.startsWith("person-4@") ? "status_400" : null;
  const sent = await runUntilEnd(world, id, { refuse });
  assert.equal(sent.length, 16);
  const outcome = await readOutcome(world, id);
  assert.deepEqual(outcome, {
    recipients: 20,
    sent: 16,
    skipped: { suppressed: 1, unsubscribed: 1 },
    failed: 2,
    unknown: 1,
  });
  assertAddsUp(outcome);
  // The provider's own news settles what was unknown.
  await sql`
    update public.sends set state = 'sent' where workspace_id = ${workspaceId} and state = 'unknown'`;
  assert.deepEqual(await readOutcome(world, id), { ...outcome, sent: 17, failed: 1, unknown: 0 });
  assert.equal((await readEvents(world)).length, 2);
});

Deno.test("a scheduled campaign begins at its time", async () => {
  await using world = await createCampaignWorld();
  await addPeople(world, crowd(3));
  const id = await createCampaign(world, { send_at: nextYear("03-03T09:00") });
  await change(world, id, { action: "start" });
  assert.equal((await read(world, id)).state, "scheduled");
  world.now = Date.parse(nextYear("03-03T07:59:59Z"));
  assert.equal(await work(world), 0);
  await addPeople(world, crowd(2, "late"));
  world.now = Date.parse(nextYear("03-03T08:00:00Z"));
  assert.equal((await runUntilEnd(world, id)).length, 5);
});

Deno.test("with zone customer, each recipient gets it at that local time, within a day", async () => {
  await using world = await createCampaignWorld();
  const zones: Record<string, string> = {
    "Europe/Berlin": nextYear("03-02T08:00:00Z"),
    "America/New_York": nextYear("03-02T14:00:00Z"),
    "Asia/Kathmandu": nextYear("03-03T03:15:00Z"),
    "Pacific/Kiritimati": nextYear("03-02T19:00:00Z"),
  };
  await addPeople(world, [
    ...Object.keys(zones).map((timezone) => ({ email: `${timezone}@example.com`, timezone })),
    { email: "nowhere@example.com" },
  ]);
  const id = await createCampaign(world, { zone: "customer" });
  await send(world, id);
  await work(world);
  const due = new Map((await readRecipients(world, id)).map((row) => [row.email, row.due_at]));
  for (const [zone, at] of Object.entries(zones)) {
    assert.equal(due.get(`${zone}@example.com`)!.toISOString(), new Date(at).toISOString(), zone);
  }
  assert.equal(due.get("nowhere@example.com")!.getTime(), start);
  assert.deepEqual((await handOver(world)).toSorted(), [
    "Europe/Berlin@example.com",
    "nowhere@example.com",
  ]);
  const [job] = await world.sql<{ due_at: Date }[]>`select due_at from private.campaign_jobs`;
  world.now = job!.due_at.getTime();
  await work(world);
  assert.deepEqual(await handOver(world), [], "nothing is sent before its time");
  await runUntilEnd(world, id);
  assert.equal((await readOutcome(world, id)).sent, 5);
  assert(world.now >= Date.parse(nextYear("03-03T03:15:00Z")));
});

Deno.test("per_minute is never exceeded, and spread_over spreads", async (t) => {
  await using world = await createCampaignWorld();
  await addPeople(world, crowd(100));
  await t.step("per_minute", async () => {
    const id = await createCampaign(world, { per_minute: 30 });
    await send(world, id);
    const times: number[] = [];
    for (let second = 0; second < 400 && times.length < 100; second++) {
      await work(world);
      times.push(...(await handOver(world)).map(() => second));
      world.now += 1000;
    }
    assert.equal(times.length, 100);
    for (let from = 0; from < 400; from++) {
      const inMinute = times.filter((at) => at >= from && at < from + 60).length;
      assert(inMinute <= 30, `${inMinute} from second ${from}`);
    }
    assert(times.at(-1)! <= 210, String(times.at(-1)));
  });
  await t.step("spread_over", async () => {
    const id = await createCampaign(world, { spread_over: "1h" });
    const from = world.now;
    await send(world, id);
    await work(world);
    const offsets = (await readRecipients(world, id)).map(({ due_at }) => due_at.getTime() - from);
    assert(offsets.every((offset) => offset >= 0 && offset <= 3_600_000));
    for (let quarter = 0; quarter < 4; quarter++) {
      const inside = offsets.filter((offset) => Math.floor(offset / 900_000) === quarter);
      assert(inside.length > 8, `${inside.length} in quarter ${quarter}`);
    }
  });
});

Deno.test("what cannot leave by not_after is skipped", async () => {
  await using world = await createCampaignWorld();
  await addPeople(world, crowd(4));
  const id = await createCampaign(world, { not_after: "1h" });
  await send(world, id);
  await work(world);
  await change(world, id, { action: "pause" });
  world.now += 2 * 3_600_000;
  await change(world, id, { action: "resume" });
  assert.deepEqual(await runUntilEnd(world, id), []);
  assert.deepEqual((await readOutcome(world, id)).skipped, { too_late: 4 });
});

Deno.test("variants get their shares, and the rest the winner", async (t) => {
  await using world = await createCampaignWorld();
  await insertTemplate(world.sql, world.workspaceId, "other");
  await addPeople(world, crowd(200));
  const variants = [{ template: "sale", weight: 3 }, { template: "other", weight: 1 }];
  await t.step("without a winner", async () => {
    const id = await createCampaign(world, { template: null, variants });
    await send(world, id);
    await runUntilEnd(world, id);
    const rows = await world.sql<{ variant: number; template: string; count: number }[]>`
      select s.variant, t.key as template, count(*)::int as count
      from public.sends as s
      join public.templates as t on t.workspace_id = s.workspace_id and t.id = s.template_id
      where s.campaign_id = ${id} group by 1, 2 order by 1`;
    assert.deepEqual([...rows], [
      { variant: 0, template: "sale", count: 150 },
      { variant: 1, template: "other", count: 50 },
    ]);
  });
  await t.step("with a winner by opens", async () => {
    const winner = { share: 20, after: "4h", by: "opened" };
    const id = await createCampaign(world, {
      variants: variants.map((variant) => ({ ...variant, weight: 1 })),
      winner,
    });
    await send(world, id);
    await work(world);
    assert.equal((await handOver(world)).length, 40);
    await world.sql`
      update public.sends set opened_at = now() where campaign_id = ${id} and variant = 1`;
    world.now += 3 * 3_600_000;
    await work(world);
    assert.deepEqual(await handOver(world), []);
    world.now += 3_600_000;
    assert.equal((await runUntilEnd(world, id)).length, 160);
    assert.equal((await read(world, id)).winner_variant, 1);
    const rows = await world.sql<{ variant: number; count: number }[]>`
      select variant, sum(count)::int as count from private.campaign_counts
      where campaign_id = ${id} and kind in ('sent', 'recipients') group by 1, kind order by 1, kind`;
    assert.deepEqual(rows.filter(({ count }) => count > 0).map((row) => [row.variant, row.count]), [
      [0, 20],
      [0, 20],
      [1, 180],
      [1, 180],
    ]);
  });
});

/** A campaign whose test by goal was handed over to 20 people. */
async function testByGoal(world: CampaignWorld): Promise<string> {
  await insertTemplate(world.sql, world.workspaceId, "other");
  await addPeople(world, crowd(20));
  const id = await createCampaign(world, {
    variants: [{ template: "sale", weight: 1 }, { template: "other", weight: 1 }],
    winner: { share: 50, after: "1h", by: "goal" },
    goal: { event: "order_completed", where: [{ property: "total", op: "gte", value: 10 }] },
  });
  await send(world, id);
  await work(world);
  await handOver(world);
  return id;
}

/** Stores an order of each of these customers, a minute from now. */
async function order({ sql, workspaceId, now }: CampaignWorld, ids: string[], total: number) {
  await sql`
    with buyers as (
      insert into public.identities (workspace_id, kind, value, customer_id)
      select ${workspaceId}, 'external', k.id::text, k.id from jsonb_array_elements_text(${
    sql.json(ids)
  }) as i (text)
      cross join lateral (select i.text::uuid as id) as k
      returning id
    )
    insert into public.events (
      workspace_id, id, identity_id, kind, name, properties, context, occurred_at, received_at
    )
    select ${workspaceId}, private.uuid_v7(t.at), b.id, 'event', 'order_completed',
      ${sql.json({ total })}, '{}', t.at, t.at
    from buyers as b
    cross join (select ${new Date(now + 60_000)}::timestamptz as at) as t`;
}

async function readVariant({ sql }: CampaignWorld, id: string, variant: number) {
  const rows = await sql<{ customer_id: string }[]>`
    select customer_id from private.campaign_recipients
    where campaign_id = ${id} and variant = ${variant} order by customer_id`;
  return rows.map(({ customer_id }) => customer_id);
}

Deno.test("the winner by goal is the variant whose recipients had the event", async () => {
  await using world = await createCampaignWorld();
  const id = await testByGoal(world);
  const [first] = await readVariant(world, id, 0);
  const [second] = await readVariant(world, id, 1);
  await order(world, [first!], 9);
  await order(world, [second!], 10);
  world.now += 3_600_000;
  await runUntilEnd(world, id);
  assert.equal((await read(world, id)).winner_variant, 1);
  const goals = await world.sql`
    select variant, count::int from private.campaign_counts
    where campaign_id = ${id} and kind = 'goal'`;
  assert.deepEqual([...goals], [{ variant: 1, count: 1 }]);
});

Deno.test("the winner by goal has the highest share, also of more recipients than are checked", async () => {
  await using world = await createCampaignWorld();
  const { sql, workspaceId } = world;
  const id = await testByGoal(world);
  const others = await readVariant(world, id, 1);
  await order(world, others.slice(1), 10);
  const many = await addPeople(world, crowd(12_000, "buyer"));
  await order(world, many, 10);
  // As autovacuum does within a minute.
  await sql`analyze public.events, public.identities`;
  await sql`
    insert into private.campaign_recipients (
      workspace_id, campaign_id, customer_id, address_hash, variant, due_at, state
    )
    select ${workspaceId}, ${id}, k.id, sha256(k.id::text::bytea), 0, now(), 'queued'
    from jsonb_array_elements_text(${sql.json(many)}) as i (text)
    cross join lateral (select i.text::uuid as id) as k`;
  await sql`
    insert into private.campaign_counts (workspace_id, campaign_id, variant, kind, count)
    values (${workspaceId}, ${id}, 0, 'sent', ${many.length})`;
  world.now += 3_600_000;
  await work(world);
  assert.equal((await read(world, id)).winner_variant, 0);
  const goals = await sql`
    select kind, count::int from private.campaign_counts
    where campaign_id = ${id} and variant = 0 and kind like 'goal%' order by kind`;
  assert.equal(goals[0]!.count > 9_980, true, "nearly all of those checked");
  assert.deepEqual(goals[1], { kind: "goal_of", count: 10_000 });
});
