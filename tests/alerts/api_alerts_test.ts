import assert from "node:assert/strict";
import { createApiEntities } from "../../testing/access/api_entities.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { checkAlerts } from "../../testing/data/alerts.ts";

async function createAlertsApi(world: ApiWorld) {
  const entities = await createApiEntities(world);
  const { workspaceId } = entities;
  const token = await world.signInAs("admin", workspaceId);
  const call = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
  return { entities, call };
}

Deno.test("a rule has the defaults of its kind, and keeps what an edit leaves out", async () => {
  await using world = await createApiWorld();
  const { entities: { destinationId, senderId }, call } = await createAlertsApi(world);
  const channels = [
    { type: "email", sender_id: senderId, to: ["ops@example.com"] },
    { type: "destination", destination_id: destinationId },
  ];
  const created = await call("POST", "/alert-rules", {
    name: "Slow",
    kind: "backlog",
    target_id: destinationId,
    channels,
    quiet_hours: { from: "22:00", to: "07:00" },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { id, created_at: _, updated_at: __, ...rule } = created.body;
  const [target] = await world.sql`
    select name from public.destinations where id = ${destinationId}`;
  assert.deepEqual(rule, {
    name: "Slow",
    kind: "backlog",
    target_id: destinationId,
    target_name: target!.name,
    threshold: 1000,
    window_minutes: 60,
    channels,
    repeat_after_minutes: 60,
    quiet_hours: { from: "22:00", to: "07:00" },
    notify_resolved: true,
    enabled: true,
    open_alerts: 0,
    firing_since: null,
    last_notified_at: null,
  });
  const edited = await call("PATCH", `/alert-rules/${id}`, { threshold: 5, target_id: null });
  assert.equal(edited.status, 200, JSON.stringify(edited.body));
  assert.deepEqual([edited.body.threshold, edited.body.target_id, edited.body.channels], [
    5,
    null,
    channels,
  ]);
});

Deno.test("a deleted destination or sender leaves the channels, and does not prevent other changes", async () => {
  await using world = await createApiWorld();
  const { entities: { destinationId, senderId }, call } = await createAlertsApi(world);
  const email = { type: "email", sender_id: senderId, to: ["ops@example.com"] };
  const destination = { type: "destination", destination_id: destinationId };
  const { body: { id } } = await call("POST", "/alert-rules", {
    name: "Slow",
    kind: "backlog",
    channels: [destination, email],
  });
  const channels = async () => (await call("GET", `/alert-rules/${id}`)).body.channels;
  assert.equal((await call("DELETE", `/destinations/${destinationId}`)).status, 204);
  assert.deepEqual(await channels(), [email]);
  await world.sql`delete from public.senders where id = ${senderId}`;
  assert.deepEqual(await channels(), []);
  const renamed = await call("PATCH", `/alert-rules/${id}`, { name: "Slower" });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
});

Deno.test("a workspace is deleted whose rule has two destinations as channels", async () => {
  await using world = await createApiWorld();
  const { sql, workspaceId } = world;
  const token = await world.signInAs("owner");
  const destinations = await sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    select ${workspaceId}, n, 'https://example.com', '{*}' from unnest('{One,Two}'::text[]) as n
    returning id`;
  const channels = destinations.map(({ id }) => ({ type: "destination", destination_id: id }));
  const rule = { name: "Slow", kind: "backlog", channels };
  const send = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId, body });
  assert.equal((await send("POST", "/alert-rules", rule)).status, 201);
  const { status, body } = await send("DELETE", `/workspaces/${workspaceId}`);
  assert.equal(status, 204, JSON.stringify(body));
});

Deno.test("a deleted target takes the rules along that watch only it", async () => {
  await using world = await createApiWorld();
  const { entities, call } = await createAlertsApi(world);
  const { destinationId, sourceId, senderId } = entities;
  const definition = { trigger: { event: "start" }, start: "end", steps: { end: { exit: {} } } };
  const { body: journey } = await call("POST", "/journeys", { name: "Draft", definition });
  const targets = [
    ["destination_failing", "destinations", destinationId],
    ["source_refusing", "sources", sourceId],
    ["sender_failing", "senders", senderId],
    ["journey_lag", "journeys", journey.id],
  ] as const;
  const names = async () =>
    (await call("GET", "/alert-rules")).body.data.map(({ name }: { name: string }) => name);
  for (const [kind] of targets) await call("POST", "/alert-rules", { name: `all ${kind}`, kind });
  const kept = await names();
  for (const [kind, path, target_id] of targets) {
    const rule = await call("POST", "/alert-rules", { name: `one ${kind}`, kind, target_id });
    assert.equal(rule.status, 201, JSON.stringify(rule.body));
    const deleted = await call("DELETE", `/${path}/${target_id}`);
    assert.equal(deleted.status, 204, JSON.stringify(deleted.body));
    assert.deepEqual(await names(), kept);
    const { body } = await call("GET", "/audit-log?action=alert_rule.delete&limit=1");
    const { actor, entity_id, details } = body.data[0];
    assert.deepEqual([actor.kind, entity_id, details.name], [
      "system",
      rule.body.id,
      `one ${kind}`,
    ]);
  }
});

Deno.test("a rule with a target or a channel of another workspace is refused", async () => {
  await using world = await createApiWorld();
  const { entities, call } = await createAlertsApi(world);
  const other = await createApiEntities(world);
  const rule = { name: "x", kind: "destination_failing" };
  const bodies: [field: string, object][] = [
    ["target_id", { ...rule, target_id: other.destinationId }],
    ["target_id", { ...rule, target_id: entities.sourceId }],
    ["target_id", { name: "x", kind: "quota", target_id: entities.sourceId }],
    ["threshold", { ...rule, threshold: 20_000 }],
    ["channels", {
      ...rule,
      channels: [{ type: "destination", destination_id: other.destinationId }],
    }],
    ["channels", {
      ...rule,
      channels: [{ type: "email", sender_id: other.senderId, to: ["a@example.com"] }],
    }],
  ];
  for (const [field, body] of bodies) {
    const { status, body: { code, details } } = await call("POST", "/alert-rules", body);
    const shown = [status, code, details[0].field];
    assert.deepEqual(shown, [400, "invalid_input", field], JSON.stringify(body));
  }
});

Deno.test("the error of a channel or of quiet hours names the field and what is expected", async () => {
  await using world = await createApiWorld();
  const { entities: { senderId: sender_id }, call } = await createAlertsApi(world);
  const email = { type: "email", sender_id, to: ["a@example.com"] };
  const sentences: [sentence: string, fields: object][] = [
    ['"channels[0].to" must have an address', { channels: [{ ...email, to: [] }] }],
    ['"channels[0].to" must be an array of addresses', { channels: [{ ...email, to: "a@b.c" }] }],
    ['"channels[1].to[0]" must be an email address, like "ada@example.com"', {
      channels: [email, { ...email, to: ["nobody"] }],
    }],
    ['"channels[0].sender_id" must be a UUID', { channels: [{ ...email, sender_id: "a" }] }],
    ['"channels[0].tos" is unknown: check its spelling', { channels: [{ ...email, tos: [] }] }],
    ['"channels[0].type" must be "email" or "destination"', { channels: [{ type: "slack" }] }],
    ['"channels[0].type" must be "email" or "destination"', { channels: [{}] }],
    [
      '"channels[0]" must be { "type": "email", "sender_id", "to" } or ' +
      '{ "type": "destination", "destination_id" }',
      { channels: ["a@example.com"] },
    ],
    [
      '"quiet_hours" must start and end at different times',
      { quiet_hours: { from: "22:00", to: "22:00" } },
    ],
  ];
  for (const [sentence, fields] of sentences) {
    const { status, body } = await call("POST", "/alert-rules", {
      name: "x",
      kind: "destination_failing",
      ...fields,
    });
    assert.deepEqual([status, body.error], [400, `Field ${sentence}`]);
  }
});

Deno.test("POST /alert-rules/{id}/test sends to the channels of the rule alone", async () => {
  await using world = await createApiWorld();
  const { entities: { workspaceId, destinationId, senderId }, call } = await createAlertsApi(world);
  await world.sql`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${workspaceId}, 'Another', 'https://example.com', '{alert.*}')`;
  const { body: rule } = await call("POST", "/alert-rules", {
    name: "Slow",
    kind: "backlog",
    channels: [
      { type: "destination", destination_id: destinationId },
      { type: "email", sender_id: senderId, to: ["ops@example.com"] },
    ],
  });
  const { status, body: alert } = await call("POST", `/alert-rules/${rule.id}/test`);
  assert.equal(status, 202, JSON.stringify(alert));
  assert.deepEqual([alert.is_test, alert.state, alert.resolved_by], [true, "resolved", "test"]);
  const sent = await world.sql`
    select q.destination_id, m.body::jsonb ->> 'text' as text
    from private.webhook_queue as q
    join public.webhook_messages as m on m.id = q.message_id
    where m.event_type like 'alert.%'`;
  assert.deepEqual(sent.map((row) => row.destination_id), [destinationId]);
  assert(sent[0]!.text.startsWith("Test: "), sent[0]!.text);

  const [mail] = await world.sql<{ id: string }[]>`
    select id from public.sends where email = 'ops@example.com'`;
  await world.sql`
    update public.sends set facts = '{"now": "2026-11-22T10:00:00Z"}' where id = ${mail!.id}`;
  const shown = await call("GET", `/sends/${mail!.id}`);
  assert.equal(shown.status, 200, JSON.stringify(shown.body));
  assert(shown.body.subject.startsWith("Test: "), shown.body.subject);
  const { body: { data } } = await call("GET", "/alerts?state=open");
  assert.deepEqual(data.map((row: { is_test: boolean }) => row.is_test), [false]);
});

Deno.test("a rule tells since when it fires, and when its last notice was sent", async () => {
  await using world = await createApiWorld();
  const { entities: { destinationId }, call } = await createAlertsApi(world);
  const { body: { id } } = await call("POST", "/alert-rules", {
    name: "Off",
    kind: "destination_disabled",
    target_id: destinationId,
  });
  await call("POST", `/alert-rules/${id}/test`);
  await world.sql`
    update public.destinations
    set enabled = false, disabled_at = now(), disabled_reason = 'x', disabled_by = 'operator'
    where id = ${destinationId}`;
  const opened = new Date(Math.floor(Date.now() / 1000) * 1000 + 60_000);
  await checkAlerts(world.sql, opened);
  const { body: rules } = await call("GET", "/alert-rules");
  const rule = rules.data.find((each: { id: string }) => each.id === id);
  assert.equal(rule.open_alerts, 1);
  assert.deepEqual([rule.firing_since, rule.last_notified_at].map((time) => Date.parse(time)), [
    opened.getTime(),
    opened.getTime(),
  ]);
});
