import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { countWrittenOut } from "../../supabase/functions/_shared/json/numbers.ts";
import { createTrackWorld, type SendOptions } from "../../testing/service/app.ts";
import { entryCases, receivedAt } from "../../testing/data/entry_cases.ts";

const event = { external_id: "user-1", name: "viewed" };

Deno.test("track returns 200 for each field at its limits and 400 just beyond", async () => {
  await using world = await createTrackWorld({ now: () => receivedAt });
  // An alias needs ids that are known.
  assert.equal((await world.send(event)).status, 200);
  for (const { title, entry, field } of entryCases()) {
    const { status, body } = await world.send(entry);
    const told = `${title}: ${JSON.stringify(body)}`;
    assert.equal(status, field === undefined ? 200 : 400, told);
    if (field === undefined) continue;
    assert(body.details.some((detail: { field: string }) => detail.field === field), told);
  }
});

Deno.test("track validates the same cases in a bulk one by one", async () => {
  await using world = await createTrackWorld({ now: () => receivedAt });
  await world.send(event);
  const cases = entryCases();
  for (let from = 0; from < cases.length; from += 500) {
    const some = cases.slice(from, from + 500);
    const { status, body } = await world.send({ events: some.map(({ entry }) => entry) });
    assert.equal(status, 200);
    some.forEach(({ title, field }, i) => {
      const told = `${title}: ${JSON.stringify(body.results[i])}`;
      assert.equal(body.results[i].ok, field === undefined, told);
    });
  }
});

interface HostileBody extends SendOptions {
  title: string;
  body: string | Uint8Array;
  status: number;
  code: string;
}

const gzip = { headers: { "content-encoding": "gzip" } };
const invalid = { status: 400, code: "invalid_input" };
const noJson = { status: 400, code: "invalid_json" };
const tooLarge = { status: 413, code: "payload_too_large" };

function withProperties(properties: string): string {
  return `{"external_id":"user-1","name":"viewed","properties":${properties}}`;
}

const hostile: HostileBody[] = [
  { title: "nothing", body: "", ...noJson },
  { title: "half an object", body: '{"external_id":"user-1"', ...noJson },
  { title: "two objects", body: "{}{}", ...noJson },
  { title: "a comment", body: "{/**/}", ...noJson },
  { title: "NaN", body: withProperties('{"a":NaN}'), ...noJson },
  { title: "a raw NUL", body: withProperties('{"a":"\0"}'), ...noJson },
  { title: "bytes that are not UTF-8", body: new Uint8Array([0x7b, 0xff, 0x7d]), ...noJson },
  { title: "null", body: "null", ...invalid },
  { title: "a number", body: "1", ...invalid },
  { title: "a text", body: '"x"', ...invalid },
  { title: "an array", body: `[${JSON.stringify(event)}]`, ...invalid },
  { title: "U+0000", body: withProperties('{"a":"\\u0000"}'), ...invalid },
  { title: "U+0000 in a key", body: withProperties('{"\\u0000":1}'), ...invalid },
  { title: "U+0000 in an id", body: '{"external_id":"a\\u0000","name":"n"}', ...invalid },
  { title: "U+0000 in a name", body: '{"external_id":"a","name":"n\\u0000"}', ...invalid },
  { title: "a lone surrogate", body: withProperties('{"a":"\\ud83d"}'), ...invalid },
  { title: "a lone surrogate in a key", body: withProperties('{"\\udc00":1}'), ...invalid },
  { title: "a number beyond a double", body: withProperties('{"a":1e400}'), ...invalid },
  { title: "an integer beyond 2^53", body: withProperties('{"a":9007199254740993}'), ...invalid },
  {
    title: "11 levels",
    body: withProperties(`{"a":${"[".repeat(10)}${"]".repeat(10)}}`),
    ...invalid,
  },
  { title: "30,000 levels", body: "[".repeat(3e4) + "]".repeat(3e4), ...invalid },
  { title: "100,000 levels", body: "[".repeat(1e5) + "]".repeat(1e5), ...tooLarge },
  {
    title: "100,000 levels in a bulk",
    body: `{"events":[${"[".repeat(1e5) + "]".repeat(1e5)}],"x":1}`,
    ...invalid,
  },
  {
    title: "5 MiB of numbers that no double holds, in 12 KB",
    body: gzipSync(withProperties(`{"a":[${Array(290_000).fill("12345678901234567").join()}]}`)),
    ...gzip,
    ...tooLarge,
  },
  {
    title: "5 MiB of numbers in a bulk, in 12 KB",
    body: gzipSync(`{"events":[{"a":[${Array(290_000).fill("12345678901234567").join()}]}]}`),
    ...gzip,
    ...tooLarge,
  },
  {
    title: "500,001 numbers in a bulk",
    body: gzipSync(`{"events":[{"a":[${Array(500_001).fill("1").join()}]}]}`),
    ...gzip,
    ...tooLarge,
  },
  {
    title: "10,000 levels beside a key like an index",
    body: withProperties(`{"0":1,"a":${"[".repeat(1e4)}${"]".repeat(1e4)}}`),
    ...invalid,
  },
  { title: "500,000 objects inside each other", body: '{"a":'.repeat(2e5), ...noJson },
  {
    title: "301 keys",
    body: withProperties(
      JSON.stringify(Object.fromEntries(Array.from({ length: 301 }, (_, i) => [i, i]))),
    ),
    ...invalid,
  },
  {
    title: "__proto__ at the top",
    body: '{"external_id":"u","name":"n","__proto__":{}}',
    ...invalid,
  },
  {
    title: "an entry over 32 KiB",
    body: withProperties(`{"a":"${"x".repeat(32_768)}"}`),
    ...tooLarge,
  },
  {
    title: "an entry that the database would print at a megabyte",
    body: withProperties(`{"a":[${Array(4600).fill("1e308").join()}]}`),
    ...tooLarge,
  },
  { title: "5 MiB", body: withProperties(`{"a":"${"x".repeat(5 * 1024 * 1024)}"}`), ...tooLarge },
  { title: "a gzip bomb", body: gzipSync(new Uint8Array(100 * 1024 * 1024)), ...gzip, ...tooLarge },
  { title: "broken gzip", body: "not gzip", ...gzip, ...noJson },
  {
    title: "an unknown encoding",
    body: "{}",
    headers: { "content-encoding": "br" },
    status: 415,
    code: "unsupported_media_type",
  },
];

Deno.test("track returns a clear 4xx for hostile bodies, and the next request works", async () => {
  await using world = await createTrackWorld();
  for (const { title, body, status, code, ...options } of hostile) {
    const response = await world.send(body, options);
    assert.equal(response.status, status, `${title}: ${JSON.stringify(response.body)}`);
    assert.equal(response.body.code, code, title);
    assert(response.body.error.length < 500, title);
    assert.equal((await world.send(event)).status, 200, `after ${title}`);
  }
  const rows = await world.db.sql<{ count: number }[]>`
    select count(*)::integer as count from public.events
  `;
  assert.equal(rows[0]!.count, hostile.length);
});

Deno.test("countWrittenOut() matches how Postgres prints a number", async () => {
  await using world = await createTrackWorld();
  const whole = [1e21, -1e21, 1.5e21, 1.7976931348623157e308, -1.7976931348623157e308];
  const small = [1e-7, -1e-7, 1.5e-7, 5e-324, 2.2250738585072014e-308, -1.234e-100];
  for (const number of [0, -1.5, 1e20, 0.000001, ...whole, ...small]) {
    const text = JSON.stringify([number]);
    const [row] = await world.db.sql`select length(${text}::text::jsonb::text) as length`;
    assert.equal(text.length + countWrittenOut(text), row!.length, text);
  }
});

Deno.test("track accepts gzip and deflate", async () => {
  await using world = await createTrackWorld();
  for (const encoding of ["gzip", "deflate"] as const) {
    const stream = new Blob([JSON.stringify(event)]).stream()
      .pipeThrough(new CompressionStream(encoding));
    const body = new Uint8Array(await new Response(stream).arrayBuffer());
    const response = await world.send(body, { headers: { "content-encoding": encoding } });
    assert.equal(response.status, 200);
  }
});

Deno.test("track uses the last of two equal keys and keeps __proto__ as data", async () => {
  await using world = await createTrackWorld();
  const response = await world.send(
    '{"external_id":"u","name":"first","name":"last","properties":{"__proto__":{"a":1}}}',
  );
  assert.equal(response.status, 200);
  const rows = await world.db.sql`select name, properties::text as properties from public.events`;
  assert.deepEqual([...rows], [{ name: "last", properties: '{"__proto__": {"a": 1}}' }]);
});

Deno.test("track stores any properties that JSON can carry, exactly", async () => {
  await using world = await createTrackWorld();
  const text = fc.string({ unit: "binary", maxLength: 20 }).map((value) =>
    value.replaceAll("\0", "")
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      text,
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(text, tie("value"), { maxKeys: 4 }),
    ),
  }));
  const properties = fc.dictionary(text, value, { maxKeys: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(properties, { minLength: 1, maxLength: 20 }), async (all) => {
      const events = all.map((properties) => ({ ...event, properties }));
      const { status, body } = await world.send({ events });
      assert(status === 200 && body.ok, JSON.stringify(body));
      const ids = body.results.map((result: { event_id: string }) => result.event_id);
      const rows = await world.db.sql<{ properties: unknown }[]>`
        select properties from public.events where id in ${world.db.sql(ids)} order by id
      `;
      assert.deepEqual(rows.map((row) => row.properties), JSON.parse(JSON.stringify(all)));
    }),
    { numRuns: 30 },
  );
});
