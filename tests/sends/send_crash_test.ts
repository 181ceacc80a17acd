import assert from "node:assert/strict";
import { lockIsAwaited } from "../../testing/postgres/locks.ts";
import { hang, respond } from "../../testing/receivers/receiver_behaviours.ts";
import type { ReceivedRequest } from "../../testing/receivers/receiver.ts";
import { spawnSender } from "../../testing/service/spawn_sender.ts";
import { createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";

/** Longer than a lease. */
const leaseMs = 120_000;

type Receiver = Awaited<ReturnType<SendWorld["receive"]>>;

/** Locks all rows of a table until `free` is called. */
function createRowLock({ sql }: SendWorld, table: string) {
  const held = Promise.withResolvers<void>();
  const freed = Promise.withResolvers<void>();
  return {
    async take() {
      void sql.begin(async (tx) => {
        await tx.unsafe(`select from ${table} for update`);
        held.resolve();
        await freed.promise;
      });
      await held.promise;
    },
    free: () => freed.resolve(),
  };
}

/** A step at which the process is killed. */
interface Step {
  /** Resolves when the process has come that far. */
  reached(): Promise<void>;
  /** Removes what keeps the process there. */
  release(): void;
}

const steps: Record<string, (world: SendWorld, receiver: Receiver) => Promise<Step>> = {
  async "before the hand-over"(world) {
    const lock = createRowLock(world, "public.sends");
    await lock.take();
    return { reached: () => lockIsAwaited(world.sql), release: lock.free };
  },
  "while the provider takes it"(_world, receiver) {
    receiver.use(hang());
    return Promise.resolve({ reached: () => receiver.waitForRequests(1), release: () => {} });
  },
  "before the record"(world, receiver) {
    const lock = createRowLock(world, "private.send_lanes");
    receiver.use(async (exchange) => {
      await lock.take();
      await respond(200)(exchange);
    });
    return Promise.resolve({ reached: () => lockIsAwaited(world.sql), release: lock.free });
  },
};

/** Ends the sessions of the killed process: a statement that waits would otherwise continue. */
async function endSessions({ sql }: SendWorld): Promise<void> {
  const count = async () =>
    (await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'send-test'`).length;
  while (await count() > 0);
}

/** Mails that a provider sends for these requests, if it goes by the key. */
function countMails(requests: readonly ReceivedRequest[], takesKey: boolean): number {
  if (!takesKey) return requests.length;
  const keys = requests.map(({ headers }) =>
    headers.find(([name]) => name.toLowerCase() === "idempotency-key")?.[1]
  );
  return new Set(keys).size;
}

/** Reports that a message was delivered, as the webhook of the provider does. */
async function reportDelivery(world: SendWorld, send_id: string): Promise<void> {
  const { sql, workspaceId, clock: { now } } = world;
  const entry = { workspace_id: workspaceId, send_id, outcome: "delivered", at: now };
  await sql`select private.settle_sends(${JSON.stringify([entry])}::text::jsonb, ${now})`;
}

for (const [provider, takesKey] of [["resend", true], ["postmark", false]] as const) {
  for (const [step, prepare] of Object.entries(steps)) {
    Deno.test(`a worker with ${provider} that is killed ${step} sends one mail at most`, async () => {
      await using world = await createSendWorld();
      const receiver = await world.receive();
      const sender_id = await world.addSender(receiver.port, { provider });
      const customer_id = await world.addCustomer("ada@example.com");
      const [id] = await world.create({ sender_id, customer_id });
      const { reached, release } = await prepare(world, receiver);
      const child = spawnSender(world);
      await reached();
      child.kill("SIGKILL");
      await child.status;
      await endSessions(world);
      release();
      receiver.use(respond(200));
      world.clock.advance(leaseMs);
      await world.dispatch();
      world.clock.advance(leaseMs);
      await world.dispatch();
      const wasHandedOver = step !== "before the hand-over";
      const { state, reason } = await world.read(id!);
      assert.deepEqual(
        [state, reason, countMails(receiver.requests, takesKey)],
        wasHandedOver && !takesKey ? ["unknown", "interrupted", 1] : ["sent", null, 1],
      );
      const [queued] = await world.sql`select from private.send_queue`;
      assert.equal(queued, undefined);
      const [lane] = await world.sql`select in_flight from private.send_lanes`;
      assert.equal(lane?.in_flight, 0);
      await reportDelivery(world, id!);
      assert.equal((await world.read(id!)).state, "sent");
      const sent = (await world.events(customer_id)).filter((name) => name === "email_sent");
      assert.deepEqual([sent.length, countMails(receiver.requests, takesKey)], [1, 1]);
    });
  }
}
