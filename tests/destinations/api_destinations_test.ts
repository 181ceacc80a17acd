import assert from "node:assert/strict";
import type postgres from "postgres";
import { createWorker } from "../../testing/data/queue.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { assertResponse, findOperation } from "../../testing/service/openapi.ts";

interface DestinationsWorld extends AsyncDisposable {
  dispatch: DispatchWorld;
  api: ApiWorld;
  sql: postgres.Sql;
  workspaceId: string;
  /** May read and write destinations. */
  token: string;
}

/** One workspace with a dispatcher's queue and the api. */
async function createDestinationsWorld(): Promise<DestinationsWorld> {
  await using stack = new AsyncDisposableStack();
  const dispatch = stack.use(await createDispatchWorld());
  const { db, sql, workspaceId } = dispatch;
  const api = stack.use(await createApiWorld({ db, now: () => dispatch.clock.now }));
  const token = await api.createKey(["destinations:read", "destinations:write"], workspaceId);
  const kept = stack.move();
  return {
    dispatch,
    api,
    sql,
    workspaceId,
    token,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function read({ api, token }: DestinationsWorld, path: string) {
  const response = await api.send({ path, token });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

async function readDisabled(world: DestinationsWorld, id: string) {
  const { enabled, disabled_by, disabled_reason, health } = await read(
    world,
    `/destinations/${id}`,
  );
  return { enabled, disabled_by, disabled_reason, state: health.state };
}

async function setEnabled(
  { api, workspaceId }: DestinationsWorld,
  { id, token, enabled }: { id: string; token: string; enabled: boolean },
) {
  const response = await api.send({
    method: "PATCH",
    path: `/destinations/${id}`,
    token,
    workspaceId,
    body: { enabled },
  });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}

/** Responds to the newest message of the destination with 410, or with success. */
async function deliver({ dispatch }: DestinationsWorld, result: "gone" | "failed" | "delivered") {
  await dispatch.publish("order_created", {});
  const worker = createWorker(dispatch);
  const claimed = await worker.claim();
  if (result === "delivered") return await worker.complete(claimed);
  if (result === "failed") return await worker.fail(claimed);
  return await worker.fail(claimed, {
    action: "disable",
    status_code: 410,
    next_attempt_at: null,
    reason: "The receiver responded with 410 Gone",
  });
}

Deno.test("a destination names who disabled it, until it is enabled", async () => {
  await using world = await createDestinationsWorld();
  const { id } = await world.dispatch.addDestination();
  const member = await world.api.signInAs("admin", world.workspaceId);
  const enabled = { enabled: true, disabled_by: null, disabled_reason: null, state: "unused" };
  assert.deepEqual(await readDisabled(world, id), enabled);

  await setEnabled(world, { id, token: member, enabled: false });
  const byMember = {
    enabled: false,
    disabled_by: "member",
    disabled_reason: "Disabled by a member",
    state: "disabled",
  };
  assert.deepEqual(await readDisabled(world, id), byMember);

  // Disabling it again changes nothing.
  await setEnabled(world, { id, token: world.token, enabled: false });
  assert.deepEqual(await readDisabled(world, id), byMember);

  await setEnabled(world, { id, token: member, enabled: true });
  assert.deepEqual(await readDisabled(world, id), enabled);

  await setEnabled(world, { id, token: world.token, enabled: false });
  assert.deepEqual(await readDisabled(world, id), {
    ...byMember,
    disabled_by: "key",
    disabled_reason: "Disabled via API",
  });
});

Deno.test("a destination that is created disabled names who did that", async () => {
  await using world = await createDestinationsWorld();
  const { api, token, workspaceId } = world;
  const body = { name: "Lake", url: "https://l.test/", event_types: ["*"], enabled: false };
  const member = await api.signInAs("admin", workspaceId);
  for (const [caller, disabledBy] of [[token, "key"], [member, "member"]] as const) {
    const response = await api.send({
      method: "POST",
      path: "/destinations",
      token: caller,
      workspaceId,
      body,
    });
    assert.equal(response.body.disabled_by, disabledBy);
  }
});

Deno.test("a destination that an operator disables in SQL keeps the operator's reason", async () => {
  await using world = await createDestinationsWorld();
  const { id } = await world.dispatch.addDestination();
  await world.sql`update public.destinations set enabled = false,
    disabled_reason = 'Receiver is being moved' where id = ${id}`;
  assert.deepEqual(await readDisabled(world, id), {
    enabled: false,
    disabled_by: "operator",
    disabled_reason: "Receiver is being moved",
    state: "disabled",
  });
});

Deno.test("a destination that responds with 410 was disabled by the service, and is failing", async () => {
  await using world = await createDestinationsWorld();
  const { id } = await world.dispatch.addDestination();
  await deliver(world, "gone");
  assert.deepEqual(await readDisabled(world, id), {
    enabled: false,
    disabled_by: "service",
    disabled_reason: "The receiver responded with 410 Gone",
    state: "failing",
  });
});

Deno.test("disabled_by is null exactly while a destination is enabled", async () => {
  await using world = await createDestinationsWorld();
  const { id } = await world.dispatch.addDestination();
  const [row] = await world.sql`update public.destinations set disabled_by = 'member'
    where id = ${id} returning disabled_by`;
  assert.equal(row!.disabled_by, null);
  await assert.rejects(
    async () =>
      await world.sql`update public.destinations set enabled = false, disabled_by = 'nobody'
        where id = ${id}`,
    /destinations_disabled_by_check/,
  );
});

Deno.test("health.state follows the newest attempt", async () => {
  await using world = await createDestinationsWorld();
  const { dispatch } = world;
  const { id } = await dispatch.addDestination();
  for (const [result, state] of [["delivered", "healthy"], ["failed", "failing"]] as const) {
    dispatch.clock.advance(1_000);
    await deliver(world, result);
    assert.equal((await readDisabled(world, id)).state, state);
  }
});

Deno.test("GET /destinations counts all destinations, with any page and filter", async () => {
  await using world = await createDestinationsWorld();
  const { dispatch, sql, workspaceId } = world;
  await dispatch.addDestination();
  await deliver(world, "failed");
  await sql`update public.plans set max_destinations = 1000`;
  await sql`insert into public.destinations (workspace_id, name, url, event_types, enabled)
    select ${workspaceId}, 'Shop ' || n, 'https://s.test/', '{*}', n > 30
    from generate_series(1, 230) as n`;
  const counts = { total: 231, healthy: 0, failing: 1, disabled: 30, unused: 200 };
  for (const query of ["", "?limit=200", "?health=failing", "?q=nothing"]) {
    assert.deepEqual((await read(world, `/destinations${query}`)).counts, counts, query);
  }
  // The oldest one, far behind the first page.
  const failing = await read(world, "/destinations?health=failing&limit=1");
  assert.deepEqual(failing.data.map(({ name }: { name: string }) => name), ["Test"]);
  assert.equal(failing.next_cursor, null);
  assertResponse(
    findOperation("listDestinations"),
    await world.api.send({ path: "/destinations?health=failing", token: world.token }),
  );
});

Deno.test("GET /destinations follows the cursor through a filter", async () => {
  await using world = await createDestinationsWorld();
  const { sql, workspaceId } = world;
  await sql`insert into public.destinations (workspace_id, name, url, event_types, enabled)
    select ${workspaceId}, 'Shop ' || n, 'https://s.test/', '{*}', n % 2 = 0
    from generate_series(1, 10) as n`;
  const names: string[] = [];
  let cursor: string | null = "";
  do {
    const page: { data: { name: string }[]; next_cursor: string | null } = await read(
      world,
      `/destinations?health=disabled&limit=2${cursor && `&cursor=${cursor}`}`,
    );
    names.push(...page.data.map(({ name }) => name));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(names.toSorted(), ["Shop 1", "Shop 3", "Shop 5", "Shop 7", "Shop 9"]);
});

Deno.test("GET /destinations?q= finds names by how they begin, in upper and lower case", async () => {
  await using world = await createDestinationsWorld();
  const { sql, workspaceId } = world;
  await sql`insert into public.destinations (workspace_id, name, url, event_types)
    select ${workspaceId}, n, 'https://s.test/', '{*}'
    from unnest(array['Warehouse', 'wareneingang', 'My warehouse', '100% ware', 'Ärzte']) as n`;
  const find = async (q: string) => {
    const { data } = await read(world, `/destinations?q=${encodeURIComponent(q)}`);
    return data.map(({ name }: { name: string }) => name).toSorted();
  };
  assert.deepEqual(await find("WARE"), ["Warehouse", "wareneingang"]);
  assert.deepEqual(await find("ärz"), ["Ärzte"]);
  assert.deepEqual(await find("%"), []);
  assert.deepEqual(await find("100%"), ["100% ware"]);
});

Deno.test("GET /destinations refuses an unknown state", async () => {
  await using world = await createDestinationsWorld();
  const { api, token } = world;
  const response = await api.send({ path: "/destinations?health=sick", token });
  assert.equal(response.status, 400);
  assert.equal(response.body.details[0].field, "health");
});
