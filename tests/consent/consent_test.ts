import assert from "node:assert/strict";
import type postgres from "postgres";
import { eraseCustomers, ingestFor, runFrequentTasksFor } from "../../testing/data/erasures.ts";
import { createWorkspace } from "../../testing/data/factories.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";

interface World {
  sql: postgres.Sql;
  workspaceId: string;
  /** One topic that people join and one that they leave. */
  topics: { news: string; offers: string };
}

async function createWorld(sql: postgres.Sql): Promise<World> {
  const workspaceId = await createWorkspace(sql);
  const rows = await sql<{ key: "news" | "offers"; id: string }[]>`
    insert into public.topics (workspace_id, key, name, default_state)
    values
      (${workspaceId}, 'news', 'News', 'unsubscribed'),
      (${workspaceId}, 'offers', 'Offers', 'subscribed')
    returning key, id`;
  const [news, offers] = ["news", "offers"].map((key) => rows.find((row) => row.key === key)!.id);
  return { sql, workspaceId, topics: { news: news!, offers: offers! } };
}

type Topic = keyof World["topics"];

/** Word of an address about a topic or everything; at a time, in minutes from now. */
interface Word {
  address: string;
  topic: Topic | "all";
  subscribed: boolean;
  at?: number;
}

const start = Date.now();
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

async function say({ sql, workspaceId, topics }: World, words: readonly Word[]): Promise<void> {
  for (const { address, topic, subscribed, at: minutes = 0 } of words) {
    const topic_id = topic === "all" ? null : topics[topic];
    const changes = JSON.stringify([{ address, topic_id, subscribed, source: "link" }]);
    await sql`
      select private.set_consents(
        ${workspaceId}, ${changes}::text::jsonb, ${at(minutes)}::text::timestamptz
      )`;
  }
}

/** Topics that an address is subscribed to, in order. */
async function read({ sql, workspaceId, topics }: World, address: string): Promise<Topic[]> {
  const subscribed: Topic[] = [];
  for (const topic of ["news", "offers"] as const) {
    const [row] = await sql<{ is: boolean }[]>`
      select private.is_subscribed(${workspaceId}, 'email', ${address}, ${topics[topic]}) as is`;
    if (row!.is) subscribed.push(topic);
  }
  return subscribed;
}

const old = "old@example.com";
const now = "new@example.com";

const identify = (external_id: string, email: string | null, anon_id?: string) => ({
  kind: "identify" as const,
  external_id,
  ...(anon_id === undefined ? {} : { anon_id }),
  profile: { email },
});

/** Case of a table: words of addresses, an event, and the topics after it. */
interface Case {
  title: string;
  words: readonly Word[];
  happens?: (world: World) => Promise<unknown>;
  after: Record<string, Topic[]>;
}

const cases: readonly Case[] = [
  { title: "the default of each topic holds", words: [], after: { [old]: ["offers"] } },
  {
    title: "upper and lower case are one address",
    words: [{ address: " OLD@Example.com", topic: "news", subscribed: true }],
    after: { [old]: ["news", "offers"] },
  },
  {
    title: "a word about everything withdraws what was said before it",
    words: [
      { address: old, topic: "news", subscribed: true, at: 1 },
      { address: old, topic: "all", subscribed: false, at: 2 },
    ],
    after: { [old]: [], [now]: ["offers"] },
  },
  {
    title: "a later word about a topic counts again",
    words: [
      { address: old, topic: "all", subscribed: false, at: 1 },
      { address: old, topic: "news", subscribed: true, at: 2 },
    ],
    after: { [old]: ["news"] },
  },
  {
    title: "the same word said again is a later word",
    words: [
      { address: old, topic: "news", subscribed: true, at: 1 },
      { address: old, topic: "all", subscribed: false, at: 2 },
      { address: old, topic: "news", subscribed: true, at: 3 },
    ],
    after: { [old]: ["news"] },
  },
  {
    title: "a changed address takes opt-outs along, and no opt-ins",
    words: [
      { address: old, topic: "news", subscribed: true },
      { address: old, topic: "offers", subscribed: false },
    ],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [identify("ada", old)]);
      await ingestFor(sql, workspaceId, [identify("ada", now)]);
    },
    after: { [old]: ["news"], [now]: [] },
  },
  {
    title: "an opt-in of the new address that is later than the opt-out of the former one stays",
    words: [
      { address: old, topic: "offers", subscribed: false, at: 1 },
      { address: now, topic: "offers", subscribed: true, at: 2 },
    ],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [identify("ada", old)]);
      await ingestFor(sql, workspaceId, [identify("ada", now)]);
    },
    after: { [now]: ["offers"] },
  },
  {
    title: "an address that is cleared and replaced later takes opt-outs along, and no opt-ins",
    words: [
      { address: old, topic: "news", subscribed: true },
      { address: old, topic: "offers", subscribed: false },
    ],
    happens: async ({ sql, workspaceId }) => {
      for (const email of [old, null, now]) {
        await ingestFor(sql, workspaceId, [identify("ada", email)]);
      }
    },
    after: { [old]: ["news"], [now]: [] },
  },
  {
    title: "an address that comes back changes nothing, and those before it are forgotten",
    words: [{ address: old, topic: "offers", subscribed: false }],
    happens: async ({ sql, workspaceId, topics }) => {
      for (const email of [old, null, old]) {
        await ingestFor(sql, workspaceId, [identify("ada", email)]);
      }
      const world = { sql, workspaceId, topics };
      await say(world, [{ address: old, topic: "offers", subscribed: true, at: 1 }]);
      for (const email of [null, now]) {
        await ingestFor(sql, workspaceId, [identify("ada", email)]);
      }
      const rows = await sql`
        select from public.customers
        where workspace_id = ${workspaceId} and former_addresses is not null`;
      assert.equal(rows.length, 0);
    },
    after: { [old]: ["offers"], [now]: ["offers"] },
  },
  {
    title: "a merge copies the opt-outs of an address that the merged record had",
    words: [{ address: old, topic: "offers", subscribed: false }],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [identify("ada", now), identify("ada-old", old)]);
      await ingestFor(sql, workspaceId, [identify("ada-old", null)]);
      await ingestFor(sql, workspaceId, [
        { kind: "alias", external_id: "ada", previous_id: "ada-old" },
      ]);
    },
    after: { [now]: [] },
  },
  {
    title: "a merge of two records without an address keeps the opt-outs of both for the next one",
    words: [
      { address: old, topic: "offers", subscribed: false },
      { address: "other@example.com", topic: "news", subscribed: true },
      { address: "other@example.com", topic: "news", subscribed: false, at: 1 },
    ],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [
        identify("ada", "other@example.com"),
        identify("ada-old", old),
      ]);
      await ingestFor(sql, workspaceId, [identify("ada", null), identify("ada-old", null)]);
      await ingestFor(sql, workspaceId, [
        { kind: "alias", external_id: "ada", previous_id: "ada-old" },
        identify("ada", now),
      ]);
    },
    after: { [now]: [] },
  },
  {
    title: "a merge copies the opt-outs of the merged record's address",
    words: [{ address: old, topic: "offers", subscribed: false }],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [identify("ada", now), identify("ada-old", old)]);
      await ingestFor(sql, workspaceId, [
        { kind: "alias", external_id: "ada", previous_id: "ada-old" },
      ]);
    },
    after: { [old]: [], [now]: [] },
  },
  {
    title: "a merge into a record whose first address comes with it copies them too",
    words: [{ address: old, topic: "all", subscribed: false }],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [
        { kind: "identify", anon_id: "browser", profile: { email: old } },
      ]);
      await ingestFor(sql, workspaceId, [identify("ada", now, "browser")]);
    },
    after: { [now]: [] },
  },
  {
    title: "a merge into a record without an address keeps the address and its consent",
    words: [{ address: old, topic: "news", subscribed: true }],
    happens: async ({ sql, workspaceId }) => {
      await ingestFor(sql, workspaceId, [
        { kind: "identify", anon_id: "browser", profile: { email: old } },
        { kind: "identify", external_id: "ada", anon_id: "browser" },
      ]);
    },
    after: { [old]: ["news", "offers"] },
  },
  {
    title: "importing a customer again changes nothing",
    words: [{ address: old, topic: "offers", subscribed: false }],
    happens: async ({ sql, workspaceId }) => {
      for (let i = 0; i < 2; i++) await ingestFor(sql, workspaceId, [identify("ada", old)]);
    },
    after: { [old]: [] },
  },
  {
    title: "erasing a customer keeps opt-outs",
    words: [{ address: old, topic: "offers", subscribed: false }],
    happens: async ({ sql, workspaceId }) => {
      const [id] = await ingestFor(sql, workspaceId, [identify("ada", old)]);
      await eraseCustomers(sql, workspaceId, [id!]);
      await runFrequentTasksFor(sql, { seconds: 90 });
    },
    after: { [old]: [] },
  },
];

Deno.test("consent belongs to the address", async (t) => {
  await using db = await createTestDatabase();
  for (const { title, words, happens, after } of cases) {
    await t.step(title, async () => {
      const world = await createWorld(db.sql);
      await say(world, words);
      await happens?.(world);
      for (const [address, topics] of Object.entries(after)) {
        assert.deepEqual(await read(world, address), topics, address);
      }
    });
  }
});

Deno.test("subscribed_customers() agrees with is_subscribed()", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db.sql);
  const { sql, workspaceId, topics } = world;
  const people = Array.from({ length: 12 }, (_, n) => `person${n}@example.com`);
  const ids = await ingestFor(sql, workspaceId, [
    ...people.map((email, n) => identify(`person-${n}`, email)),
    identify("nobody", null),
  ]);
  await say(
    world,
    people.flatMap((address, n) => [
      ...(n % 2 ? [{ address, topic: "news" as const, subscribed: n % 4 === 1, at: 2 }] : []),
      ...(n % 3 ? [{ address, topic: "all" as const, subscribed: false, at: n % 6 }] : []),
    ]),
  );
  for (const topic of ["news", "offers"] as const) {
    const rows = await sql<{ id: string }[]>`
      select private.subscribed_customers(${workspaceId}, ${topics[topic]}) as id`;
    const expected: string[] = [];
    for (const [n, address] of people.entries()) {
      if ((await read(world, address)).includes(topic)) expected.push(ids[n]!);
    }
    assert(expected.length > 0 && expected.length < people.length);
    assert.deepEqual(rows.map(({ id }) => id).sort(), expected.sort());
  }
});

Deno.test("the hash of an address is HMAC-SHA-256 under a key of the workspace alone", async () => {
  await using db = await createTestDatabase();
  const [one, two] = [await createWorkspace(db.sql), await createWorkspace(db.sql)];
  const read = async (workspaceId: string) => {
    const [row] = await db.sql<{ key: Uint8Array<ArrayBuffer>; hash: Uint8Array }[]>`
      select k.key, private.address_hash(${workspaceId}, 'email', ' Ada@Example.com ') as hash
      from private.workspace_keys as k
      where k.workspace_id = ${workspaceId} and k.purpose = 'address'`;
    return row!;
  };
  const { key, hash } = await read(one);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const expected = await crypto.subtle.sign(
    "HMAC",
    imported,
    new TextEncoder().encode("email:ada@example.com"),
  );
  assert.deepEqual(new Uint8Array(hash), new Uint8Array(expected));
  assert.notDeepEqual(hash, (await read(two)).hash);
});

Deno.test("the counts of a topic follow what addresses say", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db.sql);
  const count = async () => {
    const [row] = await db.sql`
      select sum(c.subscribed)::integer as joined, sum(c.unsubscribed)::integer as left
      from private.topic_counts as c
      where c.workspace_id = ${world.workspaceId} and c.topic_id = ${world.topics.news}`;
    return { ...row };
  };
  await say(world, [
    { address: old, topic: "news", subscribed: true },
    { address: old, topic: "news", subscribed: true },
    { address: now, topic: "news", subscribed: true },
    { address: now, topic: "news", subscribed: false },
  ]);
  assert.deepEqual(await count(), { joined: 1, left: 1 });
  await db.sql`select private.fold_topic_counts()`;
  assert.deepEqual(await count(), { joined: 1, left: 1 });
  const rows = await db.sql`
    select from private.topic_counts as c where c.topic_id = ${world.topics.news}`;
  assert.equal(rows.length, 1);
});

Deno.test("deleting a topic deletes what addresses said about it", async () => {
  await using db = await createTestDatabase();
  const world = await createWorld(db.sql);
  await say(world, [
    { address: old, topic: "news", subscribed: true },
    { address: old, topic: "offers", subscribed: false },
  ]);
  await db.sql`delete from public.topics as t where t.id = ${world.topics.news}`;
  const rows = await db.sql<{ topic_id: string }[]>`
    select c.topic_id from private.consents as c where c.workspace_id = ${world.workspaceId}`;
  assert.deepEqual(rows.map(({ topic_id }) => topic_id), [world.topics.offers]);
});
