import assert from "node:assert/strict";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import {
  createLinksWorld,
  isSubscribed,
  type LinksWorld,
  postForm,
} from "../../testing/data/links.ts";

const oneClick = { "List-Unsubscribe": "One-Click" };

/** Erases the customer of a send to its end; identifies the same address again. */
async function eraseAndReturn({ db, workspaceId }: LinksWorld): Promise<void> {
  const [customer] = await db.sql<{ id: string }[]>`
    select id from public.customers where workspace_id = ${workspaceId}`;
  await eraseCustomers(db.sql, workspaceId, [customer!.id]);
  await runFrequentTasksFor(db.sql, { seconds: 90 });
  const [sends] = await db.sql`select count(*)::integer as count from public.sends`;
  assert.equal(sends!.count, 0, "the message is gone");
  await ingestFor(db.sql, workspaceId, [{
    kind: "identify",
    external_id: "ada-again",
    profile: { email: "ada@example.com" },
    attributes: {},
  }]);
}

Deno.test("one click unsubscribes the address after the customer was erased", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend({});
  await eraseAndReturn(world);
  assert.equal(await isSubscribed(world, "offers"), true);
  assert.equal((await world.open(links.unsubscribeUrl)).status, 200);
  const response = await world.open(links.unsubscribeUrl, postForm(oneClick));
  assert.equal(response.status, 200);
  assert.equal(await isSubscribed(world, "offers"), false);
});

Deno.test("the page of preferences works after the customer was erased", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend({});
  await eraseAndReturn(world);
  const page = await (await world.open(links.preferencesUrl)).text();
  assert(!page.includes("ada@example.com"), "it does not show the address");
  const { news, offers } = world.topics;
  const choice = postForm([["confirm", "save"], ["shown", news], ["shown", offers], [
    "topic",
    news,
  ]]);
  assert.equal((await world.open(links.preferencesUrl, choice)).status, 200);
  assert.deepEqual(
    [await isSubscribed(world, "news"), await isSubscribed(world, "offers")],
    [true, false],
  );
  await world.open(links.preferencesUrl, postForm({ all: "unsubscribe" }));
  assert.equal(await isSubscribed(world, "news"), false);
});

Deno.test("links of erased customers are kept for as long as messages, as hashes", async () => {
  await using world = await createLinksWorld();
  const { id, links } = await world.createSend({});
  await eraseAndReturn(world);
  const [row] = await world.db.sql`select to_jsonb(e) as row from private.erased_sends as e`;
  assert(!JSON.stringify(row).includes("@example.com"), JSON.stringify(row));
  const day = 86_400_000;
  for (const [days, left] of [[89, 1], [91, 0]] as const) {
    const now = new Date(Date.now() + days * day);
    await world.db.sql`select private.delete_old_erased_sends(10, ${now})`;
    const [rows] = await world.db.sql`
      select count(*)::integer as count from private.erased_sends where send_id = ${id}`;
    assert.equal(rows!.count, left, `after ${days} days`);
  }
  assert.equal((await world.open(links.unsubscribeUrl)).status, 404);
});
