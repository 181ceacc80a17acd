import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import postgres from "postgres";
import { startTestStack } from "../../testing/service/stack.ts";
import { runTask } from "../../testing/service/task.ts";

/** The recording, read here on its own: nothing of the demo's code decides what is expected. */
interface Row {
  user_id: string;
  session_id: string;
  event: string;
  timestamp: string;
  platform: string;
  acquisition_channel: string;
  user_cohort: string;
  user_lifecycle: string;
}

/** A customer as the recording alone describes them, or as the database holds them. */
interface Customer {
  /** Every event as `time name platform channel id-it-arrived-on`, sorted. */
  events: string[];
  anonIds: string[];
  attributes: Record<string, string>;
}

const recording = new URL("../../demo/data/ecom-events.csv.gz", import.meta.url);
const signInEvents = ["account_page", "payment_details", "purchase"];

Deno.test("demo gives every visitor exactly the recorded events, on repeated runs", async () => {
  await using stack = await startTestStack();
  const first = await runDemo(stack.dataDir);
  const sends = await countSends(stack.info);
  const second = await runDemo(stack.dataDir);
  assert.deepEqual(await countSends(stack.info), sends);

  const rows = await readRows();
  assert.equal(rows.length, 31_106);
  assert.deepEqual(await readCustomers(stack.info), expectCustomers(rows));
  assert.equal(countNamed(first), 31_106);
  assert.match(first, /\n {2}customers +2,988\n {2}identified +491\n {2}anonymous +2,497\n/);
  assert.match(second, /\n {2}entries +0 stored, /);
  assert.equal(countNamed(second), 31_106);
  const sizes = countSegments(rows);
  assert.deepEqual(readSegments(first), sizes);
  assert.deepEqual(readSegments(second), sizes);
  assert.deepEqual(await countExplained(stack.info), { compared: 5 * 2988, members: sum(sizes) });
  const expected = expectJourneys(rows);
  assert.deepEqual(readJourneys(first), expected);
  assert.deepEqual(readJourneys(second), expected);
  assert.equal(sends.all, sends.distinct);
  assertDelivered(first, countMessages(rows));
  assertDelivered(second, 2);
});

/** The stored entries in the report, less the identifies and aliases among them. */
function countNamed(output: string): number {
  const line = /\n {2}events +([\d,]+), of which ([\d,]+) identifies and aliases\n/.exec(output);
  const [all = NaN, others = NaN] =
    line?.slice(1).map((text) => Number(text.replaceAll(",", ""))) ?? [];
  return all - others;
}

/** Every message came, none unsigned, and those failed on purpose came again. */
function assertDelivered(output: string, messages: number): void {
  const numbers = (pattern: RegExp) =>
    pattern.exec(output)?.slice(1).map((text) => Number(text.replaceAll(",", "")));
  const [received, requests] = numbers(/received +([\d,]+) messages in ([\d,]+) requests/) ?? [];
  const [failed, again] = numbers(/failed +([\d,]+) on purpose, ([\d,]+) came again/) ?? [];
  assert.equal(received, messages, output);
  assert.equal(failed, Math.floor(messages / 100), output);
  assert.equal(again, failed);
  assert.deepEqual(numbers(/signatures +([\d,]+) valid .*\n +([\d,]+) valid/), [
    requests,
    requests,
  ]);
  assert.match(output, /replayed +purchase \S+, with the same id and bytes\n/);
}

/** All sends, and the distinct pairs of customer and step, or campaign, among them. */
async function countSends(
  info: { db_url: string; workspace_id: string },
): Promise<{ all: number; distinct: number }> {
  const sql = postgres(info.db_url, { max: 1, fetch_types: false });
  try {
    const [row] = await sql<[{ all: number; distinct: number }]>`
      select count(*)::integer as all, count(distinct (
        s.customer_id, s.journey_id, s.campaign_id, s.step, s.data ->> 'cart_id'
      ))::integer as distinct
      from public.sends as s where s.workspace_id = ${info.workspace_id}`;
    return { ...row };
  } finally {
    await sql.end();
  }
}

/** The lines of the report about journeys and the campaign, with single spaces. */
function readJourneys(output: string): string[] {
  const lines = output.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "));
  const start = lines.findIndex((line) => line.startsWith("Journey "));
  return lines.slice(start, lines.findIndex((line) => line.startsWith("Campaign ")) + 1);
}

/** The same lines as the recording alone gives them. */
function expectJourneys(rows: Row[]): string[] {
  const first = new Map<string, Row>();
  const byTime = rows.toSorted((a, b) => a.timestamp < b.timestamp ? -1 : 1);
  for (const row of byTime) {
    if (row.event === "account_page" && !first.has(row.user_id)) first.set(row.user_id, row);
  }
  const welcomed = first.size;
  const mobile = [...first.values()].filter(({ platform }) => platform === "mobile").length;
  const visits = [...Map.groupBy(byTime, (row) => row.session_id).values()];
  const carts = visits.filter((visit) => times(visit, "add_to_cart") > 0);
  // Some visits have their purchase before anything was put into the cart.
  const left = carts.filter((visit) => {
    const filled = visit.findIndex(({ event }) => event === "add_to_cart");
    return times(visit.slice(filled), "purchase") === 0;
  });
  const signedIn = left.filter((visit) => visit.some(({ event }) => signInEvents.includes(event)));
  const unknown = left.length - signedIn.length;
  const bought = carts.length - left.length;
  const buyers = [...Map.groupBy(rows, (row) => row.user_id).values()]
    .filter((visits) => times(visits, "purchase") >= 2).length;
  const n = (value: number) => value.toLocaleString("en-US");
  const title = "step came waiting goal sent skipped";
  return [
    `Journey "Welcome": ${n(welcomed)} entered, ${n(welcomed)} completed`,
    title,
    `hello ${n(welcomed)} 0 0 ${n(welcomed)} 0`,
    `pause ${n(welcomed)} 0 0`,
    `device ${n(welcomed)} 0 0`,
    `app ${n(mobile)} 0 0 ${n(mobile)} 0`,
    `end ${n(welcomed)} 0 0`,
    `Journey "Abandoned cart": ${n(carts.length)} entered, ${n(left.length)} completed, ` +
    `${n(bought)} goal, ${n(bought)} reached the goal`,
    title,
    `pause ${n(carts.length)} 0 ${n(bought)}`,
    `reminder ${n(left.length)} 0 0 ${n(signedIn.length)} ${n(unknown)} ${n(unknown)} no_address`,
    `end ${n(left.length)} 0 0`,
    `Campaign "Sale": ${n(buyers)} recipients, ${n(buyers)} sent, 0 failed`,
  ];
}

/** The sizes in the report, in its order. */
function readSegments(output: string): number[] {
  const [, block = ""] = /\nSegments, by number of members\n((?: {2}.*\n)+)/.exec(output) ?? [];
  return block.trimEnd().split("\n").map((row) =>
    Number(row.trim().split(" ")[0]!.replace(",", ""))
  );
}

/** The sizes that the recording alone gives. A session with a sign-in belongs to its user. */
function countSegments(rows: Row[]): number[] {
  const signedIn = new Set(
    rows.filter(({ event }) => signInEvents.includes(event)).map((row) => row.session_id),
  );
  const people = Map.groupBy(
    rows,
    (row) => signedIn.has(row.session_id) ? row.user_id : row.session_id,
  );
  const rules: ((events: Row[]) => boolean)[] = [
    (events) => events.some((row) => row.event === "home" && row.timestamp >= "2024-06-23"),
    (events) => times(events, "product_view") >= 3 && times(events, "purchase") === 0,
    (events) => times(events, "purchase") >= 2,
    (events) => times(events, "add_to_cart") >= 1 && times(events, "purchase") === 0,
    (events) =>
      events.some((row) => row.event === "purchase" && row.acquisition_channel === "email"),
  ];
  return rules.map((rule) => [...people.values()].filter(rule).length);
}

/**
 * Explains every live segment for every customer; counts the customers and the members. Fails if an
 * explanation and the membership differ.
 */
async function countExplained(
  info: { db_url: string; workspace_id: string },
): Promise<{ compared: number; members: number }> {
  const sql = postgres(info.db_url, { max: 1, fetch_types: false });
  try {
    const [row] = await sql<{ compared: number; members: number; differences: number }[]>`
      select count(*)::int as compared, count(m.customer_id)::int as members,
        count(*) filter (
          where (e.explanation #>> '{tree,is}')::boolean <> (m.customer_id is not null)
        )::int as differences
      from public.segments as s
      cross join lateral private.explain_customers(
        s.workspace_id, array(select c.id from public.customers as c where c.workspace_id = s.workspace_id),
        s.condition, clock_timestamp()
      ) as e
      left join public.segment_members as m
        on m.workspace_id = s.workspace_id and m.segment_id = s.id and m.version = s.version
        and m.customer_id = e.customer_id
      where s.workspace_id = ${info.workspace_id} and s.kind = 'live'`;
    const { differences, ...counts } = row!;
    assert.equal(differences, 0);
    return counts;
  } finally {
    await sql.end();
  }
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function times(rows: Row[], event: string): number {
  return rows.filter((row) => row.event === event).length;
}

/** Counts the messages that the demo subscribes to: purchases and merges; and one ping. */
function countMessages(rows: Row[]): number {
  const seen = new Set<string>();
  const signedIn = new Set<string>();
  let merges = 0;
  for (const { session_id, event } of rows) {
    if (signInEvents.includes(event) && !signedIn.has(session_id)) {
      signedIn.add(session_id);
      // A session that begins with its sign-in has no anonymous customer to merge.
      if (seen.has(session_id)) merges++;
    }
    seen.add(session_id);
  }
  return rows.filter(({ event }) => event === "purchase").length + merges + 1;
}

Deno.test("demo reports in one sentence that no service is running", async () => {
  const dataDir = await Deno.makeTempDir();
  const { code, stderr } = await runTask("demo/main.ts", [`--data-dir=${dataDir}`]);
  assert.equal(code, 1);
  assert.match(stderr, /^Cannot find the running service: .+ Start it with "deno task start".*\n$/);
  await Deno.remove(dataDir);
});

async function runDemo(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await runTask("demo/main.ts", [`--data-dir=${dataDir}`]);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function readRows(): Promise<Row[]> {
  const file = await Deno.open(recording);
  const text = await new Response(
    file.readable.pipeThrough(new DecompressionStream("gzip")),
  ).text();
  return parse<Row>(text, { columns: true });
}

/** A session that signs in is part of its user's history as a whole, any other stands alone. */
function expectCustomers(rows: Row[]): Map<string, Customer> {
  const signIns = new Map<string, number>();
  rows.forEach(({ event, session_id }, i) => {
    if (signInEvents.includes(event) && !signIns.has(session_id)) signIns.set(session_id, i);
  });
  const customers = new Map<string, Customer>();
  rows.forEach((row, i) => {
    const { user_id, session_id } = row;
    const signedInAt = signIns.get(session_id);
    const visitor = signedInAt === undefined ? session_id : user_id;
    const customer = customers.get(visitor) ?? { events: [], anonIds: [], attributes: {} };
    customers.set(visitor, customer);
    if (!customer.anonIds.includes(session_id)) customer.anonIds.push(session_id);
    const at = row.timestamp.replace(" ", "T");
    const arrivedOn = i < (signedInAt ?? Infinity) ? session_id : user_id;
    customer.events.push(
      `${at} ${row.event} ${row.platform} ${row.acquisition_channel} ${arrivedOn}`,
    );
  });
  const inOrder = [...signIns.values()].map((i) => rows[i]!)
    .sort((a, b) => a.timestamp < b.timestamp ? -1 : 1);
  for (const { user_id, user_cohort, user_lifecycle } of inOrder) {
    customers.get(user_id)!.attributes = { user_cohort, user_lifecycle };
  }
  for (const customer of customers.values()) {
    customer.events.sort();
    customer.anonIds.sort();
  }
  return sortByKey(customers);
}

async function readCustomers(
  info: { db_url: string; workspace_id: string },
): Promise<Map<string, Customer>> {
  const sql = postgres(info.db_url, { max: 1, fetch_types: false });
  try {
    const rows = await sql<{ visitor: string; customer: Customer }[]>`
      select
        coalesce(i.external_id, i.anon_ids ->> 0) as visitor,
        jsonb_build_object(
          'events', (
            select jsonb_agg(
              concat_ws(
                ' ', to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'), e.name,
                e.properties ->> 'platform', e.properties ->> 'acquisition_channel',
                e.external_id, e.anon_id
              )
            )
            from public.events as e
            where e.workspace_id = c.workspace_id and e.identity_id = any (i.ids)
              and e.kind = 'event' and e.name not like 'email\\_%'
          ),
          'anonIds', i.anon_ids,
          'attributes', c.attributes
        ) as customer
      from public.customers as c
      cross join lateral (
        select
          array_agg(d.id) as ids,
          -- Two external ids of one customer would be a merge that nobody asked for.
          string_agg(d.value, ' and ') filter (where d.kind = 'external') as external_id,
          jsonb_agg(d.value) filter (where d.kind = 'anon') as anon_ids
        from public.identities as d
        where d.workspace_id = c.workspace_id and d.customer_id = c.id
      ) as i
      where c.workspace_id = ${info.workspace_id}`;
    for (const { customer } of rows) {
      customer.events.sort();
      customer.anonIds.sort();
    }
    const customers = new Map(rows.map(({ visitor, customer }) => [visitor, customer]));
    assert.equal(customers.size, rows.length, "two customers of one visitor");
    return sortByKey(customers);
  } finally {
    await sql.end();
  }
}

function sortByKey<T>(map: Map<string, T>): Map<string, T> {
  return new Map([...map].sort(([a], [b]) => a < b ? -1 : 1));
}
