import assert from "node:assert/strict";
import { roles } from "../../supabase/functions/api/contract/roles.ts";
import { createUuidV7 } from "../../supabase/functions/_shared/ids/uuid_v7.ts";
import type { ApiRoute } from "../../supabase/functions/api/kernel/route.ts";
import { routes } from "../../supabase/functions/api/routes.ts";
import { scopes as allScopes } from "../../supabase/functions/_shared/access/auth.ts";
import { malformedStatus } from "../../testing/access/malformed_status.ts";
import { bodyOf, sampleApiCalls } from "../../testing/service/api_calls.ts";
import { createApiEntities, type Entities } from "../../testing/access/api_entities.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import type { ServiceResponse } from "../../testing/service/app.ts";
import { createForgersKey, forge } from "../../testing/service/sessions.ts";

const unknownId = createUuidV7(new Date());
const quotaHeaders = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"];

interface Caller {
  token?: string | undefined;
  workspaceId?: string | undefined;
}

/** Calls a route with its sample; `id` replaces the entity's own. */
function call(
  world: ApiWorld,
  { route, entities, caller, id }: {
    route: ApiRoute;
    entities: Entities;
    caller: Caller;
    id?: string | undefined;
  },
): Promise<ServiceResponse> {
  const sample = sampleApiCalls[route.operationId];
  assert(
    sample,
    `no sample call for "${route.operationId}": add one to testing/service/api_calls.ts`,
  );
  const path = sample.path(id ?? sample.entity?.(entities) ?? "", entities);
  const { workspaceId = entities.workspaceId } = caller;
  const { method } = route;
  const body = bodyOf(sample, entities);
  return world.send({ method, path, token: caller.token, workspaceId, body });
}

/** Everything a response tells, but for the request's own id. */
function bytesOf(response: ServiceResponse): string {
  const text = JSON.stringify([response.status, response.body]);
  return text.replaceAll(response.body.request_id, "<request id>");
}

function assertQuota(response: ServiceResponse): void {
  for (const name of quotaHeaders) assert.match(response.headers.get(name) ?? "", /^\d+$/, name);
}

/** Lists the changes that calls made. */
async function listAudits(
  world: ApiWorld,
  { workspaceId, auditEntryId }: Entities,
): Promise<string[]> {
  const rows = await world.sql<{ action: string }[]>`
    select a.action from public.audit_log as a
    where a.workspace_id = ${workspaceId} and a.id <> ${auditEntryId}`;
  return rows.map(({ action }) => action);
}

async function makeBadTokens(world: ApiWorld, workspaceId: string) {
  const { sessions } = world;
  const userId = await world.createUser();
  await world.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${workspaceId}, ${userId}, 'owner')`;
  const good = await sessions.sign(userId);
  const revoked = await world.createKey(allScopes, workspaceId);
  await world.sql`update private.api_keys set revoked_at = now() where last_four = ${
    revoked.slice(-4)
  }`;
  const keySet = JSON.parse(sessions.jwks).keys[0];
  return {
    "no credential": undefined,
    "malformed": "nonsense",
    "malformed token": `${good.slice(0, 20)}.${good.slice(20)}`,
    "expired": await sessions.sign(userId, { expiresAt: new Date(Date.now() - 60_000) }),
    "without an end": await sessions.sign(userId, { expiresAt: null }),
    "wrong signature": await sessions.sign(userId, { key: await createForgersKey() }),
    "HS256 with the public key": await forge(good, { alg: "HS256", secret: keySet.x }),
    "HS256 with the whole key set": await forge(good, { alg: "HS256", secret: sessions.jwks }),
    "alg none": await forge(good, { alg: "none" }),
    "another issuer": await sessions.sign(userId, { issuer: "https://evil.example/auth/v1" }),
    "another audience": await sessions.sign(userId, { audience: "anon" }),
    "service role": await sessions.sign(userId, { claims: { role: "service_role" } }),
    "no user": await sessions.sign("postgres"),
    "revoked key": revoked,
    "unknown key": `pk_${"0".repeat(38)}`,
  };
}

type Check = (route: ApiRoute) => Promise<void>;

/** One world for all routes. A call that may change something has a workspace of its own. */
function testRoutes(title: string, prepare: (world: ApiWorld) => Promise<Check>) {
  Deno.test(title, async (t) => {
    await using world = await createApiWorld();
    const check = await prepare(world);
    for (const route of routes) await t.step(route.operationId, () => check(route));
  });
}

/** Returns false for a call that runs in a transaction that is read only. */
function mayChange({ method }: ApiRoute): boolean {
  return method !== "GET";
}

testRoutes("api routes response 401 to callers without a good credential", async (world) => {
  const entities = await createApiEntities(world);
  const tokens = await makeBadTokens(world, entities.workspaceId);
  return async (route) => {
    for (const [title, token] of Object.entries(tokens)) {
      const response = await call(world, { route, entities, caller: { token } });
      assert.equal(response.status, 401, title);
      assert.equal(response.body.code, "unauthorized", title);
      assert.equal(response.headers.get("www-authenticate"), "Bearer", title);
      for (const name of quotaHeaders) assert.equal(response.headers.get(name), null, title);
    }
    assert.deepEqual(await listAudits(world, entities), []);
  };
});

testRoutes("api routes are for their least role and higher", async (world) => {
  const shared = await createApiEntities(world);
  const signedIn = await createTokens(roles, (role) => world.signInAs(role, shared.workspaceId));
  return async (route) => {
    const { leastRole, status, action, workspace, operationId } = route;
    for (const role of roles) {
      const isAllowed = workspace === "none" || roles.indexOf(role) <= roles.indexOf(leastRole);
      const isShared = !isAllowed || !mayChange(route);
      const entities = isShared ? shared : await createApiEntities(world);
      const token = isShared
        ? signedIn.get(role)!
        : await world.signInAs(role, entities.workspaceId);
      const id = await sampleApiCalls[operationId]?.makeOwn?.(world, token);
      const response = await call(world, { route, entities, caller: { token }, id });
      assert.equal(
        response.status,
        isAllowed ? status : 403,
        `${role}: ${JSON.stringify(response.body)}`,
      );
      if (!isAllowed) assert.equal(response.body.code, "insufficient_role");
      assertQuota(response);
      const audited = isAllowed ? [action ?? []].flat().slice(0, 1) : [];
      assert.deepEqual(await listAudits(world, entities), audited, role);
    }
  };
});

testRoutes("api routes are for keys with one of their scopes", async (world) => {
  const shared = await createApiEntities(world);
  const keys = await createTokens(
    allScopes,
    (scope) => world.createKey([scope], shared.workspaceId),
  );
  return async (route) => {
    const { scopes, status } = route;
    for (const scope of allScopes) {
      const isAllowed = scopes.includes(scope);
      const isShared = !isAllowed || !mayChange(route);
      const entities = isShared ? shared : await createApiEntities(world);
      const token = isShared
        ? keys.get(scope)!
        : await world.createKey([scope], entities.workspaceId);
      const response = await call(world, { route, entities, caller: { token } });
      assert.equal(
        response.status,
        isAllowed ? status : 403,
        `${scope}: ${JSON.stringify(response.body)}`,
      );
      if (!isAllowed) assert.equal(response.body.code, "insufficient_scope");
      assertQuota(response);
      if (isShared) assert.deepEqual(await listAudits(world, shared), [], scope);
    }
  };
});

testRoutes("api routes show and change nothing of another workspace", async (world) => {
  const entities = await createApiEntities(world);
  const before = await readWorkspace(world, entities.workspaceId);
  const rows = JSON.stringify(before);
  const neighbours = await createStrangers(world);
  return async (route) => {
    const { status, operationId } = route;
    const hasEntity = sampleApiCalls[operationId]?.entity !== undefined;
    const { session, key } = hasEntity || !mayChange(route)
      ? neighbours
      : await createStrangers(world);
    for (const caller of route.scopes.length > 0 ? [session, key] : [session]) {
      const response = await call(world, { route, entities, caller });
      if (hasEntity) await assertMissing(world, { route, entities, caller }, response);
      else {
        assert.equal(response.status, status);
        assert(!JSON.stringify(response.body).includes(entities.workspaceId));
        for (const { id } of response.body.data ?? []) assert(!rows.includes(id));
      }
    }
    if (route.workspace === undefined || route.workspace === "header") {
      // Calls about a workspace of others count for the user, whose quota all routes would use up.
      const caller = { token: await world.signInAs("owner", session.workspaceId!) };
      const named = await call(world, { route, entities, caller });
      const missing = await call(world, {
        route,
        entities,
        caller: { ...caller, workspaceId: unknownId },
      });
      assert.equal(named.status, 404);
      assert.equal(bytesOf(named), bytesOf(missing));
    }
    assert.deepEqual(await readWorkspace(world, entities.workspaceId), before);
  };
});

async function createTokens<Name>(
  names: readonly Name[],
  create: (name: Name) => Promise<string>,
): Promise<Map<Name, string>> {
  const tokens = new Map<Name, string>();
  for (const name of names) tokens.set(name, await create(name));
  return tokens;
}

/** Creates a workspace like the one that is called, with an owner and a key. */
async function createStrangers(world: ApiWorld): Promise<Record<"session" | "key", Caller>> {
  const { workspaceId } = await createApiEntities(world);
  return {
    session: { token: await world.signInAs("owner", workspaceId), workspaceId },
    key: { token: await world.createKey(allScopes, workspaceId), workspaceId },
  };
}

/** Asserts that a stranger learns as much about an entity as about one that nobody has. */
async function assertMissing(
  world: ApiWorld,
  { route, entities, caller }: { route: ApiRoute; entities: Entities; caller: Caller },
  response: ServiceResponse,
): Promise<void> {
  const missing = await call(world, { route, entities, caller, id: unknownId });
  assert.equal(response.status, 404, JSON.stringify(response.body));
  assert.equal(bytesOf(response), bytesOf(missing));
  const malformed = await call(world, { route, entities, caller, id: "-no-id" });
  assert.equal(malformed.status, malformedStatus(route));
  if (route.method === "GET" && malformed.status === 404) {
    assert.equal(bytesOf(malformed), bytesOf(missing));
  }
}

/** Every row of a workspace, of every table, in one order, but for what time alone changes. */
async function readWorkspace({ sql }: ApiWorld, workspaceId: string): Promise<unknown[]> {
  const tables = await sql<{ name: string }[]>`
    select t::text as name from private.tenant_tables() as t
    where t <> 'private.rate_limit_buckets'::regclass
    order by name`;
  const rows = [];
  for (const { name } of tables) {
    rows.push([
      name,
      await sql.unsafe(`select t.* from ${name} as t where t.workspace_id = $1 order by t::text`, [
        workspaceId,
      ]),
    ]);
  }
  return JSON.parse(JSON.stringify(rows));
}
