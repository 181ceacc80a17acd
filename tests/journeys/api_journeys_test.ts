import assert from "node:assert/strict";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { createService, publish, waiting } from "./journeys_api.ts";
import type { Use } from "../../supabase/functions/api/kernel/uses.ts";

Deno.test("PUT creates a journey by its key with 201, and replaces its draft with 200", async () => {
  await using service = await createService();
  const { call } = service;
  const first = await call("PUT", "/journeys/welcome", {
    name: "A",
    description: "x",
    definition: waiting,
  });
  assert.equal(first.status, 201, JSON.stringify(first.body));
  const { id, created_at, updated_at, draft_revision, ...rest } = first.body;
  assert.match(draft_revision, /^[0-9a-f]{32}$/);
  assert.match(`${id} ${created_at} ${updated_at}`, /^[0-9a-f-]{36} \S+Z \S+Z$/);
  assert.deepEqual(rest, {
    key: "welcome",
    name: "A",
    description: "x",
    state: "draft",
    version: null,
    active_runs: 0,
    problem: null,
    entered: 0,
    held_out: 0,
    reached_goal: 0,
    failed: 0,
    published_at: null,
    definition: waiting,
    rehearsal_job_id: null,
  });
  const again = await call("PUT", "/journeys/welcome", {
    name: "B",
    definition: smallestDefinition,
  });
  assert.deepEqual([again.status, again.body.id, again.body.name, again.body.description], [
    200,
    id,
    "B",
    null,
  ]);
  const other = await call("PUT", "/journeys/welcome", {
    key: "x",
    name: "B",
    definition: waiting,
  });
  assert.deepEqual([other.status, other.body.details[0].field], [400, "key"]);
  const byId = await call("PUT", `/journeys/${id}`, { name: "C", definition: waiting });
  assert.deepEqual([byId.status, byId.body.key, byId.body.name], [200, "welcome", "C"]);
  const list = await call("GET", "/journeys?q=c&state=draft");
  assert.deepEqual(list.body.data, [
    (({ definition: _, draft_revision: __, problem: ___, rehearsal_job_id: ____, ...listed }) =>
      listed)(byId.body),
  ]);
});

Deno.test("a draft with faults is refused with the path of each, also deep in a condition", async () => {
  await using service = await createService();
  const deep = (levels: number): unknown =>
    levels === 1 ? { event: "a", within: "soon" } : { all: [deep(levels - 1)] };
  const { status, body } = await service.call("POST", "/journeys", {
    name: "A",
    definition: {
      ...smallestDefinition,
      start: "b",
      steps: {
        b: { branch: [{ when: deep(8), next: "end" }], else: "end" },
        w: { wait: { for: "soon" }, next: "-" },
        end: { exit: {} },
      },
    },
  });
  assert.equal(status, 400);
  assert.deepEqual(body.details.map(({ field }: { field: string }) => field), [
    `definition.steps.b.branch[0].when${".all[0]".repeat(7)}.within`,
    "definition.steps.w.wait.for",
    "definition.steps.w.next",
  ]);
});

Deno.test("publishing names every problem at once, and makes a version that never changes", async () => {
  await using service = await createService();
  const { call } = service;
  const broken = {
    ...smallestDefinition,
    start: "mail",
    steps: {
      mail: { send: { template: "welcome", sender: "shop", topic: "news" }, next: "gone" },
      b: { branch: [{ when: { segment: "vip" }, next: "end" }], else: "end" },
      end: { exit: {} },
    },
  };
  await call("PUT", "/journeys/k", { name: "K", definition: broken });
  const refused = await call("POST", "/journeys/k/publish", {});
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.details.map(({ field }: { field: string }) => field), [
    "definition.steps.mail.next",
    "definition.steps.b.branch[0].when.segment",
    "definition.steps.mail.send.template",
    "definition.steps.mail.send.sender",
    "definition.steps.mail.send.topic",
  ]);
  const preview = await call("GET", "/journeys/k/publish-preview");
  assert.deepEqual(preview.body, {
    version: 1,
    problems: refused.body.details,
    active_runs: 0,
    steps: [],
  });
  assert.deepEqual((await call("GET", "/journeys/k/versions")).body.data, []);

  await publish(service, waiting);
  const { body } = await call("PATCH", "/journeys/k", { definition: smallestDefinition });
  assert.deepEqual([body.state, body.version, body.definition], ["running", 1, smallestDefinition]);
  const versions = await call("GET", "/journeys/k/versions");
  const [version] = versions.body.data;
  assert.deepEqual([version.version, version.definition], [1, waiting]);
});

Deno.test("a webhook whose data is not Liquid is refused, and the step is named", async () => {
  await using service = await createService();
  const { world, call } = service;
  const [destination] = await world.sql<{ id: string }[]>`
    insert into public.destinations (workspace_id, name, url, event_types)
    values (${world.workspaceId}, 'D', 'https://example.com/', '{x}') returning id`;
  const data = { list: ["{{ customer.email }}", "{% if %}"] };
  const steps = { hook: { webhook: { destination: destination!.id, data } } };
  await call("PUT", "/journeys/k", { name: "K", definition: { ...waiting, start: "hook", steps } });
  const { status, body } = await call("POST", "/journeys/k/publish");
  assert.deepEqual(
    [status, body.details.map(({ field }: { field: string }) => field)],
    [400, ["definition.steps.hook.webhook.data.list[1]"]],
  );
  assert.match(body.details[0].message, /^is not Liquid: /);
  const preview = await call("GET", "/journeys/k/publish-preview");
  assert.deepEqual(preview.body.problems, body.details);
});

Deno.test("what a running journey uses can be deleted, after used_by has named the journey", async () => {
  await using service = await createService();
  const { world } = service;
  const token = await world.signInAs("admin");
  const act = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId: world.workspaceId, body });
  await act("PUT", "/segments/vip", { name: "VIP", kind: "static" });
  await act("PUT", "/topics/news", { name: "News", default: "subscribed" });
  const html = "<a href='{{ unsubscribe_url }}'>Leave</a>";
  await act("PUT", "/templates/hello", { name: "Hello", subject: "Hello", html });
  const config = { api_key: "re_1" };
  const sender = { name: "Shop", provider: "resend", from: "shop@example.com", config };
  assert.equal((await act("PUT", "/senders/shop", sender)).status, 201);
  const definition = {
    ...smallestDefinition,
    trigger: { segment: "vip", on: "enter" },
    start: "mail",
    steps: { mail: { send: { template: "hello", sender: "shop", topic: "news" } } },
  };
  await publish(service, definition);
  for (const path of ["/segments/vip", "/topics/news", "/templates/hello", "/senders/shop"]) {
    const { body } = await act("GET", path);
    assert.deepEqual(
      body.used_by.map(({ kind, name }: Use) => [kind, name]),
      [["journey", "K"]],
      path,
    );
    assert.equal((await act("DELETE", path)).status, 204, path);
  }
});

Deno.test("a replay from a step that no version has is refused", async () => {
  await using service = await createService();
  const { call, customerId } = service;
  await publish(service, waiting);
  const { body: { run_id } } = await call("POST", "/journeys/k/enter", { customer_id: customerId });
  const replay = (from: string) => call("POST", "/journeys/k/replay", { run_ids: [run_id], from });
  const { status, body } = await replay("nowhere");
  assert.deepEqual([status, body.details[0].field], [400, "from"]);
  assert.deepEqual((await replay("pause")).body, { replayed: 1 });
});

Deno.test("a published version has ids instead of keys", async () => {
  await using service = await createService();
  const { world, call } = service;
  const [segment] = await world.sql<{ id: string }[]>`
    insert into public.segments (workspace_id, key, name, kind)
    values (${world.workspaceId}, 'vip', 'VIP', 'static') returning id`;
  const definition = (name: string) => ({
    ...smallestDefinition,
    trigger: { segment: name, on: "enter" },
    entry: { when: { not: { segment: name } } },
  });
  await publish(service, definition("vip"));
  const { body } = await call("GET", "/journeys/k/versions");
  assert.deepEqual(body.data[0].definition, definition(segment!.id));
  assert.deepEqual((await call("GET", "/journeys/k")).body.definition, definition("vip"));
});

Deno.test("POST enter is 202 with a run, or 200 with the reason, and once per idempotency key", async () => {
  await using service = await createService();
  const { call, customerId } = service;
  await call("PUT", "/journeys/k", { name: "K", definition: waiting });
  const enter = (body: unknown) => call("POST", "/journeys/k/enter", body);
  const draft = await enter({ customer_id: customerId });
  assert.deepEqual([draft.status, draft.body], [200, { entered: false, reason: "not_running" }]);
  await publish(service, waiting);
  const once = { external_id: "ada", data: { cart_id: "c-1" }, idempotency_key: "k-1" };
  const first = await enter(once);
  assert.equal(first.status, 202, JSON.stringify(first.body));
  const repeat = await enter(once);
  assert.deepEqual([repeat.status, repeat.body], [202, first.body]);
  assert.equal(repeat.headers.get("idempotent-replayed"), "true");
  const inside = await enter({ customer_id: customerId, data: { cart_id: "c-1" } });
  assert.deepEqual([inside.status, inside.body], [200, {
    entered: false,
    reason: "already_inside",
  }]);
  const insideOnce = { ...once, idempotency_key: "k-2" };
  assert.equal((await enter(insideOnce)).status, 200);
  assert.equal((await enter(insideOnce)).status, 200);
  assert.equal((await enter({ customer_id: customerId, data: { cart_id: "c-2" } })).status, 202);
  for (const body of [{}, { customer_id: customerId, external_id: "ada" }]) {
    const { status, body: { details } } = await enter(body);
    const message = "must be set, or external_id, but not both";
    assert.deepEqual([status, details], [400, [{ field: "customer_id", message }]]);
  }
  assert.equal((await enter({ external_id: "nobody" })).status, 404);

  const run = await call("GET", `/runs/${first.body.run_id}`);
  assert.deepEqual(
    [run.body.state, run.body.key, run.body.version, run.body.trigger, run.body.cause],
    ["active", "c-1", 1, { cart_id: "c-1" }, { api: true }],
  );
  assert.deepEqual([run.body.journey.key, run.body.customer_id], ["k", customerId]);
  const runs = await call("GET", "/journeys/k/runs?state=active&limit=1");
  assert.equal(runs.body.data[0].key, "c-2");
  const older = await call("GET", `/journeys/k/runs?limit=1&cursor=${runs.body.next_cursor}`);
  assert.deepEqual([older.body.data[0].key, older.body.next_cursor], ["c-1", null]);
  const ofCustomer = await call("GET", `/customers/${customerId}/runs`);
  assert.deepEqual(ofCustomer.body.data.map(({ key }: { key: string }) => key), ["c-2", "c-1"]);
  assert.equal((await call("GET", "/journeys/k")).body.active_runs, 2);
});

Deno.test("the key of a run is null unless it was given", async () => {
  await using service = await createService();
  const { call, customerId } = service;
  await publish(service, waiting);
  const { body } = await call("POST", "/journeys/k/enter", { customer_id: customerId });
  const run = await call("GET", `/runs/${body.run_id}`);
  const ofCustomer = await call("GET", `/customers/${customerId}/runs`);
  assert.deepEqual([run.body.key, ofCustomer.body.data[0].key], [null, null]);
});

Deno.test("a run is removed once, and a journey with runs inside is not deleted", async () => {
  await using service = await createService();
  const { call, customerId } = service;
  await publish(service, waiting);
  const { body } = await call("POST", "/journeys/k/enter", { customer_id: customerId });
  assert.equal((await call("DELETE", "/journeys/k")).status, 409);
  const removed = await call("POST", `/runs/${body.run_id}/remove`);
  assert.deepEqual([removed.status, removed.body.state, removed.body.reason], [
    200,
    "ended",
    "removed",
  ]);
  const again = await call("POST", `/runs/${body.run_id}/remove`);
  assert.deepEqual([again.status, again.body.exited_at], [200, removed.body.exited_at]);
  assert.equal((await call("DELETE", "/journeys/k")).status, 204);
  assert.equal((await call("GET", "/journeys/k")).status, 404);
  const kept = await call("GET", `/runs/${body.run_id}`);
  assert.deepEqual([kept.status, kept.body.journey.name], [200, null]);
});

Deno.test("a journey changes its state only where that makes sense", async () => {
  await using service = await createService();
  const { call } = service;
  await call("PUT", "/journeys/k", { name: "K", definition: waiting });
  const change = async (verb: string, body?: unknown) => {
    const response = await call("POST", `/journeys/k/${verb}`, body);
    return response.status === 200 ? response.body.state : response.status;
  };
  assert.equal(await change("pause"), 409);
  assert.equal(await change("stop"), 409);
  await publish(service, waiting);
  assert.equal(await change("pause"), "paused");
  assert.equal((await call("POST", "/journeys/k/enter", { external_id: "ada" })).status, 200);
  assert.equal(await change("resume", { late: "skip" }), "running");
  assert.equal(await change("drain"), "draining");
  assert.equal(await change("resume"), "running");
  assert.equal(await change("stop"), "stopped");
  assert.equal(await change("resume"), 409);
  assert.equal((await call("POST", "/journeys/k/publish")).status, 409);
});

Deno.test("the preview of a publication counts the runs at each step, and says where they would go", async () => {
  await using service = await createService();
  const { world, call } = service;
  await publish(service, {
    ...waiting,
    entry: { again: "always" },
    steps: {
      ...waiting.steps,
      pause: { wait: { for: "2d" }, next: "later" },
      later: { wait: { for: "1d" }, next: "end" },
    },
  });
  for (const external_id of ["ada", "ada", "ada"]) {
    const { status } = await call("POST", "/journeys/k/enter", { external_id });
    assert.equal(status, 202);
  }
  await world.sql`
    update public.journey_runs set step = 'pause' where workspace_id = ${world.workspaceId}`;
  await world.sql`
    update public.journey_runs set step = 'later'
    where id = (select max(id::text)::uuid from public.journey_runs)`;
  const definition = { ...waiting, start: "later", steps: { later: { wait: { for: "1h" } } } };
  await call("PATCH", "/journeys/k", { definition });
  const { body } = await call("GET", "/journeys/k/publish-preview");
  assert.deepEqual(body, {
    version: 2,
    problems: [],
    active_runs: 3,
    steps: [
      { version: 1, step: "later", waiting: 1, moves_to: "later" },
      { version: 1, step: "pause", waiting: 2, moves_to: "later" },
    ],
  });
});

Deno.test("a simulation of the draft shows the path and the rendered mail, and changes nothing", async () => {
  await using service = await createService();
  const { world, call, customerId } = service;
  const [template] = await world.sql<{ id: string }[]>`
    with template as (
      insert into public.templates (workspace_id, key, name, version)
      values (${world.workspaceId}, 'hello', 'Hello', 1) returning workspace_id, id
    )
    insert into public.template_versions (
      workspace_id, template_id, version, subject, text, is_text_generated, variables, warnings,
      has_unsubscribe
    )
    select t.workspace_id, t.id, 1, 'Hello {{ customer.country }}', 'x', false, '{}', '{}', false
    from template as t
    returning template_id as id`;
  await world.sql`
    insert into public.senders (workspace_id, key, name, provider, from_address)
    values (${world.workspaceId}, 'shop', 'Shop', 'inbox', 'shop@example.com')`;
  const definition = {
    trigger: { event: "signed_up" },
    start: "pause",
    steps: {
      pause: { wait: { for: "2d" }, next: "mail" },
      mail: { send: { template: "hello", sender: "shop" } },
    },
  };
  await call("PUT", "/journeys/k", { name: "K", definition });
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const at = new Date(Date.now() + 60_000).toISOString();
  const simulate = (body: object) => call("POST", "/journeys/k/simulate", { until, ...body });
  const { status, body } = await simulate({
    profile: { country: "DE", email: "new@example.com" },
    events: [{ name: "signed_up", occurred_at: at }],
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.entered, body.state, body.reason], [true, "ended", "completed"]);
  const [pause, mail] = body.path;
  assert.deepEqual([pause.step, mail.step], ["pause", "mail"]);
  assert.equal(mail.would.send.template, template!.id);
  assert.equal(mail.would.rendered.subject, "Hello DE");
  for (const attributes of ["x", [], 1, null]) {
    const { status, body } = await simulate({ profile: { attributes } });
    assert.deepEqual([status, body.details?.[0].field], [400, "profile.attributes"]);
  }
  const other = await simulate({
    customer_id: customerId,
    events: [{ name: "other", occurred_at: at }],
  });
  assert.deepEqual([other.body.entered, other.body.path], [false, []]);
  const [left] = await world.sql<{ count: number }[]>`
    select count(*)::integer as count from public.journey_runs`;
  assert.deepEqual([left!.count, (await call("GET", "/journeys/k")).body.state], [0, "draft"]);
  const token = await world.createKey(["journeys:write"]);
  const path = "/journeys/k/simulate";
  const narrow = { method: "POST", path, token, body: { until, customer_id: customerId } };
  assert.equal((await world.send(narrow)).status, 403);
  await call("PATCH", "/journeys/k", { definition: { ...definition, start: "nowhere" } });
  const broken = await simulate({ profile: {} });
  assert.deepEqual([broken.status, broken.body.details[0].field], [400, "definition.start"]);
});
