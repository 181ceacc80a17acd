import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import type { TestDestination } from "../../testing/service/dispatch_world.ts";
import { createRandom, pick } from "../segments/segment_world.ts";
import {
  createMessagesWorld,
  type ListedRow,
  type MessagesWorld,
  publishAbout,
  readPages,
} from "./messages_world.ts";

const types = ["order_created", "order_paid"];
const states = ["waiting", "retrying", "held", "delivered", "given_up", "missed"];
const steps = 60;
const filters = 50;

/** Publishes, sends, cancels, and disables destinations, in any order. */
async function live(
  world: MessagesWorld,
  { random, customerIds, destinations }: {
    random: () => number;
    customerIds: (string | null)[];
    destinations: TestDestination[];
  },
): Promise<void> {
  const { sql, dispatch, worker } = world;
  for (let step = 0; step < steps; step++) {
    const about = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      return pick(random, customerIds);
    });
    const [id] = await publishAbout(world, pick(random, types), about);
    const kind = Math.floor(random() * 5);
    if (kind === 0) {
      const { id } = pick(random, destinations);
      await sql`update public.destinations set enabled = not enabled where id = ${id}`;
    } else if (kind === 1 && id !== undefined) {
      await world.api.send({ method: "POST", path: `/messages/${id}/cancel`, token: world.token });
    } else {
      const claimed = await worker.claim(1 + Math.floor(random() * 4));
      if (kind === 2) await worker.complete(claimed);
      else if (kind === 3) await worker.fail(claimed);
      else await worker.fail(claimed, { action: "exhausted", next_attempt_at: null });
    }
    if (random() < 0.2) dispatch.clock.advance(10_000);
  }
}

/** A filter of each kind, or none. */
function createFilter(
  random: () => number,
  rows: readonly ListedRow[],
  customerIds: readonly (string | null)[],
): Record<string, string> {
  const sometimes = (name: string, choose: () => string | null) => {
    const value = random() < 0.5 ? choose() : null;
    return value === null ? {} : { [name]: value };
  };
  return {
    ...sometimes("customer_id", () => pick(random, customerIds)),
    ...sometimes("destination_id", () => pick(random, rows).destination_id),
    ...sometimes("event_type", () => pick(random, types)),
    ...sometimes("state", () => states.filter(() => random() < 0.4).join(",") || null),
    ...sometimes("since", () => pick(random, rows).created_at),
    ...sometimes("until", () => pick(random, rows).created_at),
  };
}

/** Keeps the rows that a filter should find. */
function filterRows(
  rows: readonly ListedRow[],
  filter: Record<string, string>,
  recordIds: ReadonlyMap<string, readonly string[]>,
): ListedRow[] {
  const { customer_id, destination_id, event_type, state, since, until } = filter;
  return rows.filter((row) =>
    (customer_id === undefined || recordIds.get(customer_id)!.includes(row.id)) &&
    (destination_id === undefined || row.destination_id === destination_id) &&
    (event_type === undefined || row.event_type === event_type) &&
    (state === undefined || state.split(",").includes(row.state)) &&
    (since === undefined || row.created_at >= since) &&
    (until === undefined || row.created_at < until)
  );
}

Deno.test("any filters of messages find what is left of all messages", async (t) => {
  const seen = new Set<string>();
  for (const seed of [1, 2, 3]) {
    await t.step(`seed ${seed}`, async () => {
      const random = createRandom(seed);
      await using world = await createMessagesWorld();
      const { sql, dispatch } = world;
      const destinations = [
        await dispatch.addDestination({ eventTypes: types }),
        await dispatch.addDestination({ eventTypes: ["order_paid"] }),
        await dispatch.addDestination({ eventTypes: types, enabled: false }),
      ];
      const ids = ["ada", "old", "grace"];
      const made = await ingestFor(
        sql,
        dispatch.workspaceId,
        ids.map((external_id) => ({ kind: "identify", external_id })),
      );
      const [ada, old, grace] = made;
      await live(world, { random, customerIds: [null, ...made], destinations });
      await ingestFor(sql, dispatch.workspaceId, [
        { kind: "alias", external_id: "ada", previous_id: "old" },
      ]);
      const { rows } = await readPages(world, { limit: "200" });
      const stored = await sql<{ id: string; customer_id: string | null }[]>`
        select m.id, m.customer_id from public.webhook_messages as m`;
      const idsOf = (...records: (string | undefined)[]) =>
        stored.filter(({ customer_id }) => records.includes(customer_id ?? "")).map(({ id }) => id);
      const recordIds = new Map([
        [ada!, idsOf(ada, old)],
        [old!, idsOf(old)],
        [grace!, idsOf(grace)],
      ]);
      for (const { state } of rows) seen.add(state);
      for (let n = 0; n < filters; n++) {
        const filter = createFilter(random, rows, made);
        const limit = `${1 + Math.floor(random() * 40)}`;
        const found = await readPages(world, { ...filter, limit });
        assert.deepEqual(
          found.rows,
          filterRows(rows, filter, recordIds),
          JSON.stringify({ ...filter, limit }),
        );
      }
    });
  }
  assert.deepEqual([...seen].toSorted(), states.toSorted());
});
