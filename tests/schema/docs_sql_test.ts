import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { createAccount } from "../../testing/data/accounts.ts";
import { createDispatchWorld, type DispatchWorld } from "../../testing/service/dispatch_world.ts";
import { platformSql } from "../../testing/postgres/platform_parts.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

/** Every statement block of a page, with ids that exist. */
function readBlocks(page: string, ids: Record<string, string>): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, block = ""]) =>
    block.replaceAll(
      /<(workspace id|destination id|template id|delivery id|e-mail address)>/g,
      (_, name) => ids[name]!,
    )
  );
}

async function createFailure(world: DispatchWorld): Promise<Record<string, string>> {
  const receiver = await world.receive({ behaviour: respond(500) });
  const { id } = await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", {});
  await world.dispatch();
  const [delivery] = await world.deliveries();
  await createAccount(world.sql, "ada@example.com");
  return {
    "workspace id": world.workspaceId,
    "destination id": id,
    "template id": crypto.randomUUID(),
    "delivery id": delivery!.id,
    "e-mail address": "ada@example.com",
  };
}

/** Runs a block and undoes it. */
async function tryOut(sql: postgres.Sql, block: string): Promise<void> {
  const connection = await sql.reserve();
  try {
    await connection.unsafe("begin");
    await connection.unsafe(block);
  } catch (error) {
    throw new Error(`Cannot run what the documentation says: ${block}`, { cause: error });
  } finally {
    await connection.unsafe("rollback");
    connection.release();
  }
}

for (const [page, least] of [["operations.md", 15], ["deploy.md", 1], ["scaling.md", 1]] as const) {
  Deno.test(`every SQL statement of docs/${page} runs`, async () => {
    await using world = await createDispatchWorld();
    await world.sql.unsafe(platformSql);
    const blocks = readBlocks(page, await createFailure(world));
    assert.ok(blocks.length >= least, `docs/${page} has ${blocks.length} blocks`);
    for (const block of blocks) await tryOut(world.sql, block);
  });
}

Deno.test("the logins of docs/scaling.md may do what their function does, and no more", async () => {
  await using world = await createDispatchWorld();
  const [block = ""] = readBlocks("scaling.md", {});
  const asLogin = (role: string, statement: string) =>
    tryOut(world.sql, `${block}; set local session authorization ${role}; ${statement}`);
  await asLogin("track_login", "select private.ingest('[]')");
  await asLogin("dispatch_login", "select * from private.claim_deliveries(gen_random_uuid(), 1)");
  await asLogin("api_login", "set local role signalpost_user; select * from public.events");
  await asLogin("api_login", "set local role signalpost_key; select * from public.events");
  await assert.rejects(asLogin("track_login", "select * from public.events"));
  await assert.rejects(asLogin("track_login", "set local role signalpost_user"));
  await assert.rejects(asLogin("dispatch_login", "select private.ingest('[]')"));
});
