import assert from "node:assert/strict";
import {
  addPeople,
  assertAddsUp,
  change,
  createCampaign,
  createCampaignWorld,
  crowd,
  handOver,
  read,
  readOutcome,
  runUntilEnd,
  send,
  work,
} from "./campaign_world.ts";

type World = Awaited<ReturnType<typeof createCampaignWorld>>;

/** A campaign whose recipients are all queued, and of whom the first has got it. */
async function queueAll(world: World, count: number) {
  const ids = await addPeople(world, crowd(count));
  const id = await createCampaign(world);
  await send(world, id);
  await work(world);
  return { id, ids };
}

async function setEmail({ sql, workspaceId }: World, customerId: string, email: string | null) {
  await sql`
    update public.customers set email = ${email}
    where workspace_id = ${workspaceId} and id = ${customerId}`;
}

async function merge({ sql, workspaceId, now }: World, into: string, id: string) {
  await sql`
    select private.move_customer(${into}, c, 'alias', ${new Date(now)})
    from public.customers as c where c.workspace_id = ${workspaceId} and c.id = ${id}`;
}

Deno.test("a queued recipient who takes the address of another gets no second mail there", async () => {
  await using world = await createCampaignWorld();
  const { id, ids } = await queueAll(world, 4);
  await setEmail(world, ids[1]!, "person-0@example.com"); // that of a recipient
  await setEmail(world, ids[2]!, "new@example.com");
  await setEmail(world, ids[3]!, "new@example.com"); // both the same new one
  const sent = await runUntilEnd(world, id);
  assert.deepEqual(sent.toSorted(), ["new@example.com", "person-0@example.com"]);
  const outcome = await readOutcome(world, id);
  assert.deepEqual(outcome.skipped, { same_address: 2 });
  assertAddsUp(outcome);
});

interface AddressChange {
  title: string;
  /** New address of the person with this number, in this order. */
  changes: readonly (readonly [person: number, email: string | null])[];
  sent: readonly string[];
  skipped: Record<string, number>;
}

const own = (person: number) => `person-${person}@example.com`;

const addressChanges: readonly AddressChange[] = [
  {
    title: "two recipients exchange their addresses",
    changes: [[1, "between@example.com"], [2, own(1)], [1, own(2)]],
    sent: [own(1), own(2)],
    skipped: {},
  },
  {
    title: "three recipients pass their addresses on",
    changes: [[1, "between@example.com"], [2, own(1)], [3, own(2)], [1, own(3)]],
    sent: [own(1), own(2), own(3)],
    skipped: {},
  },
  {
    title: "a recipient takes the address that another has given up for a new one",
    changes: [[1, "new@example.com"], [2, own(1)]],
    sent: ["new@example.com", own(1)],
    skipped: {},
  },
  {
    title: "a recipient takes the address that another no longer has",
    changes: [[1, null], [2, own(1)]],
    sent: [own(1)],
    skipped: { no_address: 1 },
  },
  {
    title: "a recipient takes an address that another keeps",
    changes: [[2, own(1)]],
    sent: [own(1)],
    skipped: { same_address: 1 },
  },
];

for (const { title, changes, sent, skipped } of addressChanges) {
  Deno.test(`${title}: each address gets one mail`, async (t) => {
    for (const state of ["pending", "queued"] as const) {
      await t.step(`while they are ${state}`, async () => {
        await using world = await createCampaignWorld();
        const ids = await addPeople(world, crowd(4));
        // One mail a minute leaves all but the first pending.
        const id = await createCampaign(world, state === "pending" ? { per_minute: 1 } : {});
        await send(world, id);
        await work(world);
        for (const [person, email] of changes) await setEmail(world, ids[person]!, email);
        const rest = [0, 1, 2, 3].filter((person) => !changes.some(([one]) => one === person))
          .map(own).filter((address) => !sent.includes(address));
        assert.deepEqual(
          (await runUntilEnd(world, id)).toSorted(),
          [...sent, ...rest].toSorted(),
        );
        const outcome = await readOutcome(world, id);
        assert.deepEqual(outcome.skipped, skipped);
        assertAddsUp(outcome);
      });
    }
  });
}

Deno.test("a recipient who moves to another address frees the old one for nobody", async () => {
  await using world = await createCampaignWorld();
  const { id, ids } = await queueAll(world, 2);
  const first = await handOver(world);
  assert.equal(first.length, 2);
  // Both have got it: what they do later changes nothing.
  await setEmail(world, ids[0]!, "elsewhere@example.com");
  await setEmail(world, ids[1]!, "person-0@example.com");
  assert.deepEqual(await runUntilEnd(world, id), []);
  assert.equal((await readOutcome(world, id)).sent, 2);
});

Deno.test("queued recipients who merge get one mail", async () => {
  await using world = await createCampaignWorld();
  const { id, ids } = await queueAll(world, 5);
  const [outside] = await addPeople(world, [{ email: "outside@example.com" }], crypto.randomUUID());
  await merge(world, ids[1]!, ids[0]!); // the survivor is a recipient
  await merge(world, outside!, ids[2]!); // the survivor is not one, and both others are
  await merge(world, outside!, ids[3]!);
  const sent = await runUntilEnd(world, id);
  assert.deepEqual(sent.toSorted(), [
    "outside@example.com",
    "person-1@example.com",
    "person-4@example.com",
  ]);
  const outcome = await readOutcome(world, id);
  assert.deepEqual(outcome.skipped, { merged: 2 });
  assertAddsUp(outcome);
});

Deno.test("a recipient who has the address of a record merged into it gets the mail", async () => {
  await using world = await createCampaignWorld();
  const ids = await addPeople(world, crowd(3));
  const id = await createCampaign(world, { per_minute: 1 });
  await send(world, id);
  await work(world);
  const sent = await handOver(world);
  await merge(world, ids[2]!, ids[1]!);
  await setEmail(world, ids[2]!, "person-1@example.com");
  sent.push(...await runUntilEnd(world, id));
  assert.deepEqual(sent, ["person-0@example.com", "person-1@example.com"]);
  assert.deepEqual((await readOutcome(world, id)).skipped, { merged: 1 });
});

Deno.test("a recipient whose address another one is about to get waits for the answer", async () => {
  await using world = await createCampaignWorld();
  const { id, ids } = await queueAll(world, 2);
  await setEmail(world, ids[1]!, "new@example.com");
  const held = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const lock = world.sql.begin(async (tx) => {
    await tx`select from private.campaign_recipients where customer_id = ${ids[1]!} for update`;
    isLocked.resolve();
    await held.promise;
  });
  await isLocked.promise;
  assert.deepEqual(await handOver(world), ["person-0@example.com"]);
  held.resolve();
  await lock;
  world.now += 1000;
  assert.deepEqual(await handOver(world), ["new@example.com"]);
  await runUntilEnd(world, id);
});

Deno.test("a resumed campaign hands over within two seconds what the pause held", async () => {
  await using world = await createCampaignWorld();
  const { id } = await queueAll(world, 20);
  await change(world, id, { action: "pause" });
  assert.deepEqual(await handOver(world), []);
  world.now += 5000;
  await change(world, id, { action: "resume" });
  await work(world);
  assert.equal((await handOver(world)).length, 20);
  await runUntilEnd(world, id);
});

Deno.test("what a worker held while the campaign was resumed follows too", async () => {
  await using world = await createCampaignWorld();
  const { id } = await queueAll(world, 3);
  await change(world, id, { action: "pause" });
  await change(world, id, { action: "resume" });
  await work(world);
  // A worker that had asked before the resumption notes it now.
  const { sql, workspaceId, now } = world;
  await sql`
    update public.sends set reason = 'paused' where workspace_id = ${workspaceId}`;
  await sql`
    update private.send_queue set due_at = ${new Date(now + 60_000)}
    where workspace_id = ${workspaceId}`;
  assert.deepEqual(await handOver(world), []);
  world.now += 1000;
  await work(world);
  assert.equal((await handOver(world)).length, 3);
  await runUntilEnd(world, id);
});

Deno.test("a cancelled campaign skips at once what a pause held", async () => {
  await using world = await createCampaignWorld();
  const { id } = await queueAll(world, 5);
  await change(world, id, { action: "pause" });
  assert.deepEqual(await handOver(world), []);
  await change(world, id, { action: "cancel" });
  await work(world);
  assert.deepEqual(await handOver(world), []);
  assert.deepEqual((await readOutcome(world, id)).skipped, { cancelled: 5 });
  assert.equal((await read(world, id)).state, "cancelled");
});
