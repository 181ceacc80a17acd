import {
  claimDeliveries,
  completeDeliveries,
  findNextWork,
} from "../../../supabase/functions/webhook-dispatch/dispatch_queue.ts";
import { describe } from "../../../testing/data/queue.ts";
import { probeId } from "./growth_data.ts";
import type { MeasuredWorld } from "./measured_world.ts";

/** An operation of the service, repeated on different rows. */
export interface Operation {
  name: string;
  /** Prepares the measurement, unmeasured, and returns the function to measure. */
  prepare(world: MeasuredWorld, n: number): Promise<() => Promise<unknown>>;
  /** The cost grows only up to a fixed size. @default false */
  isBounded?: boolean;
  /** Number of repetitions. @default as many as the caller wants */
  repetitions?: number;
}

const bulk = 500;
const claimSize = 100;
const customers = 400;
const eventsOfErased = 20;

/** Merges each of the busiest customers once, because a customer with many merges has many ids. */
let nextBusy = 2;

/** The operations whose cost must not grow with the events; `size` is how many there are. */
export function listOperations(size: number): Operation[] {
  return [...listIngest(), ...listReads(size), ...listChanges(), ...listQueueOperations()];
}

function listIngest(): Operation[] {
  return [
    track("ingest: single, known customer", () => createEvent(pickKnown())),
    track("ingest: single, new customer", () => createEvent(crypto.randomUUID())),
    track(`ingest: bulk of ${bulk}, known customers`, () => createBulk(pickKnown)),
    track(`ingest: bulk of ${bulk}, new customers`, () => createBulk(() => crypto.randomUUID())),
  ];
}

function listReads(size: number): Operation[] {
  return [
    read("timeline of a customer", async (world, n) => {
      return `/customers/${await findCustomer(world, probeId(size, n))}/events`;
    }),
    read("timeline of the busiest customer", async (world) => {
      return `/customers/${await findCustomer(world, "user-1")}/events`;
    }),
    read("customer search: address", (_, n) => `/customers?q=probe${n % 30}.${size}@example`),
    read("customer search: id", (_, n) => `/customers?q=${probeId(size, n)}`),
    // Sorts up to 2,000 matches; above, it reads the newest customers instead.
    { ...read("customer search: common name", () => "/customers?q=ada"), isBounded: true },
  ];
}

function listChanges(): Operation[] {
  return [
    {
      name: "merge of a customer",
      async prepare({ track }) {
        const [previous_id, external_id] = [crypto.randomUUID(), crypto.randomUUID()];
        for (const id of [previous_id, external_id]) await track(createEvent(id));
        return () => track({ type: "alias", external_id, previous_id });
      },
    },
    {
      name: "merge of a customer with many events",
      async prepare({ track }) {
        const external_id = crypto.randomUUID();
        await track(createEvent(external_id));
        const previous_id = `user-${nextBusy++}`;
        return () => track({ type: "alias", external_id, previous_id });
      },
    },
    {
      name: `erasure of a customer with ${eventsOfErased} events`,
      async prepare({ track, api, db, workspaceId, sql }) {
        const id = crypto.randomUUID();
        await track({ events: Array.from({ length: eventsOfErased }, () => createEvent(id)) });
        const customerId = await findCustomer({ db, workspaceId }, id);
        return async () => {
          await api(`/customers/${customerId}`, "DELETE");
          for (let later = 0; later < 4; later++) {
            while (await workErasures(sql, later) > 0);
          }
        };
      },
      repetitions: 10,
    },
    {
      name: "replay of a delivery",
      async prepare({ api, db, workspaceId }) {
        const [delivery] = await db.sql`
          select d.id from public.deliveries as d
          where d.workspace_id = ${workspaceId}
            and d.attempted_at >= now() - random() * interval '28 days'
          order by d.attempted_at, d.id limit 1`;
        return () => api(`/deliveries/${delivery!.id}/replay`, "POST");
      },
    },
  ];
}

/** The operations whose cost must not grow with the messages that wait. */
export function listQueueOperations(): Operation[] {
  return [
    track(
      `ingest: bulk of ${claimSize}, each a message`,
      () => ({
        events: Array.from({ length: claimSize }, () => createEvent(pickKnown(), "order_created")),
      }),
    ),
    {
      name: `claim ${claimSize} deliveries`,
      async prepare({ track, dispatch }) {
        await track({
          events: Array.from(
            { length: claimSize },
            () => createEvent(pickKnown(), "order_created"),
          ),
        });
        return async () => {
          await release(dispatch, await claim(dispatch));
        };
      },
    },
    {
      name: `complete ${claimSize} deliveries`,
      async prepare({ track, dispatch }) {
        await track({
          events: Array.from(
            { length: claimSize },
            () => createEvent(pickKnown(), "order_created"),
          ),
        });
        const claimed = await claim(dispatch);
        return () =>
          completeDeliveries(dispatch, claimed.map((each) => describe(each, new Date())));
      },
    },
    {
      name: "look for the next work",
      prepare: ({ dispatch }) => Promise.resolve(() => findNextWork(dispatch)),
    },
  ];
}

function track(name: string, write: () => object): Operation {
  return {
    name,
    prepare(world) {
      const body = write();
      return Promise.resolve(() => world.track(body));
    },
  };
}

function read(
  name: string,
  path: (world: MeasuredWorld, n: number) => string | Promise<string>,
): Operation {
  return {
    name,
    async prepare(world, n) {
      const asked = await path(world, n);
      return () => world.api(asked);
    },
  };
}

function pickKnown(): string {
  return `user-${1 + Math.floor(Math.random() * customers)}`;
}

function createEvent(externalId: string, name = "product_view") {
  return {
    external_id: externalId,
    name,
    idempotency_key: crypto.randomUUID(),
    properties: { sku: "SKU-104729", price: 129.9, currency: "EUR", quantity: 1 },
  };
}

function createBulk(pick: () => string) {
  return { events: Array.from({ length: bulk }, () => createEvent(pick())) };
}

async function findCustomer(
  { db, workspaceId }: Pick<MeasuredWorld, "db" | "workspaceId">,
  externalId: string,
): Promise<string> {
  const [row] = await db.sql`
    select i.customer_id as id from public.identities as i
    where i.workspace_id = ${workspaceId} and i.kind = 'external' and i.value = ${externalId}`;
  if (row === undefined) throw new Error(`Cannot measure: no customer has the id "${externalId}"`);
  return row.id;
}

/** Some steps of an erasure wait for minutes. */
async function workErasures(sql: MeasuredWorld["sql"], later: number): Promise<number> {
  const [row] = await sql`
    select private.work_erasures(5000, now() + ${later} * interval '2 minutes') as count`;
  return row!.count;
}

async function claim(sql: MeasuredWorld["dispatch"]) {
  const claimed = await claimDeliveries(sql, {
    worker: crypto.randomUUID(),
    limit: claimSize,
    leaseSeconds: 60,
  });
  if (claimed.length < claimSize / 2) {
    throw new Error(`Cannot measure: ${claimed.length} deliveries were claimed`);
  }
  return claimed;
}

/** Makes claimed deliveries due again, so that the queue stays as long as it was. */
async function release(
  sql: MeasuredWorld["dispatch"],
  claimed: Awaited<ReturnType<typeof claimDeliveries>>,
): Promise<void> {
  const released = { action: "release", ok: false, status_code: null } as const;
  await completeDeliveries(
    sql,
    claimed.map((each) => describe(each, new Date(), { ...released, next_attempt_at: new Date() })),
  );
}
