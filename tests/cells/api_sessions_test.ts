import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { readKeyCell } from "../../supabase/functions/_shared/access/keys.ts";
import { readSourceCell } from "../../supabase/functions/_shared/sources/source_ids.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

/** The api on two cells. An owner has one workspace in the first and one in the other. */
async function createTwoCells(...more: [cell: string, url: string][]) {
  await using stack = new AsyncDisposableStack();
  const other = stack.use(await createTestDatabase());
  await other.sql`select ops.name_cell('01')`;
  const otherCells = new Map([["01", other.url], ...more]);
  const world = stack.use(await createApiWorld({ otherCells }));
  const email = `${crypto.randomUUID()}@example.com`;
  const ownerId = await world.createUser(email);
  const token = await world.sessions.sign(ownerId);
  const [account] = await world.sql`
    select private.export_accounts(array[${ownerId}::uuid])::text as text`;
  await other.sql`select private.import_accounts(${account!.text}::text::jsonb)`;
  const workspaceId = await createWorkspace(other.sql, { planId: "scale" });
  await other.sql`
    insert into public.workspace_members (workspace_id, user_id, role)
    values (${workspaceId}, ${ownerId}, 'owner')`;
  await world.sql`select private.set_directory(${workspaceId}, '01', array[${ownerId}::uuid])`;
  const kept = stack.move();
  return {
    world,
    other,
    token,
    ownerId,
    workspaceId,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

Deno.test("a cell that is out of reach keeps nobody from the other cells", async (t) => {
  await using cells = await createTwoCells(["02", "postgresql://postgres@127.0.0.1:1/postgres"]);
  const { world, token, ownerId, workspaceId } = cells;
  const unreachable = crypto.randomUUID();
  await world.sql`select private.set_directory(${unreachable}, '02', array[${ownerId}::uuid])`;
  const send = (path: string, named?: string) =>
    world.send({ path, token, ...named !== undefined && { workspaceId: named } });

  await t.step("GET /workspaces lists the others", async () => {
    const { status, body } = await send("/workspaces");
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.data.length, 2);
  });

  await t.step("GET /invitations and GET /sessions answer", async () => {
    assert.equal((await send("/invitations")).status, 200);
    assert.equal((await send("/sessions")).status, 200);
    assert.equal((await send("/sessions", workspaceId)).status, 200);
  });

  await t.step("a call that names a workspace of another cell is served", async () => {
    assert.equal((await send("/customers", workspaceId)).status, 200);
  });

  await t.step("a call that is about the cell gets 503 with Retry-After", async () => {
    for (const named of [unreachable, undefined]) {
      const { status, headers } = await send("/customers", named);
      assert.equal(status, 503);
      assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    }
  });
});

Deno.test("a list does not wait until the connection to a hanging cell is given up", async () => {
  let ended = 0;
  const hanging = createServer((socket) => socket.on("error", () => {}).on("close", () => ended++));
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
  const { port } = hanging.address() as AddressInfo;
  try {
    await using cells = await createTwoCells(["02", `postgresql://postgres@127.0.0.1:${port}/x`]);
    const { world, token, ownerId } = cells;
    await world.sql`
      select private.set_directory(${crypto.randomUUID()}, '02', array[${ownerId}::uuid])`;
    const { status, body } = await world.send({ path: "/workspaces", token });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.data.length, 2);
    assert.equal(ended, 0, "connections that were given up");
  } finally {
    hanging.close();
  }
});

Deno.test("a session reaches its workspaces in all cells", async (t) => {
  await using cells = await createTwoCells();
  const { world, other, token, workspaceId } = cells;

  await t.step("GET /workspaces lists them, newest first, in pages", async () => {
    const all = await world.send({ path: "/workspaces", token });
    const ids = all.body.data.map(({ id }: { id: string }) => id);
    assert.equal(ids.length, 2);
    assert.deepEqual(ids, ids.toSorted().toReversed());
    assert(ids.includes(workspaceId));
    const first = await world.send({ path: "/workspaces?limit=1", token });
    const cursor = first.body.next_cursor;
    const second = await world.send({ path: `/workspaces?limit=1&cursor=${cursor}`, token });
    assert.deepEqual([first.body.data[0].id, second.body.data[0].id], ids);
    assert.equal(second.body.next_cursor, null);
  });

  await t.step("new keys and sources name their cell, and the key reaches it", async () => {
    const key = await world.send({
      method: "POST",
      path: "/api-keys",
      token,
      workspaceId,
      body: { name: "Test", scopes: ["customers:read"] },
    });
    assert.equal(key.status, 201, JSON.stringify(key.body));
    assert.equal(readKeyCell(key.body.key), "01");
    assert.equal((await world.send({ path: "/customers", token: key.body.key })).status, 200);
    const source = await world.send({
      method: "POST",
      path: "/sources",
      token,
      workspaceId,
      body: { name: "Shop", scheme: "shopify", preset: "shopify", secret: "a-secret-of-the-shop" },
    });
    assert.equal(source.status, 201, JSON.stringify(source.body));
    assert.equal(readSourceCell(source.body.id), "01");
  });

  await t.step("nobody else sees the workspace", async () => {
    const stranger = await world.sessions.sign(await world.createUser());
    const { status } = await world.send({ path: "/customers", token: stranger, workspaceId });
    assert.equal(status, 404);
    // An entry of the directory gives no rights.
    const userId = await world.createUser();
    await world.sql`select private.set_directory(
      ${workspaceId}, '01', array[${userId}::uuid, ${cells.ownerId}::uuid])`;
    const named = await world.sessions.sign(userId);
    assert.equal((await world.send({ path: "/customers", token: named, workspaceId })).status, 404);
  });

  await t.step("an invitation is found, accepted, and followed by the directory", async () => {
    const guestEmail = `${crypto.randomUUID()}@example.com`;
    const guestId = await world.createUser(guestEmail);
    const guest = await world.sessions.sign(guestId);
    const invited = await world.send({
      method: "POST",
      path: "/members",
      token,
      workspaceId,
      body: { email: guestEmail, role: "viewer" },
    });
    assert.equal(invited.status, 201, JSON.stringify(invited.body));
    const list = await world.send({ path: "/invitations", token: guest });
    assert.deepEqual(list.body.data.map(({ id }: { id: string }) => id), [invited.body.id]);
    const accepted = await world.send({
      method: "POST",
      path: `/invitations/${invited.body.id}/accept`,
      token: guest,
    });
    assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
    assert.equal(accepted.body.id, workspaceId);
    const read = { path: "/customers", token: guest, workspaceId };
    assert.equal((await world.send(read)).status, 200);
    const [copied] = await other.sql`
      select count(*)::integer as workspaces from public.workspaces where created_by = ${guestId}`;
    assert.equal(copied!.workspaces, 0, "a copied account is not welcomed");
    await world.send({ method: "DELETE", path: `/members/${guestId}`, token, workspaceId });
    assert.equal((await world.send(read)).status, 404);
    const rows = await world.sql`select from private.directory where user_id = ${guestId}`;
    assert.equal(rows.length, 0);
  });

  await t.step("a deleted workspace leaves the directory", async () => {
    const path = `/workspaces/${workspaceId}`;
    assert.equal((await world.send({ method: "DELETE", path, token })).status, 204);
    assert.equal((await world.sql`select from private.directory`).length, 0);
  });
});

Deno.test("private.import_accounts() refuses to change the accounts of the first cell", async () => {
  await using world = await createApiWorld();
  await assert.rejects(async () => {
    await world.sql`select private.import_accounts('[]')`;
  }, { code: "SP403" });
});
