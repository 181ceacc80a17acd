import assert from "node:assert/strict";
import { createLinksWorld, type LinksWorld, person } from "../../testing/data/links.ts";
import { readEngagements, readSendState } from "../../testing/data/sent_messages.ts";

const targets = [1, 2, 3, 4].map((n) => `https://shop.example/${n}`);

/** A message that was sent long ago, and a clock. */
async function createClicks(links: string[]) {
  // Ahead of it is time that has passed: events of the future are moved to now.
  const clock = { time: Date.now() - 600_000 };
  const world = await createLinksWorld({ now: () => new Date(clock.time) });
  const { id, links: { clickUrl } } = await world.createSend({ links });
  return {
    world,
    clock,
    click: async (index: number, init: RequestInit = {}) => {
      assert.equal((await world.open(clickUrl(index), init)).status, 302);
    },
    readMarks: () => readMarks(world),
    isClicked: async () => (await readSendState(world.db.sql, id)).clicked,
  };
}

async function readMarks(world: LinksWorld): Promise<boolean[]> {
  const events = await readEngagements(world.db.sql, world.workspaceId);
  return events.map(({ properties }) => properties.automated === true);
}

Deno.test("a scanner that follows three links, later than 5 s, leaves no click on the message", async () => {
  const { world, clock, click, readMarks, isClicked } = await createClicks(targets);
  await using _ = world;
  await click(0);
  assert.equal(await isClicked(), true);
  for (const index of [1, 2]) {
    clock.time += 500;
    await click(index);
  }
  assert.deepEqual(await readMarks(), [false, true, true]);
  assert.equal(await isClicked(), false);
  clock.time += 60_000;
  await click(3);
  assert.equal(await isClicked(), true, "a person");
});

Deno.test("a scanner that follows both links of a message leaves no click on it", async () => {
  const { world, click, isClicked } = await createClicks(targets.slice(0, 2));
  await using _ = world;
  await click(0);
  await click(1);
  assert.equal(await isClicked(), false);
});

Deno.test("a person who opens two of several links at once has clicked", async () => {
  const { world, clock, click, isClicked } = await createClicks(targets);
  await using _ = world;
  await click(0);
  clock.time += 1_000;
  await click(1);
  assert.equal(await isClicked(), true);
});

Deno.test("a scanner takes no click back that a person made before it", async () => {
  const { world, clock, click, isClicked } = await createClicks(targets);
  await using _ = world;
  await click(0);
  clock.time += 60_000;
  for (const index of [1, 2, 3]) await click(index);
  assert.equal(await isClicked(), true);
});

Deno.test("a click by a program that has just asked with HEAD is automated, one by a person is not", async () => {
  const { world, clock, click, readMarks, isClicked } = await createClicks(targets);
  await using _ = world;
  const scanner = { "user-agent": "Mozilla/5.0 (Windows NT 10.0) Chrome/120.0" };
  await click(0, { method: "HEAD", headers: scanner });
  assert.deepEqual(await readMarks(), []);
  clock.time += 9_000;
  await click(0, { headers: scanner });
  assert.deepEqual([await readMarks(), await isClicked()], [[true], false]);
  await click(0, { headers: person });
  assert.deepEqual([await readMarks(), await isClicked()], [[true, false], true]);
});

Deno.test("a HEAD request is forgotten after ten seconds", async () => {
  const { world, clock, click, readMarks } = await createClicks(targets);
  await using _ = world;
  await click(0, { method: "HEAD" });
  clock.time += 10_000;
  await click(0);
  assert.deepEqual(await readMarks(), [false]);
});
