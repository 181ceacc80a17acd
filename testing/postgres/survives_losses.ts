import assert from "node:assert/strict";
import { bundleUploads } from "../service/bundle_uploads.ts";
import { createHostedWorld, type HostedWorld } from "../service/hosted_world.ts";
import type { TestDatabase } from "./database.ts";

const losses = 20;
/** Acknowledged between two losses. */
const step = 20;
const readerCount = 2;

/**
 * Loses the database twenty times under load, and asserts that nothing else is lost.
 *
 * @param deno path of the Deno that serves the functions; the hosted one when left out
 */
export async function survivesLosses(deno?: string): Promise<void> {
  await using world = await createHostedWorld(await bundleUploads(), deno ? { deno } : {});
  await world.createDestination();
  await world.createSource();
  await using load = world.startLoad();
  const readers = startReaders(world);
  const ways = [
    () => world.postgres.restart("fast"),
    () => endSessions(world.postgres.db),
    () => world.postgres.restart("immediate"),
    () => endSessions(world.postgres.db),
  ];
  for (let i = 0; i < losses; i++) {
    await world.whileServing(load.acknowledged((i + 1) * step));
    await ways[i % ways.length]!();
  }
  const eventIds = await world.whileServing(load.stop());
  assert.deepEqual(await world.findLost(eventIds), []);
  await world.whileServing(expireLeasesUntil(world, world.delivered(eventIds)));
  assertStatuses(world, await world.whileServing(readers.stop()));
  await assertWhole(world);
}

/** Ends every session of the functions, in the middle of what it does. */
async function endSessions({ sql }: TestDatabase): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'signalpost-%' and datname = current_database()
  `;
}

/** Calls the api without a pause; the statuses of its responses. */
function startReaders(world: HostedWorld) {
  let isOver = false;
  const statuses = new Map<number, number>();
  const read = async () => {
    while (!isOver) {
      // Without a response at all the function has ended.
      const status = await world.readCustomer("ada").then(({ status }) => status, () => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const reading = Promise.all(Array.from({ length: readerCount }, read));
  return {
    async stop() {
      isOver = true;
      await reading;
      return statuses;
    },
  };
}

/** A read changes nothing, so a lost read gets 503. */
function assertStatuses({ functions }: HostedWorld, statuses: Map<number, number>): void {
  const logged = functions.get("api")!.printed.text().split("\n");
  const problems = logged.filter((line) => line.includes("internal_error"));
  const seen = [...statuses.keys()].sort();
  assert.deepEqual({ seen, problems }, { seen: [200, 503], problems: [] });
}

/** Ends leases early: messages of a lost claim would wait for their lease of a minute. */
async function expireLeasesUntil(world: HostedWorld, done: Promise<void>): Promise<void> {
  let isDone = false;
  void done.then(() => isDone = true, () => {});
  while (!isDone) {
    await world.postgres.db.sql`
      update private.webhook_queue set lease_until = now() where lease_until is not null
    `;
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 500))]);
  }
}

async function assertWhole(world: HostedWorld): Promise<void> {
  const responses = await Promise.all([
    ...Array.from({ length: 8 }, (_, n) => world.track(`after-${n}`)),
    ...Array.from({ length: 8 }, () => world.readCustomer("ada")),
    world.receiveWebhook({ id: "evt_1", user: "ada" }),
  ]);
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  await world.whileServing(world.delivered(responses.slice(0, 8).map(({ body }) => body.event_id)));
}
