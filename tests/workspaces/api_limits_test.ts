import assert from "node:assert/strict";
import { ownLimits } from "../../supabase/functions/api/contract/workspaces.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import type { ServiceResponse } from "../../testing/service/app.ts";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { createApiEntities, type Entities } from "../../testing/access/api_entities.ts";
import { createPlan } from "../../testing/data/factories.ts";

/** Creates one thing of a kind; `n` sets it apart from the others. */
interface Creation {
  path: (ids: { destinationId: string; sourceId: string; customerId: string }) => string;
  body: (n: number, entities: Entities) => unknown;
  status: number;
  /** Words of the message for the call that failed and, in `noun`, for the things allowed. */
  action: string;
  noun: string;
}

const hour = { since: "2026-11-01T00:00:00Z", until: "2026-11-01T01:00:00Z" };

const creations: Readonly<Record<string, Creation>> = {
  invitations: {
    path: () => "/members",
    body: (n) => ({ email: `limit-${n}@example.com`, role: "viewer" }),
    status: 201,
    action: "invite member",
    noun: "open invitations",
  },
  api_keys: {
    path: () => "/api-keys",
    body: (n) => ({ name: `Key ${n}`, scopes: ["track:write"] }),
    status: 201,
    action: "create API key",
    noun: "API keys",
  },
  destinations: {
    path: () => "/destinations",
    body: (n) => ({ name: `To ${n}`, url: "https://example.com/", event_types: ["*"] }),
    status: 201,
    action: "create destination",
    noun: "destinations",
  },
  segments: {
    path: () => "/segments",
    body: (n) => ({ name: `Segment ${n}`, condition: { event: `event_${n}` } }),
    status: 201,
    action: "create segment",
    noun: "segments",
  },
  journeys: {
    path: () => "/journeys",
    body: (n) => ({ name: `Journey ${n}`, definition: smallestDefinition }),
    status: 201,
    action: "create journey",
    noun: "journeys",
  },
  campaigns: {
    path: () => "/campaigns",
    body: (n, { segmentId, templateId, senderId }) => ({
      name: `Campaign ${n}`,
      segment: segmentId,
      template: templateId,
      sender: senderId,
    }),
    status: 201,
    action: "create campaign",
    noun: "campaigns",
  },
  alert_rules: {
    path: () => "/alert-rules",
    body: (n) => ({ name: `Rule ${n}`, kind: "quota" }),
    status: 201,
    action: "create alert rule",
    noun: "alert rules",
  },
  senders: {
    path: () => "/senders",
    body: (n) => ({ name: `Sender ${n}`, provider: "inbox", from: `s${n}@acme.example` }),
    status: 201,
    action: "create sender",
    noun: "senders",
  },
  sources: {
    path: () => "/sources",
    body: (n) => ({ name: `From ${n}`, scheme: "service" }),
    status: 201,
    action: "create source",
    noun: "sources",
  },
  jobs: {
    path: ({ destinationId }) => `/destinations/${destinationId}/replay`,
    body: () => hour,
    status: 202,
    action: "start job",
    noun: "unfinished jobs",
  },
  templates: {
    path: () => "/templates",
    body: (n) => ({ name: `Template ${n}`, subject: "Hello", text: "Hello" }),
    status: 201,
    action: "create template",
    noun: "templates",
  },
  topics: {
    path: () => "/topics",
    body: (n) => ({ key: `topic-${n}`, name: `Topic ${n}`, default: "subscribed" }),
    status: 201,
    action: "create topic",
    noun: "topics",
  },
  views: {
    path: () => "/views",
    body: (n) => ({ list: "customers", name: `View ${n}`, filters: { q: "ada" } }),
    status: 201,
    action: "create view",
    noun: "views",
  },
  destination_secrets: {
    path: ({ destinationId }) => `/destinations/${destinationId}/rotate-secret`,
    body: () => ({}),
    status: 200,
    action: "rotate secret",
    noun: "live secrets per destination",
  },
  source_secrets: {
    path: ({ sourceId }) => `/sources/${sourceId}/rotate-secret`,
    body: () => ({}),
    status: 200,
    action: "rotate secret",
    noun: "live secrets per source",
  },
  device_tokens: {
    path: ({ customerId }) => `/customers/${customerId}/device-tokens`,
    body: (n) => ({ token: `token-${n}`, platform: "ios" }),
    status: 201,
    action: "register device token",
    noun: "device tokens per customer",
  },
};

/** A workspace with one of everything, whose plan allows `limit` of each kind, and its owner. */
async function createLimitedWorkspace(world: ApiWorld, limit: number) {
  const entities = await createApiEntities(world);
  const { workspaceId } = entities;
  const limits = Object.fromEntries(Object.keys(creations).map((kind) => [`max_${kind}`, limit]));
  const planId = await createPlan(world.sql, { apiPerSecond: 10_000, apiBurst: 100_000, limits });
  await world.sql`update public.workspaces set plan_id = ${planId} where id = ${workspaceId}`;
  const token = await world.signInAs("owner", workspaceId);
  let n = 0;
  const create = ({ path, body }: Creation) =>
    world.send({
      method: "POST",
      path: path(entities),
      token,
      workspaceId,
      body: body(n++, entities),
    });
  return { entities, workspaceId, planId, token, create };
}

async function countOf(world: ApiWorld, workspaceId: string, kind: string): Promise<number> {
  const [row] = await world.sql<{ table_name: string; condition: string }[]>`
    select table_name, condition from private.limited_kinds where kind = ${kind}`;
  const [counted] = await world.sql.unsafe(
    `select count(*)::integer as count from ${row!.table_name}
     where workspace_id = '${workspaceId}' and ${row!.condition}`,
  );
  return counted!.count;
}

function assertLimited(response: ServiceResponse, expected: string): void {
  assert.deepEqual([response.status, response.body.code, response.body.error], [
    409,
    "limit_reached",
    expected,
  ]);
}

/** Creates `room` more, then asserts that the next call is refused with `limit` in its message. */
async function createUpTo(
  { create, planId }: Awaited<ReturnType<typeof createLimitedWorkspace>>,
  { creation, room, limit }: { creation: Creation; room: number; limit: number },
): Promise<void> {
  for (let i = 0; i < room; i++) {
    const response = await create(creation);
    assert.equal(response.status, creation.status, JSON.stringify(response.body));
  }
  const { action, noun } = creation;
  assertLimited(
    await create(creation),
    `Cannot ${action}: the plan "${planId}" allows ${limit} ${noun}`,
  );
}

Deno.test("every limit of a plan allows its last item and refuses the next with limit_reached", async () => {
  const limit = 4;
  await using world = await createApiWorld();
  for (const [kind, creation] of Object.entries(creations)) {
    const limited = await createLimitedWorkspace(world, limit);
    const room = limit - await countOf(world, limited.workspaceId, kind);
    assert(room > 0, kind);
    await createUpTo(limited, { creation, room, limit });
    assert.equal(await countOf(world, limited.workspaceId, kind), limit, kind);
  }
});

Deno.test("at the limit of live secrets, a rotation that ends the older ones at once is possible", async () => {
  await using world = await createApiWorld();
  for (const kind of ["destination_secrets", "source_secrets"]) {
    const creation = creations[kind]!;
    const limited = await createLimitedWorkspace(world, 3);
    while (await countOf(world, limited.workspaceId, kind) < 3) await limited.create(creation);
    const rotate = (overlap_seconds: number) =>
      limited.create({ ...creation, body: () => ({ overlap_seconds }) });
    assert.equal((await rotate(3600)).status, 409, kind);
    assert.equal((await rotate(0)).status, 200, kind);
    assert.equal(await countOf(world, limited.workspaceId, kind), 1, kind);
  }
});

Deno.test("twenty concurrent creations with room for one create exactly one, for every kind", async () => {
  const limit = 4;
  await using world = await createApiWorld();
  for (const [kind, creation] of Object.entries(creations)) {
    const limited = await createLimitedWorkspace(world, limit);
    while (await countOf(world, limited.workspaceId, kind) < limit - 1) {
      assert.equal((await limited.create(creation)).status, creation.status, kind);
    }
    const responses = await Promise.all(Array.from({ length: 20 }, () => limited.create(creation)));
    const statuses = responses.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === creation.status).length, 1, kind);
    assert.equal(statuses.filter((status) => status === 409).length, 19, kind);
    assert.equal(await countOf(world, limited.workspaceId, kind), limit, kind);
  }
});

Deno.test("every kind that is limited has a column of its own in plans, and a test here", async () => {
  await using world = await createApiWorld();
  const rows = await world.sql<{ kind: string; owner_column: string }[]>`
    select kind, owner_column from private.limited_kinds`;
  const columns = await world.sql<{ kind: string }[]>`
    select substr(a.attname, 5) as kind from pg_attribute as a
    where a.attrelid = 'public.plans'::regclass and a.attname like 'max\\_%'
      and a.attname <> 'max_workspaces_per_user'`;
  const kinds = rows.map(({ kind }) => kind).toSorted();
  assert.deepEqual(columns.map(({ kind }) => kind).toSorted(), kinds);
  // A journey has one rehearsal at a time: tests/journeys/api_rehearsals_test.ts has their limit.
  const tested = [...Object.keys(creations), "members", "rehearsals"];
  assert.deepEqual(tested.toSorted(), kinds);
  const own = rows.filter(({ owner_column }) => owner_column === "workspace_id");
  assert.deepEqual(own.map(({ kind }) => kind).toSorted(), [...ownLimits].toSorted());
});

Deno.test("the limit of members refuses one more, for every way to join", async () => {
  await using world = await createApiWorld();
  const planId = await createPlan(world.sql, { limits: { max_members: 2 } });
  await world.sql`update public.workspaces set plan_id = ${planId} where id = ${world.workspaceId}`;
  await world.signInAs("owner");
  await world.signInAs("viewer");
  await assert.rejects(world.signInAs("viewer"), {
    code: "SPLIM",
    message: `Cannot add member: the plan "${planId}" allows 2 members`,
  });
});

Deno.test("deleted, revoked and expired items make room", async () => {
  await using world = await createApiWorld();
  const limited = await createLimitedWorkspace(world, 1);
  const { workspaceId, entities, token, create } = limited;
  const remove = (path: string) => world.send({ method: "DELETE", path, token, workspaceId });
  const rooms = {
    api_keys: () => remove(`/api-keys/${entities.apiKeyId}`),
    destinations: () => remove(`/destinations/${entities.destinationId}`),
    sources: () => remove(`/sources/${entities.sourceId}`),
  };
  for (const [kind, makeRoom] of Object.entries(rooms)) {
    assert.equal((await create(creations[kind]!)).status, 409, kind);
    assert.equal((await makeRoom()).status, 204, kind);
    assert.equal((await create(creations[kind]!)).status, 201, kind);
  }
  await world.sql`update public.invitations set expires_at = now() - interval '1 second'`;
  assert.equal((await create(creations.invitations!)).status, 201);
  assert.equal((await create(creations.invitations!)).status, 409);
  await world.sql`
    update private.api_keys set expires_at = now() where workspace_id = ${workspaceId}`;
  assert.equal((await create(creations.api_keys!)).status, 201);
});

Deno.test("a limit of one is written in the singular", async () => {
  await using world = await createApiWorld();
  const { planId, create } = await createLimitedWorkspace(world, 1);
  const nouns = {
    destinations: "1 destination",
    api_keys: "1 API key",
    source_secrets: "1 live secret per source",
  };
  for (const [kind, noun] of Object.entries(nouns)) {
    const creation = creations[kind]!;
    await create(creation);
    assertLimited(
      await create(creation),
      `Cannot ${creation.action}: the plan "${planId}" allows ${noun}`,
    );
  }
});

Deno.test("a refused creation leaves nothing behind, not even in the audit log", async () => {
  await using world = await createApiWorld();
  const { workspaceId, create } = await createLimitedWorkspace(world, 1);
  assert.equal((await create(creations.destinations!)).status, 409);
  const rows = await world.sql`
    select from public.audit_log where workspace_id = ${workspaceId} and action = 'destination.create'`;
  assert.equal(rows.length, 0);
});

Deno.test("a customer over the limit of device tokens can still refresh each of them", async () => {
  await using world = await createApiWorld();
  const { workspaceId, entities, token } = await createLimitedWorkspace(world, 1);
  const path = `/customers/${entities.customerId}/device-tokens`;
  await world.sql`
    insert into public.device_tokens (workspace_id, token, customer_id, platform)
    values (${workspaceId}, 'merged', ${entities.customerId}, 'web')`;
  const body = { token: "merged", platform: "web" };
  const refreshed = await world.send({ method: "POST", path, token, workspaceId, body });
  assert.equal(refreshed.status, 201, JSON.stringify(refreshed.body));
});

Deno.test("GET /workspaces/{id} returns each limit and its usage", async () => {
  await using world = await createApiWorld();
  const { workspaceId, token } = await createLimitedWorkspace(world, 7);
  const { body } = await world.send({ path: `/workspaces/${workspaceId}`, token });
  assert.deepEqual(body.use, {
    members: 2,
    invitations: 1,
    api_keys: 1,
    destinations: 1,
    sources: 1,
    jobs: 1,
    topics: 1,
    segments: 2,
    journeys: 2,
    rehearsals: 0,
    senders: 2,
    campaigns: 3,
    templates: 2,
    alert_rules: 1,
    views: 1,
  });
  for (const kind of ownLimits) {
    const own = { members: 1000, rehearsals: 5 }[kind as string] ?? 7;
    assert.equal(body.plan[`max_${kind}`], own, kind);
  }
  const stranger = await world.signInAs("owner", await world.createWorkspace());
  assert.equal(
    (await world.send({ path: `/workspaces/${workspaceId}`, token: stranger })).status,
    404,
  );
});

Deno.test("the plans of a new installation allow what the documentation says", async () => {
  await using world = await createApiWorld();
  const rows = await world.sql`
    select id, max_destinations, max_sources, max_api_keys, max_invitations, max_workspaces_per_user
    from public.plans where id in ('free', 'pro', 'scale') order by id`;
  assert.deepEqual(rows.map((row) => Object.values(row)), [
    ["free", 50, 50, 100, 100, 3],
    ["pro", 50, 50, 100, 100, null],
    ["scale", 50, 50, 100, 100, null],
  ]);
});
