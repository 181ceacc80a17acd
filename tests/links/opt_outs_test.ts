import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import { createLinksWorld, isSubscribed, postForm } from "../../testing/data/links.ts";

const oneClick = { "List-Unsubscribe": "One-Click" };

Deno.test("visits and pages of a message keep nobody from unsubscribing", async () => {
  await using world = await createLinksWorld({ now: () => new Date(0) });
  const { links } = await world.createSend({ links: ["https://shop.example/"] });
  const visits = async (url: string) => {
    for (let i = 0; i < 25; i++) await world.open(url);
    return (await world.open(url)).status;
  };
  assert.equal(await visits(links.openUrl), 200);
  assert.equal(await visits(links.clickUrl(0)), 429);
  assert.equal((await world.open(links.preferencesUrl)).status, 200);
  assert.equal(await visits(links.unsubscribeUrl), 429);
  assert.equal((await world.open(links.unsubscribeUrl, postForm(oneClick))).status, 200);
  assert.equal(await isSubscribed(world, "offers"), false);
});

Deno.test("an opt-out through an old message counts for the address that the customer has now", async (t) => {
  const word = { old: "ada@example.com", now: "ada@new.example" };
  const happenings: Record<string, Parameters<typeof ingestFor>[2]> = {
    "after a change of the address": [
      { kind: "identify", external_id: "ada", profile: { email: word.now } },
    ],
    "after a merge": [
      { kind: "identify", external_id: "ada-2", profile: { email: word.now } },
      { kind: "alias", external_id: "ada-2", previous_id: "ada" },
    ],
  };
  for (const [title, entries] of Object.entries(happenings)) {
    await t.step(title, async () => {
      await using world = await createLinksWorld();
      const { links } = await world.createSend();
      await ingestFor(world.db.sql, world.workspaceId, entries);
      assert.equal(await isSubscribed(world, "offers", word.now), true);
      assert.equal((await world.open(links.unsubscribeUrl, postForm(oneClick))).status, 200);
      assert.equal(await isSubscribed(world, "offers", word.now), false);
      assert.equal(await isSubscribed(world, "offers", word.old), false);
    });
  }
});
