import assert from "node:assert/strict";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createSendWorld, type SendWorld } from "../../testing/service/send_world.ts";

type Entry = Record<string, unknown>;

/** Entries about the customer "a" after a message to old@example.com; the last names who gets the next one. */
const cases: Record<string, { happens: Entry[]; sent: number }> = {
  "nothing happens": { happens: [], sent: 0 },
  "another customer with the address": {
    happens: [{ kind: "identify", external_id: "b", profile: { email: "OLD@example.com " } }],
    sent: 0,
  },
  "a merge into a customer without an address": {
    happens: [
      { kind: "identify", external_id: "b" },
      { kind: "alias", external_id: "b", previous_id: "a" },
    ],
    sent: 0,
  },
  "the same import again": {
    happens: [{ kind: "identify", external_id: "a", profile: { email: "old@example.com" } }],
    sent: 0,
  },
  "another address": {
    happens: [{ kind: "identify", external_id: "a", profile: { email: "new@example.com" } }],
    sent: 1,
  },
  "another address and back": {
    happens: [
      { kind: "identify", external_id: "a", profile: { email: "new@example.com" } },
      { kind: "identify", external_id: "a", profile: { email: "old@example.com" } },
    ],
    sent: 0,
  },
};

async function ingest({ sql, workspaceId }: SendWorld, entries: Entry[]): Promise<string> {
  const all = entries.map((entry) => ({ workspace_id: workspaceId, ...entry }));
  const results = await ingestEntries(sql, all as never);
  const last = results.at(-1)! as { ok: boolean; customer_id: string };
  assert(last.ok, JSON.stringify(last));
  return last.customer_id;
}

for (const [title, { happens, sent }] of Object.entries(cases)) {
  Deno.test(`the caps of an address after ${title}: ${sent} more`, async () => {
    await using world = await createSendWorld();
    const receiver = await world.receive();
    const sender_id = await world.addSender(receiver.port);
    await world.sql`
      insert into public.send_settings (workspace_id, caps)
      values (${world.workspaceId}, '[{"max": 1, "per": "7d"}]')`;
    const first = await ingest(world, [
      { kind: "identify", external_id: "a", profile: { email: "old@example.com" } },
    ]);
    await world.create({ sender_id, customer_id: first, topic_id: world.topicId });
    await world.dispatch();
    assert.equal(receiver.requests.length, 1);
    const customer_id = happens.length === 0 ? first : await ingest(world, happens);
    const [id] = await world.create({ sender_id, customer_id, topic_id: world.topicId });
    await world.dispatch();
    const { state, reason } = await world.read(id!);
    assert.deepEqual([state, reason, receiver.requests.length - 1], [
      sent === 1 ? "sent" : "skipped",
      sent === 1 ? null : "capped",
      sent,
    ]);
  });
}
