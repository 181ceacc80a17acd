import assert from "node:assert/strict";
import { addRule, checkAlerts, readAlerts } from "../../testing/data/alerts.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { createSendWorld } from "../../testing/service/send_world.ts";

const minuteMs = 60_000;

interface Notice {
  event_type: string;
  payload: { alert: { id: string; state: string; message: string } };
  text: string;
}

/** Disables or enables the watched destination, as an operator does. */
function setEnabled({ sql }: DispatchWorld, id: string, enabled: boolean) {
  return sql`update public.destinations set enabled = ${enabled} where id = ${id}`;
}

/** Bodies of the messages about alerts, oldest first, each with how often it is queued. */
async function readNotices({ sql }: DispatchWorld): Promise<[Notice, number][]> {
  const rows = await sql<{ body: string; queued: number }[]>`
    select m.body, (
      select count(*)::integer from private.webhook_queue as q where q.message_id = m.id
    ) as queued
    from public.webhook_messages as m
    where m.event_type like 'alert.%'
    order by m.created_at, m.id`;
  return rows.map(({ body, queued }) => [JSON.parse(body), queued]);
}

/** A world with a rule about a destination that was just disabled, and a destination for notices. */
async function createAlertWorld(rule: Parameters<typeof addRule>[2] = {}) {
  const world = await createDispatchWorld();
  const watched = await world.addDestination({ eventTypes: ["order_created"] });
  const ops = await world.addDestination({ eventTypes: ["order_created"] });
  const { sql, workspaceId } = world;
  const channels = [{ type: "destination", destination_id: ops.id }];
  const kind = "destination_disabled";
  const ruleId = await addRule(sql, workspaceId, { kind, targetId: watched.id, channels, ...rule });
  await setEnabled(world, watched.id, false);
  return { world, watchedId: watched.id, opsId: ops.id, ruleId };
}

Deno.test("an opening causes one notice, however often the rule is checked and by how many at once", async () => {
  const { world, opsId } = await createAlertWorld();
  await using _ = world;
  const start = world.clock.now.getTime();
  await Promise.all([1, 2, 3].map(() => checkAlerts(world.sql, new Date(start))));
  for (const n of [1, 2, 3, 4]) await checkAlerts(world.sql, new Date(start + n * minuteMs));

  const notices = await readNotices(world);
  assert.equal(notices.length, 1);
  const [{ event_type, payload, text }, queued] = notices[0]!;
  assert.equal(event_type, "alert.opened");
  assert.equal(queued, 1);
  assert.equal(payload.alert.state, "open");
  assert.match(payload.alert.message, /^Destination ".+" was disabled$/);
  assert.equal(text, `Alert: ${payload.alert.message} (Test)`);
  const [row] = await world.sql`select destination_id from private.webhook_queue`;
  assert.equal(row!.destination_id, opsId);
});

Deno.test("a destination that is a channel and subscribes as well gets one message", async () => {
  const { world, opsId } = await createAlertWorld();
  await using _ = world;
  await world.sql`update public.destinations set event_types = '{alert.*}' where id = ${opsId}`;
  const subscriber = await world.addDestination({ eventTypes: ["alert.opened"] });
  await checkAlerts(world.sql, world.clock.now);
  const rows = await world.sql`
    select destination_id from private.webhook_queue order by destination_id`;
  assert.deepEqual(
    rows.map(({ destination_id }) => destination_id),
    [opsId, subscriber.id].toSorted(),
  );
});

Deno.test("an alert about a destination is sent to the others only, also when it is resolved", async () => {
  const { world, watchedId, opsId } = await createAlertWorld();
  await using _ = world;
  const { sql, clock } = world;
  const channels = [watchedId, opsId].map((id) => ({ type: "destination", destination_id: id }));
  await sql`update public.alert_rules set channels = ${JSON.stringify(channels)}::text::jsonb`;
  await sql`update public.destinations set event_types = '{*}' where id = ${watchedId}`;
  await checkAlerts(sql, clock.now);
  await setEnabled(world, watchedId, true);
  await checkAlerts(sql, new Date(clock.now.getTime() + minuteMs));
  const rows = await sql`
    select m.event_type, q.destination_id
    from private.webhook_queue as q
    join public.webhook_messages as m on m.id = q.message_id
    where m.event_type like 'alert.%'
    union all
    select m.event_type, s.destination_id
    from public.missed_messages as s
    join public.webhook_messages as m on m.id = s.message_id
    where m.event_type like 'alert.%'
    order by 1, 2`;
  assert.deepEqual(rows.map(({ event_type, destination_id }) => [event_type, destination_id]), [
    ["alert.opened", opsId],
    ["alert.resolved", opsId],
  ]);
});

Deno.test("a recovery is reported once, unless the rule says otherwise", async (t) => {
  for (const notifyResolved of [true, false]) {
    await t.step(`${notifyResolved}`, async () => {
      const { world, watchedId } = await createAlertWorld({ notifyResolved });
      await using _ = world;
      const start = world.clock.now.getTime();
      await checkAlerts(world.sql, new Date(start));
      await setEnabled(world, watchedId, true);
      for (const n of [1, 2, 3]) await checkAlerts(world.sql, new Date(start + n * minuteMs));
      const types = (await readNotices(world)).map(([{ event_type }]) => event_type);
      assert.deepEqual(
        types,
        notifyResolved ? ["alert.opened", "alert.resolved"] : ["alert.opened"],
      );
    });
  }
});

Deno.test("a target that flaps causes no second notice within the quiet time", async () => {
  const { world, watchedId } = await createAlertWorld({
    repeatAfterMinutes: 30,
    notifyResolved: false,
  });
  await using _ = world;
  const start = world.clock.now.getTime();
  const check = (minutes: number) => checkAlerts(world.sql, new Date(start + minutes * minuteMs));
  const count = async () => (await readNotices(world)).length;
  await check(0);
  for (const minutes of [2, 6, 10]) {
    await setEnabled(world, watchedId, true);
    await check(minutes);
    await setEnabled(world, watchedId, false);
    await check(minutes + 2);
  }
  assert.equal(await count(), 1);
  assert.equal((await readAlerts(world.sql, world.workspaceId)).length, 4);
  await check(29);
  assert.equal(await count(), 1);
  // It has been open since: now it is time to say so again.
  await check(31);
  assert.equal(await count(), 2);
  await check(90);
  assert.equal(await count(), 2);
});

Deno.test("notices wait for the end of the quiet hours, in the zone of the workspace", async () => {
  const { world, watchedId } = await createAlertWorld({
    quietHours: { from: "22:00", to: "07:00" },
  });
  await using _ = world;
  const { sql, workspaceId } = world;
  await sql`update public.workspaces set timezone = 'Asia/Tokyo' where id = ${workspaceId}`;
  // 23:30 in Tokyo.
  await checkAlerts(sql, new Date("2026-11-23T14:30:00Z"));
  await checkAlerts(sql, new Date("2026-11-23T21:59:00Z"));
  assert.deepEqual(await readNotices(world), []);
  const [open] = await readAlerts(sql, workspaceId);
  assert.deepEqual([open!.state, open!.notified_at], ["open", null]);
  await checkAlerts(sql, new Date("2026-11-23T22:01:00Z"));
  assert.equal((await readNotices(world)).length, 1);

  // Over before the quiet hours end: nobody needs to know.
  await setEnabled(world, watchedId, true);
  await checkAlerts(sql, new Date("2026-11-23T23:30:00Z"));
  await setEnabled(world, watchedId, false);
  await checkAlerts(sql, new Date("2026-11-24T14:30:00Z"));
  await setEnabled(world, watchedId, true);
  await checkAlerts(sql, new Date("2026-11-24T15:30:00Z"));
  await checkAlerts(sql, new Date("2026-11-24T23:30:00Z"));
  const types = (await readNotices(world)).map(([{ event_type }]) => event_type);
  assert.deepEqual(types, ["alert.opened", "alert.resolved"]);
});

Deno.test("a rule that is deleted or disabled resolves its alerts and sends nothing", async (t) => {
  const ends = {
    rule_deleted: "delete from public.alert_rules",
    rule_disabled: "update public.alert_rules set enabled = false",
  };
  for (const [resolvedBy, statement] of Object.entries(ends)) {
    await t.step(resolvedBy, async () => {
      const { world } = await createAlertWorld();
      await using _ = world;
      await checkAlerts(world.sql, world.clock.now);
      await world.sql.unsafe(statement);
      const later = new Date(world.clock.now.getTime() + minuteMs);
      assert.equal(await checkAlerts(world.sql, later), 0);
      const [alert] = await readAlerts(world.sql, world.workspaceId);
      assert.deepEqual([alert!.state, alert!.resolved_by], ["resolved", resolvedBy]);
      assert.equal((await readNotices(world)).length, 1);
    });
  }
});

Deno.test("the alert of a deleted target is resolved, and sends nothing", async (t) => {
  const rules = { "of a rule about all": { targetId: null }, "of a rule about it alone": {} };
  for (const [name, rule] of Object.entries(rules)) {
    await t.step(name, async () => {
      const { world, watchedId } = await createAlertWorld(rule);
      await using _ = world;
      await checkAlerts(world.sql, world.clock.now);
      await world.sql`delete from public.destinations where id = ${watchedId}`;
      await checkAlerts(world.sql, new Date(world.clock.now.getTime() + minuteMs));
      const [alert] = await readAlerts(world.sql, world.workspaceId);
      assert.deepEqual([alert!.state, alert!.resolved_by], ["resolved", "target_deleted"]);
      assert.match(alert!.message, /^Destination ".+" was deleted$/);
      assert.equal((await readNotices(world)).length, 1);
    });
  }
});

Deno.test("a name cannot mention people in a chat, and events of a workspace get no text", async () => {
  const { world, watchedId } = await createAlertWorld();
  await using _ = world;
  await world.sql`
    update public.destinations set name = '<!channel> & "co"' where id = ${watchedId}`;
  await checkAlerts(world.sql, world.clock.now);
  const [[{ text }]] = await readNotices(world) as [[Notice, number]];
  assert(text.startsWith('Alert: Destination "&lt;!channel&gt; &amp; "co"" was disabled'), text);

  await world.addDestination({ eventTypes: ["alert.opened"] });
  await world.publish("alert.opened", { alert: 1 }, {}, { alert: { message: 7 } });
  const texts = (await readNotices(world)).map(([body]) => body.text);
  assert.deepEqual(texts.filter((shown) => shown !== text), [undefined, undefined, undefined]);
});

Deno.test("a mail goes to each address once, through the queue of its sender", async () => {
  await using world = await createSendWorld();
  const { sql, workspaceId } = world;
  const receiver = await world.receive();
  const sender_id = await world.addSender(receiver.port);
  const to = ["ada@example.com", "grace@example.com"];
  await addRule(sql, workspaceId, {
    kind: "quota",
    threshold: 1,
    channels: [{ type: "email", sender_id, to }],
  });
  await sql`
    insert into public.usage_stats (workspace_id, hour, events, customers, bytes)
    select w.id, date_trunc('hour', ${world.clock.now}::timestamptz), 1, 0, p.ingest_bytes_per_day
    from public.workspaces as w join public.plans as p on p.id = w.plan_id
    where w.id = ${workspaceId}`;
  await checkAlerts(sql, world.clock.now);
  await checkAlerts(sql, new Date(world.clock.now.getTime() + minuteMs));
  await world.dispatch();
  const mails = receiver.requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)));
  assert.deepEqual(mails.map((mail) => mail.to[0]).toSorted(), to);
  for (const mail of mails) {
    assert(mail.subject.startsWith("Alert: 100 % of the ingest quota is used ("), mail.subject);
    assert(mail.text.includes("Rule: Watch\n"), mail.text);
  }
});
