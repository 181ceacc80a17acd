import assert from "node:assert/strict";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

async function createService() {
  const world = await createApiWorld();
  const scopes = ["journeys:read", "journeys:write", "customers:read"] as const;
  const token = await world.createKey(scopes);
  const [person] = await ingestEntries(world.sql, [{
    workspace_id: world.workspaceId,
    kind: "identify",
    external_id: "ada",
    profile: { email: "ada@example.com" },
  }]);
  assert(person?.ok);
  return {
    world,
    customerId: person.customer_id!,
    call: (method: string, path: string, body?: unknown) =>
      world.send({ method, path, token, body }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

type Service = Awaited<ReturnType<typeof createService>>;

const waiting = {
  ...smallestDefinition,
  entry: { key: "trigger.cart_id", again: "after_exit" },
  start: "pause",
  steps: { pause: { wait: { for: "2d" }, next: "end" }, end: { exit: {} } },
};

/** Creates and publishes a journey with the key `k`. */
async function publish({ call }: Service, definition: unknown): Promise<void> {
  const put = await call("PUT", "/journeys/k", { name: "K", definition });
  assert([200, 201].includes(put.status), JSON.stringify(put.body));
  const published = await call("POST", "/journeys/k/publish");
  assert.equal(published.status, 200, JSON.stringify(published.body));
}

Deno.test("PUT creates a journey by its key with 201, and replaces its draft with 200", async () => {
  await using service = await createService();
  const { call } = service;
  const first = await call("PUT", "/journeys/welcome", {
    name: "A",
    description: "x",
    definition: waiting,
  });
  assert.equal(first.status, 201, JSON.stringify(first.body));
  const { id, created_at, updated_at, ...rest } = first.body;
  assert.match(`${id} ${created_at} ${updated_at}`, /^[0-9a-f-]{36} \S+Z \S+Z$/);
  assert.deepEqual(rest, {
    key: "welcome",
    name: "A",
    description: "x",
    state: "draft",
    version: null,
    active_runs: 0,
    published_at: null,
    definition: waiting,
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
  assert.deepEqual([byId.status, byId.body.key, byId.body.name], [200, null, "C"]);
  const list = await call("GET", "/journeys?q=c&state=draft");
  assert.deepEqual(list.body.data, [(({ definition: _, ...listed }) => listed)(byId.body)]);
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
    assert.equal((await enter(body)).status, 400);
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

Deno.test("figures are those of one version or of all, with the steps in the order of the journey", async () => {
  await using service = await createService();
  const { world, call } = service;
  await publish(service, waiting);
  await publish(service, waiting);
  const { body: { id } } = await call("GET", "/journeys/k");
  const rows = [
    [1, "", "entered", 5],
    [2, "", "entered", 3],
    [1, "", "exited:completed", 2],
    [1, "", "goal", 1],
    [1, "", "holdout", 4],
    [1, "pause", "came", 5],
    [1, "pause", "left:next", 2],
    [1, "old", "came", 1],
    [1, "end", "skipped:late", 1],
  ] as const;
  for (const [version, step, kind, count] of rows) {
    await world.sql`
      insert into public.journey_stats (workspace_id, journey_id, version, step, kind, count)
      values (${world.workspaceId}, ${id}, ${version}, ${step}, ${kind}, ${count})`;
  }
  const { body } = await call("GET", "/journeys/k/stats");
  const { steps, ...totals } = body;
  assert.deepEqual(totals, {
    version: null,
    entered: 8,
    active: 0,
    reached_goal: 1,
    exited: { completed: 2 },
    holdout: { entered: 4, reached_goal: 0 },
  });
  assert.deepEqual(
    steps.map(({ step, kind, came, ways, skipped }: Record<string, unknown>) => [
      step,
      kind,
      came,
      ways,
      skipped,
    ]),
    [
      ["pause", "wait", 5, { next: 2 }, {}],
      ["end", "exit", 0, {}, { late: 1 }],
      ["old", null, 1, {}, {}],
    ],
  );
  const second = await call("GET", "/journeys/k/stats?version=2");
  assert.deepEqual([second.body.version, second.body.entered], [2, 3]);
  assert.equal((await call("GET", "/journeys/k/stats?version=3")).status, 404);
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
    events: [{ name: "signed_up", at }],
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.entered, body.state, body.reason], [true, "ended", "completed"]);
  const [pause, mail] = body.path;
  assert.deepEqual([pause.step, mail.step], ["pause", "mail"]);
  assert.equal(mail.would.send.template, template!.id);
  assert.equal(mail.would.rendered.subject, "Hello DE");
  const other = await simulate({ customer_id: customerId, events: [{ name: "other", at }] });
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
