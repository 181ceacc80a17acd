import assert from "node:assert/strict";
import { hmacSchema } from "../../supabase/functions/_shared/sources/hmac.ts";
import { hmacSenders } from "../../supabase/functions/api/contract/hmac_senders.ts";
import { hmacTestSenders } from "../../testing/senders/hmac_senders.ts";
import { baseUrl, createInboundWorld } from "../../testing/data/inbound.ts";

const at = new Date("2026-11-01T12:00:00Z");
const body = '{"id":"evt_1","type":"invoice.paid","user":"Zoë"}';
const mapping = { name: { value: "invoice_paid" }, external_id: "/user" };

Deno.test("every sender whose settings are known is tested", () => {
  const tested = hmacTestSenders.map(({ name }) => name).sort();
  assert.deepEqual(tested, Object.keys(hmacSenders).sort());
});

for (const { name, secret, sign, isTimed } of hmacTestSenders) {
  Deno.test(`POST /inbound takes what ${name} signs by its documentation, and nothing else`, async () => {
    await using world = await createInboundWorld({ now: () => at });
    const hmac = hmacSchema.parse(hmacSenders[name].settings);
    const source = await world.createSource({ scheme: "hmac", hmac, secret, mapping });
    const path = `/inbound/${source.id}?from=${name}`;
    const url = `${baseUrl}/functions/v1${path}`;
    const good = sign({ body, at, url, secret });
    const send = async (headers: Record<string, string>, sent = body) => {
      const all = { "content-type": "application/json", ...headers };
      const response = await world.post(path, { headers: all, body: sent });
      return [response.status, response.body.code ?? response.body.accepted];
    };
    const refused = [401, "unauthorized"];
    assert.deepEqual(await send(good, body.replace("evt_1", "evt_2")), refused, "tampered");
    assert.deepEqual(
      await send(sign({ body, at, url, secret: `${secret}x` })),
      refused,
      "other secret",
    );
    assert.deepEqual(await send({}), refused, "missing");
    const needed = [hmac.header, hmac.timestamp_header].filter((header) => header !== undefined);
    for (const header of needed) {
      const rest = Object.entries(good).filter(([key]) => key.toLowerCase() !== header);
      assert.deepEqual(await send(Object.fromEntries(rest)), refused, `without ${header}`);
    }
    for (const offset of isTimed ? [-301_000, 301_000] : []) {
      const moved = sign({ body, at: new Date(at.getTime() + offset), url, secret });
      assert.deepEqual(await send(moved), refused, `${offset} ms off`);
    }
    assert.deepEqual(await send(good), [200, 1], "good");
    assert.deepEqual(await send(good), [200, 0], "again");
  });
}

Deno.test("POST /inbound accepts HMAC-SHA512 with a key in base64 or hex", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const { createHmac } = await import("node:crypto");
  const key = new Uint8Array(32).map((_, i) => i * 7);
  for (const secret_encoding of ["base64", "hex"] as const) {
    const hmac = hmacSchema.parse({ header: "X-Sum", algorithm: "sha512", secret_encoding });
    const secret = secret_encoding === "hex" ? key.toHex() : key.toBase64();
    const source = await world.createSource({ scheme: "hmac", hmac, secret, mapping });
    const sum = createHmac("sha512", key).update(body).digest("hex");
    const response = await world.deliver({ source, body, headers: { "x-sum": sum } });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    // The key is what the text stands for, not the text.
    const wrong = createHmac("sha512", secret).update(body).digest("hex");
    assert.equal((await world.deliver({ source, body, headers: { "x-sum": wrong } })).status, 401);
  }
});

Deno.test("POST /inbound refuses every request if the secret does not match its encoding", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const { createHmac } = await import("node:crypto");
  const hmac = hmacSchema.parse({ header: "X-Sum", secret_encoding: "hex" });
  const source = await world.createSource({ scheme: "hmac", hmac, secret: "no hex at all" });
  for (const key of ["", "no hex at all"]) {
    const sum = createHmac("sha256", key).update(body).digest("hex");
    const response = await world.deliver({ source, body, headers: { "x-sum": sum } });
    assert.equal(response.status, 401);
  }
});

Deno.test("POST /inbound skips header parts of other versions", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const { settings } = hmacSenders.pagerduty;
  const { secret, sign } = hmacTestSenders.find(({ name }) => name === "pagerduty")!;
  const hmac = hmacSchema.parse(settings);
  const source = await world.createSource({ scheme: "hmac", hmac, secret, mapping });
  const good = sign({ body, at, url: "", secret })["X-PagerDuty-Signature"]!;
  const status = async (value: string) =>
    (await world.deliver({ source, body, headers: { "x-pagerduty-signature": value } })).status;
  assert.equal(await status(`v2=abc,v1a=+/=,${good}, v0=x`), 200);
  assert.equal(await status(`v1=short,foo,${good}`), 200);
  assert.equal(await status("v1=short"), 401);
  assert.equal(await status(good.replaceAll("v1=", "v2=")), 401);
  assert.equal(await status(`${`v1=${"0".repeat(64)},`.repeat(10)}${good}`), 401);
  assert.equal(await status(`${"v2=a,".repeat(60)}${good}`), 401);
});

Deno.test("POST /inbound says which header is malformed when the time is sent twice", async () => {
  await using world = await createInboundWorld({ now: () => at });
  const hmac = hmacSchema.parse({
    header: "x-sum",
    timestamp_header: "x-time",
    signed: "{timestamp}.{body}",
  });
  const source = await world.createSource({ scheme: "hmac", hmac, secret: "8f742231b10e8888" });
  const seconds = String(at.getTime() / 1000);
  const headers = { "x-sum": "0".repeat(64), "x-time": `${seconds}, ${seconds}` };
  const response = await world.deliver({ source, body, headers });
  assert.deepEqual([response.status, response.body.code], [401, "unauthorized"]);
  assert.match(response.body.error, /"x-time"/);
});
