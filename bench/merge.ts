import { parseArgs } from "node:util";
import postgres from "postgres";
import { startTestStack, type TestStack } from "../testing/service/stack.ts";
import { describeMachine } from "./support/machine.ts";
import { median } from "./support/quantile.ts";
import { formatCount, print, printRow } from "./support/table.ts";

interface Bench {
  stack: TestStack;
  sql: postgres.Sql;
}

/** A customer who is merged into one new customer after the other, events and all. */
interface Traveller {
  /** The id that led to them last. */
  externalId: string;
  times: number[];
}

const few = 10;
const manyEvents = 1_000_000;
/** Unmeasured merges come first, so that a cold cache does not affect the comparison. */
const warmUp = 5;
const widths = [30, 8, 10, 10, 10];

/**
 * Merges a customer with many events and one with few, in turns and again and again, through
 * `POST /track` of a service of its own.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      repetitions: { type: "string", default: "50" },
      events: { type: "string", default: String(manyEvents) },
    },
  });
  const many = Number(values.events);
  print(describeMachine());
  await using stack = await startTestStack();
  const sql = postgres(stack.info.db_url, { max: 1, fetch_types: false });
  try {
    const bench = { stack, sql };
    const large = await createTraveller(bench, many);
    const small = await createTraveller(bench, few);
    // Write pending data of the large customer now, so that it is not measured.
    await sql`vacuum analyze public.events`;
    await sql`checkpoint`;
    for (let i = -warmUp; i < Number(values.repetitions); i++) {
      // Whichever comes first in a pair may have a disadvantage: they take turns.
      for (const traveller of i % 2 === 0 ? [large, small] : [small, large]) {
        const elapsed = await merge(bench, traveller);
        if (i >= 0) traveller.times.push(elapsed);
      }
    }
    await checkEvents(bench, large, many);
    printReport({ many, large: large.times, small: small.times });
  } finally {
    await sql.end();
  }
}

async function createTraveller({ stack, sql }: Bench, events: number): Promise<Traveller> {
  const externalId = crypto.randomUUID();
  await post(stack, { external_id: externalId, name: "viewed" });
  await sql`
    insert into public.events
      (workspace_id, id, identity_id, external_id, name, occurred_at, received_at, properties)
    select
      i.workspace_id, gen_random_uuid(), i.id, i.value, 'viewed', now() - n * interval '1 second',
      now(), '{"platform": "desktop", "price": 129.9}'
    from public.identities as i, generate_series(2, ${events}::integer) as n
    where i.workspace_id = ${stack.info.workspace_id} and i.value = ${externalId}`;
  return { externalId, times: [] };
}

/** Milliseconds of the alias that merges the traveller into a new customer. */
async function merge({ stack }: Bench, traveller: Traveller): Promise<number> {
  const survivor = crypto.randomUUID();
  await post(stack, { external_id: survivor, name: "viewed" });
  const startedAt = performance.now();
  await post(stack, {
    type: "alias",
    external_id: survivor,
    previous_id: traveller.externalId,
  });
  traveller.externalId = survivor;
  return performance.now() - startedAt;
}

/** A merge that moved nothing would be fast too. */
async function checkEvents({ stack, sql }: Bench, { externalId }: Traveller, events: number) {
  const [row] = await sql<[{ events: number }]>`
    select count(*)::integer as events
    from public.identities as last
    join public.identities as i
      on i.workspace_id = last.workspace_id and i.customer_id = last.customer_id
    join public.events as e on e.workspace_id = i.workspace_id and e.identity_id = i.id
    where last.workspace_id = ${stack.info.workspace_id} and last.value = ${externalId}`;
  if (row.events < events) throw new Error(`Cannot trust the run: ${row.events} events were moved`);
}

async function post({ info }: TestStack, entry: Record<string, string>): Promise<void> {
  const response = await fetch(`${info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${info.api_key}`, "content-type": "application/json" },
    body: JSON.stringify(entry),
  });
  const content = await response.json();
  if (!content.ok) throw new Error(`Cannot measure: the service responded with ${content.error}`);
}

function printReport(
  { many, large, small }: { many: number; large: number[]; small: number[] },
): void {
  printRow(["one merge of a", "merges", "median ms", "min ms", "max ms"], widths);
  for (const [events, times] of [[many, large], [few, small]] as const) {
    const sorted = times.toSorted((a, b) => a - b);
    const figures = [median(times), sorted[0] ?? 0, sorted.at(-1) ?? 0];
    printRow([
      `customer of ${formatCount(events)} events`,
      String(times.length),
      ...figures.map((ms) => ms.toFixed(1)),
    ], widths);
  }
  print(`ratio of the medians: ${(median(large) / median(small)).toFixed(2)}`);
}
