import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  createTrackWorld,
  type ServiceResponse,
  type TrackWorld,
} from "../../testing/service/app.ts";
import { createPlan } from "../../testing/data/factories.ts";

const kib = 1024;
const event = { external_id: "user-1", name: "viewed" };
const tooLarge = 413;

/** A bucket that does not fill while a test runs. */
function createMeteredWorld(ingestBurst = 10_000): Promise<TrackWorld> {
  return createTrackWorld({
    plan: (db) => createPlan(db.sql, { ingestPerSecond: 1, ingestBurst }),
  });
}

/**
 * Tokens that are missing in a full bucket after a request, the request's response, and the most
 * tokens that the bucket can have gained meanwhile.
 */
async function costOf(
  body: string | Uint8Array,
  path = "/track",
): Promise<[taken: number, response: ServiceResponse, gained: number]> {
  await using world = await createMeteredWorld();
  const headers = { ...typeof body !== "string" && { "content-encoding": "gzip" } };
  const method = path.endsWith("?remove") ? "DELETE" : "POST";
  const startedAt = performance.now();
  const response = await world.send(body, { path: path.replace("?remove", ""), method, headers });
  const gained = Math.ceil((performance.now() - startedAt) / 1000);
  return [10_000 - Number(response.headers.get("ratelimit-remaining")), response, gained];
}

/** A JSON text of so many bytes, filled up with spaces. */
function pad(text: string, bytes: number): string {
  return text + " ".repeat(bytes - new TextEncoder().encode(text).byteLength);
}

/** An entry of so many bytes of JSON. */
function entryOf(bytes: number): string {
  const of = (text: string) => JSON.stringify({ ...event, properties: { text } });
  return of("x".repeat(bytes - of("").length));
}

Deno.test("a body costs one token per full 4 KiB after decompression, even if it is refused", async () => {
  const one = JSON.stringify(event);
  const cases: [title: string, body: string | Uint8Array, cost: number, status: number][] = [
    ["one entry", one, 1, 200],
    ["just below two units", pad(one, 8 * kib - 1), 1, 200],
    ["two units", pad(one, 8 * kib), 2, 200],
    ["two units, compressed", gzipSync(pad(one, 8 * kib)), 2, 200],
    ["over the limit of one entry", entryOf(64 * kib + 1), 16, tooLarge],
    ["5 MiB of one entry", gzipSync(entryOf(5 * kib * kib)), 1280, tooLarge],
    ["5 MiB of white space behind one entry", gzipSync(pad(one, 5 * kib * kib)), 1280, 200],
    ["5 MiB of broken JSON", gzipSync(pad("{", 5 * kib * kib)), 1280, 400],
    ["1 MiB that is not UTF-8", gzipSync(new Uint8Array(kib * kib).fill(0xff)), 256, 400],
    ["a bulk of 1 MiB that is refused", pad('{"events":[]}', kib * kib), 256, 400],
  ];
  for (const [title, body, cost, status] of cases) {
    const [taken, response, gained] = await costOf(body);
    assert.equal(response.status, status, title);
    assert(taken <= cost && taken >= cost - gained, `${title}: ${taken} tokens`);
  }
});

Deno.test("a body that is too large costs the size it had reached after decompression", async () => {
  const [taken, response] = await costOf(gzipSync(new Uint8Array(20 * kib * kib)));
  assert.equal(response.status, tooLarge);
  assert(taken >= 1280 && taken <= 2400, `${taken} tokens`);
});

Deno.test("a bulk costs one token per entry, and more if its entries have over 4 KiB on average", async () => {
  const ofBytes = (bytes: number) => ({ ...event, properties: { text: "x".repeat(bytes - 100) } });
  const cases = [[event, 500, 500], [ofBytes(4 * kib), 100, 100], [ofBytes(32 * kib), 100, 799]];
  for (const [entry, count, cost] of cases) {
    const [taken, response] = await costOf(
      gzipSync(JSON.stringify({ events: Array(count).fill(entry) })),
    );
    assert.deepEqual([taken, response.body.accepted], [cost, count]);
  }
  const spaced = gzipSync(pad(JSON.stringify({ events: [event, event] }), 12 * kib));
  assert.equal((await costOf(spaced))[0], 3);
  // A key may be written with escapes: its entries are counted once they are parsed.
  const escaped = JSON.stringify({ events: Array(40).fill(event) }).replace(
    "events",
    "\\u0065vents",
  );
  assert.equal((await costOf(escaped))[0], 40);
});

Deno.test("a refused bulk costs its entries; one with too many entries costs only its size", async () => {
  const bulk = (count: number) => JSON.stringify({ events: Array(count).fill(event) });
  assert.equal((await costOf(bulk(500).slice(0, -1)))[0], 500);
  const [taken, response] = await costOf(bulk(501));
  assert.deepEqual([taken, response.status], [Math.floor(bulk(501).length / (4 * kib)), 400]);
});

Deno.test("Segment's routes and the devices' cost the same", async () => {
  const message = JSON.stringify({ type: "track", userId: "u1", event: "seen", messageId: "m1" });
  const batch = `{"batch":[${message}]}`;
  const device = JSON.stringify({ external_id: "u", token: "t", platform: "ios" });
  for (
    const [path, body] of [
      ["/track/v1/track", message],
      ["/track/v1/batch", batch],
      ["/track/devices", device],
      ["/track/devices?remove", '{"token":"t"}'],
    ] as const
  ) {
    assert.equal((await costOf(body, path))[0], 1, path);
    const [taken, response] = await costOf(pad(body, 8 * kib), path);
    assert.deepEqual([taken, response.status], [2, 200], path);
    assert.equal((await costOf(gzipSync(pad("{", kib * kib)), path))[0], 256, path);
  }
  assert.equal(
    (await costOf(`{"batch":[${Array(70).fill(message).join()}]}`, "/track/v1/b"))[0],
    70,
  );
});

Deno.test("a body over the quota is refused before it is parsed, and costs nothing", async () => {
  await using world = await createMeteredWorld(100);
  assert.equal((await world.send({ events: Array(60).fill(event) })).status, 200);
  for (const body of [pad("{", 41 * 4 * kib), pad('{"events":[', 41 * 4 * kib)]) {
    const options = { headers: { "content-encoding": "gzip" } };
    const response = await world.send(gzipSync(body), options);
    assert.deepEqual([response.status, response.body.code], [429, "rate_limited"]);
  }
  assert.equal((await world.send({ events: Array(40).fill(event) })).status, 200);
});

Deno.test("after a body over the quota, the next large one is refused unread", async () => {
  await using world = await createMeteredWorld(100);
  const headers = { "content-encoding": "gzip" };
  const body = gzipSync(pad("{", 101 * 4 * kib));
  const first = await world.send(body, { headers });
  assert.equal(first.status, 400);
  const second = await world.send(body, { headers });
  assert.equal(second.status, 429);
  // The body is not read at all.
  const unread = await world.send(new Uint8Array([1, 2, 3]), { headers });
  assert.deepEqual([unread.status, unread.body.code], [429, "rate_limited"]);
  assert.match(unread.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.match(unread.body.error, / s$/);
});

Deno.test("a large bulk asks the shared bucket no more often than a small one", async () => {
  const countAsked = async (count: number, text: string) => {
    await using world = await createMeteredWorld();
    await world.db.sql`
      create function private.note_taken() returns trigger language plpgsql security definer as $$
      begin
        insert into private.taken values (1);
        return null;
      end $$
    `;
    await world.db.sql`create table private.taken (one integer)`;
    await world.db.sql`
      create trigger note after insert or update on private.rate_limit_buckets
      for each statement execute function private.note_taken()
    `;
    const events = Array(count).fill({ ...event, properties: { text } });
    assert.equal(
      (await world.send(gzipSync(JSON.stringify({ events })), {
        headers: { "content-encoding": "gzip" },
      })).status,
      200,
    );
    const [row] = await world.db.sql`select count(*)::integer as count from private.taken`;
    return row!.count;
  };
  const small = await countAsked(20, "");
  assert(small > 0);
  assert.equal(await countAsked(300, "x".repeat(10 * kib)), small);
});

Deno.test("a bulk of entries full of numbers is stored, up to 500,000 numbers", async () => {
  const bulkOf = (numbers: number) => {
    const readings = Array(numbers / 160).fill(1234.5678);
    return gzipSync(
      JSON.stringify({ events: Array(160).fill({ ...event, properties: { readings } }) }),
    );
  };
  const [taken, { body }] = await costOf(bulkOf(499_840));
  assert.equal(body.accepted, 160);
  assert(taken > 1000);
  const [cost, refused] = await costOf(bulkOf(500_160));
  assert.equal(refused.status, tooLarge);
  assert(cost > 1000);
  assert.equal(refused.body.error, "Body must not contain over 500000 numbers");
});
