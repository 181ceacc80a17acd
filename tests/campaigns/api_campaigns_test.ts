import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  act,
  addPeople,
  type CampaignWorld,
  createCampaignWorld,
  crowd,
  insertSegment,
  insertTemplate,
  runUntilEnd,
  work,
} from "./campaign_world.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { createApiKey } from "../../testing/data/factories.ts";

async function createCaller(world: CampaignWorld, scopes: string[] = []) {
  const api = await createApiWorld({ db: world.db });
  const token = await createApiKey(world.sql, {
    workspaceId: world.workspaceId,
    scopes: ["campaigns:read", "campaigns:write", ...scopes],
  });
  return {
    call: (method: string, path: string, body?: unknown) =>
      api.send({ method, path: `/campaigns${path}`, token, ...body !== undefined && { body } }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const campaign = {
  key: "spring",
  name: "Spring sale",
  segment: "all",
  template: "sale",
  sender: "shop",
  topic: "news",
};

Deno.test("a campaign is created, sent and completed over the api", async () => {
  await using world = await createCampaignWorld();
  await using caller = await createCaller(world);
  world.now = Date.now();
  await addPeople(world, crowd(3));
  const made = await caller.call("POST", "", campaign);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(
    [made.body.state, made.body.recipients, made.body.segment, made.body.variants],
    ["draft", null, world.segmentId, []],
  );
  assert.equal((await caller.call("POST", "", campaign)).status, 409, "the key is in use");
  const tested = await caller.call("POST", "/spring/test", { addresses: ["me@example.com"] });
  assert.equal(tested.status, 202, JSON.stringify(tested.body));
  assert.equal(tested.body.send_ids.length, 1);
  const sent = await caller.call("POST", "/spring/send");
  assert.deepEqual([sent.status, sent.body.state], [202, "sending"]);
  world.now = Date.now() + 1000;
  const addresses = await runUntilEnd(world, made.body.id);
  assert.deepEqual(
    addresses.toSorted(),
    [
      "me@example.com",
      ...crowd(3).map(({ email }) => email),
    ].toSorted(),
  );
  const { body } = await caller.call("GET", "/spring");
  assert.deepEqual(
    [body.state, body.recipients, body.sent, body.skipped, body.failed, body.unknown],
    ["completed", 3, 3, {}, 0, 0],
  );
  const stats = await caller.call("GET", "/spring/stats");
  assert.deepEqual([stats.body.recipients, stats.body.sent, stats.body.waiting], [3, 3, 0]);
  assert.equal((await caller.call("DELETE", "/spring")).status, 204);
  assert.equal((await caller.call("GET", "/spring")).status, 404);
});

Deno.test("the audit log says to whom a campaign was sent and with what, without customers", async (t) => {
  const reads = ["segments:read", "templates:read", "senders:read"];
  for (const scopes of [reads, []]) {
    await t.step(
      scopes.length > 0 ? "with names" : "ids for a key that may not read them",
      async () => {
        await using world = await createCampaignWorld();
        await using caller = await createCaller(world, scopes);
        await addPeople(world, crowd(3));
        await caller.call("POST", "", campaign);
        const started = await caller.call("POST", "/spring/send", { recipients: 3 });
        assert.equal(started.status, 202);
        const [entry] = await world.sql`
        select details from public.audit_log where action = 'campaign.send'`;
        const [names] = await world.sql`
        select s.name as segment, t.name as template, t.version, o.name as sender
        from public.campaigns as c
        join public.segments as s on s.id = c.segment_id
        join public.templates as t on t.id = c.template_id
        join public.senders as o on o.id = c.sender_id`;
        const { recipients, segment, templates, sender } = entry!.details;
        assert.equal(recipients, 3);
        assert.equal(segment.id, world.segmentId);
        assert.deepEqual(
          [segment.name, templates[0].name, templates[0].version, sender.name],
          scopes.length > 0
            ? [names!.segment, names!.template, names!.version, names!.sender]
            : [null, null, null, null],
        );
        assert.doesNotMatch(JSON.stringify(entry!.details), /@/);
      },
    );
  }
});

Deno.test("send_at without an offset is local to the workspace, and pauses say why", async () => {
  await using world = await createCampaignWorld();
  await using caller = await createCaller(world);
  await addPeople(world, crowd(3));
  const { body } = await caller.call("POST", "", { ...campaign, send_at: "2099-07-01T09:00" });
  assert.equal(body.send_at, "2099-07-01T07:00:00.000Z");
  const scheduled = await caller.call("POST", "/spring/schedule");
  assert.deepEqual([scheduled.status, scheduled.body.state], [202, "scheduled"]);
  const moved = await caller.call("PATCH", "/spring", { send_at: "2099-12-01T09:00:00Z" });
  assert.equal(moved.body.send_at, "2099-12-01T09:00:00.000Z");
  assert.equal((await caller.call("POST", "/spring/pause")).status, 409);
  await caller.call("POST", "/spring/send");
  world.now = Date.now() + 1000;
  await work(world);
  const paused = await caller.call("POST", "/spring/pause");
  assert.deepEqual([paused.body.state, paused.body.reason], ["paused", "requested"]);
  const refused = await caller.call("PATCH", "/spring", { segment: "all" });
  assert.equal(refused.status, 409);
  assert.equal((await caller.call("DELETE", "/spring")).status, 409);
  assert.equal((await caller.call("POST", "/spring/resume", {})).body.state, "sending");
  assert.equal((await caller.call("POST", "/spring/cancel")).body.state, "cancelled");
});

Deno.test("bad input names its field", async (t) => {
  await using world = await createCampaignWorld();
  await using caller = await createCaller(world);
  await insertTemplate(world.sql, world.workspaceId, "bare");
  const two = [{ template: "sale", weight: 1 }, { template: "sale", weight: 1 }];
  const winner = { share: 10, after: "1h", by: "opened" };
  const cases: [field: string, change: Record<string, unknown>][] = [
    ["segment", { segment: "nobody" }],
    ["exclude[1]", { exclude: ["all", "nobody"] }],
    ["template", { template: "nothing" }],
    ["template", { template: null }],
    ["template", { template: "bare" }],
    ["variants[1].template", { variants: [two[0], { template: "bare", weight: 1 }] }],
    ["variants[0].weight", { variants: [{ template: "sale", weight: 0 }] }],
    ["winner", { winner }],
    ["goal", { variants: two, winner: { ...winner, by: "goal" } }],
    ["goal", { goal: { event: "order_completed", within: "3d" } }],
    ["winner.share", { variants: two, winner: { ...winner, share: 100 } }],
    ["send_at", { send_at: "tomorrow" }],
    ["per_minute", { per_minute: 0 }],
    ["spread_over", { spread_over: "4 hours" }],
    ["not_after", { not_after: "soon" }],
    ["zone", { zone: "Europe/Berlin" }],
  ];
  for (const [field, fields] of cases) {
    await t.step(`${field} ${JSON.stringify(fields)}`, async () => {
      const { status, body } = await caller.call("POST", "", { ...campaign, ...fields });
      assert.equal(status, 400, JSON.stringify(body));
      assert.equal(body.details[0].field, field, JSON.stringify(body));
    });
  }
});

Deno.test("the examples of docs/campaigns.md are valid", async () => {
  await using world = await createCampaignWorld();
  await using caller = await createCaller(world);
  const { sql, workspaceId } = world;
  const guide = readFileSync(new URL("../../docs/campaigns.md", import.meta.url), "utf8");
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!));
  assert.equal(examples.length, 3);
  for (const key of ["spring-sale", "sale-short", "sale-long"]) {
    await insertTemplate(sql, workspaceId, key);
  }
  await sql`update public.segments set key = 'big-spenders' where workspace_id = ${workspaceId}`;
  await sql`update public.topics set key = 'newsletter' where workspace_id = ${workspaceId}`;
  for (const example of examples) {
    const { status, body } = await caller.call("POST", "", { ...examples[0], ...example });
    assert.equal(status, 201, JSON.stringify(body));
  }
});

Deno.test("a review counts who would get a campaign, and why others would not", async () => {
  await using world = await createCampaignWorld();
  await using caller = await createCaller(world);
  const { sql, workspaceId } = world;
  const staff = await insertSegment(sql, workspaceId, "staff");
  const [ada] = await addPeople(world, [{ email: "ada@example.com" }]);
  await sql`
    insert into public.segment_members (workspace_id, segment_id, version, customer_id, since)
    values (${workspaceId}, ${staff}, 0, ${ada!}, now())`;
  await addPeople(world, [...crowd(6), { email: "person-1@example.com" }, { email: null }]);
  await sql`
    select private.suppress(${workspaceId},
      '[{"email": "person-2@example.com", "reason": "manual", "source": "api"}]')`;
  await sql`
    select private.set_consents(${workspaceId}, ${
    JSON.stringify([{
      address: "person-3@example.com",
      topic_id: world.topicId,
      subscribed: false,
      source: "link",
    }])
  }::text::jsonb)`;
  await caller.call("POST", "", { ...campaign, exclude: ["staff"] });
  const { status, body } = await caller.call("POST", "/spring/review");
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body, {
    members: 9,
    excluded: 1,
    no_address: 1,
    same_address: 1,
    recipients: 6,
    suppressed: 1,
    unsubscribed: 1,
    is_exact: true,
    is_computing: false,
    confirm_above: 10000,
  });
  const [row] = await act(world, (tx) =>
    tx<{ review: Record<string, unknown> }[]>`
      select private.review_campaign(c.workspace_id, c.id, 5) as review from public.campaigns as c`);
  assert.deepEqual([row!.review.recipients, row!.review.is_exact], [6, false], "exact in any case");
});

Deno.test("what a campaign needs cannot be deleted, and shows what uses it", async () => {
  await using world = await createCampaignWorld();
  await using api = await createApiWorld({ db: world.db });
  const { sql, workspaceId } = world;
  await insertSegment(sql, workspaceId, "staff");
  await addPeople(world, crowd(2));
  const nouns = ["segments", "templates", "senders", "topics"];
  const token = await createApiKey(sql, {
    workspaceId,
    scopes: ["campaigns:write", ...nouns.flatMap((noun) => [`${noun}:read`, `${noun}:write`])],
  });
  const call = (method: string, path: string, body?: unknown) =>
    api.send({ method, path, token, ...body !== undefined && { body } });
  const { body: { id } } = await call("POST", "/campaigns", { ...campaign, exclude: ["staff"] });
  const used = ["segments/all", "segments/staff", "templates/sale", "senders/shop", "topics/news"];
  for (const path of used) {
    const { body } = await call("GET", `/${path}`);
    assert.deepEqual(body.used_by, [{ kind: "campaign", id, name: "Spring sale" }], path);
  }
  await call("POST", "/campaigns/spring/schedule", { send_at: "2099-01-01T09:00" });
  for (const path of used) {
    const { status, body } = await call("DELETE", `/${path}`);
    assert.equal(status, 409, path);
    assert.match(body.error, /^Cannot delete \w+: campaign "Spring sale" uses it$/);
  }
  await call("POST", "/campaigns/spring/cancel");
  for (const path of used) {
    assert.deepEqual((await call("GET", `/${path}`)).body.used_by, [], path);
    assert.equal((await call("DELETE", `/${path}`)).status, 204, path);
  }
});
