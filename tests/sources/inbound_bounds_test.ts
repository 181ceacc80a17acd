import assert from "node:assert/strict";
import type { Mapping } from "../../supabase/functions/_shared/sources/mapping.ts";
import type { Preset } from "../../supabase/functions/_shared/sources/sources.ts";
import { countBuiltText } from "../../testing/browser/built_text.ts";
import { createInboundWorld, type InboundWorld } from "../../testing/data/inbound.ts";

const at = new Date("2026-11-01T12:00:00Z");
const now = () => at;
const mebibyte = 1024 * 1024;
const user = { name: { value: "a" }, anon_id: { value: "a1" } };

/** As many properties as asked for, each from the same place: more than the api lets through. */
function properties(count: number, source: string | { value: string }): Mapping["properties"] {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, source]));
}

interface Attack {
  title: string;
  mapping?: Mapping;
  preset?: Preset;
  body: string;
  /** The response to the whole, or what became of its one entry. */
  response: 413 | "refused";
}

const long = { value: "x".repeat(1000) };
const attacks: readonly Attack[] = [
  {
    title: "1,000 items of 300 long constants",
    mapping: { ...user, properties: properties(300, long) },
    body: `[${Array(1000).fill(1)}]`,
    response: 413,
  },
  {
    title: "4,000 items of long constants that are small enough each",
    mapping: { ...user, properties: properties(30, long) },
    body: `[${Array(4000).fill(1)}]`,
    response: 413,
  },
  {
    title: "half a million items",
    mapping: { ...user, properties: properties(100, long) },
    body: `[${Array(500_000).fill(1)}]`,
    response: 413,
  },
  {
    title: "100,000 items without properties",
    mapping: user,
    body: `[${Array(1e5).fill(1)}]`,
    response: 413,
  },
  {
    title: "300 pointers to 1 MB",
    mapping: { ...user, properties: properties(300, "") },
    body: JSON.stringify({ a: "x".repeat(1_000_000) }),
    response: "refused",
  },
  {
    title: "300 pointers to 1 MB of small objects",
    mapping: { ...user, properties: properties(300, "") },
    body: JSON.stringify({ a: Array(100_000).fill({ b: 1 }) }),
    response: "refused",
  },
  {
    title: "4,000 refused items that are kept whole",
    mapping: { items: "/rows", name: "/name" },
    body: JSON.stringify({ rows: Array(3900).fill({ a: "x".repeat(250) }) }),
    response: "refused",
  },
  {
    title: "4,000 recipients of a mail with a long subject",
    preset: "resend",
    body: JSON.stringify({
      type: "email.bounced",
      data: { to: Array(4000).fill("@"), subject: "x".repeat(20_000) },
    }),
    response: 413,
  },
];

async function countStored({ db }: InboundWorld): Promise<number> {
  const rows = await db.sql<{ n: number }[]>`select count(*)::int as n from public.events`;
  return rows[0]!.n;
}

for (const { title, body, response: expected, mapping = null, preset = null } of attacks) {
  Deno.test(`POST /inbound bounds what it builds of ${title}`, async () => {
    await using world = await createInboundWorld({ now });
    const source = await world.createSource({ mapping, preset });
    using built = countBuiltText();
    const response = await world.deliver({ source, body });
    if (expected === 413) {
      assert.deepEqual([response.status, response.body.code], [413, "payload_too_large"]);
    } else assert.deepEqual([response.status, response.body.accepted], [200, 0]);
    assert.ok(built.total() < 32 * mebibyte, `built ${built.total()} characters`);
    assert.ok(built.longest() < 8 * mebibyte, `wrote ${built.longest()} characters at once`);
    assert.equal(await countStored(world), 0);
  });
}

Deno.test("POST /inbound serves other requests while it processes a large message", async () => {
  await using world = await createInboundWorld({ now });
  const mapping = { ...user, properties: properties(1, { value: "x".repeat(900) }) };
  const source = await world.createSource({ mapping });
  const order: string[] = [];
  let other: Promise<unknown> | undefined;
  using _built = countBuiltText((text) => {
    if (!text.includes("x".repeat(900)) || !text.includes('"idempotency_key"')) return;
    order.push("entry");
    // Looks its source up in the database: it takes turns of the event loop, not microtasks alone.
    other ??= world.post(`/inbound/${crypto.randomUUID()}`).then(() => order.push("other"));
  });
  const response = await world.deliver({ source, body: `[${Array(4000).fill(1)}]` });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  await other;
  const place = order.indexOf("other");
  assert.ok(place > 0 && place < order.lastIndexOf("entry"), `${place} of ${order.length}`);
});

Deno.test("POST /inbound takes tokens for the entries it builds, even rejected ones", async () => {
  const plan = { ingestPerSecond: 1, ingestBurst: 100 };
  await using world = await createInboundWorld({ now, plan });
  const mapping = { ...user, properties: properties(100, { value: "x".repeat(1000) }) };
  const source = await world.createSource({ mapping });
  // 5 refused entries, given up at 32 KiB each: they cost more than half of the tokens.
  const body = `[${Array(5).fill(1)}]`;
  const first = await world.deliver({ source, body });
  assert.deepEqual([first.status, first.body.rejected], [200, 5]);
  const second = await world.deliver({ source, body });
  assert.deepEqual([second.status, second.body.code], [429, "rate_limited"]);
});

Deno.test("POST /inbound refuses a form of many fields, and JSON of many arrays, unread", async () => {
  await using world = await createInboundWorld({ now });
  const source = await world.createSource({ mapping: user });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (
    const [body, headers] of [["a&".repeat(100_000), form], [
      `[${"[],".repeat(3e5)}[]]`,
      {},
    ]] as const
  ) {
    const response = await world.deliver({ source, body, headers });
    assert.deepEqual([response.status, response.body.code], [413, "payload_too_large"]);
  }
});
