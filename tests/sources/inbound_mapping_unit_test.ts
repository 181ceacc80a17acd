import assert from "node:assert/strict";
import {
  mapItem,
  type Mapping,
  mappingSchema,
  readItems,
} from "../../supabase/functions/_shared/sources/mapping.ts";
import { parseLossless } from "../../supabase/functions/_shared/json/lossless.ts";
import { parsePayload } from "../../supabase/functions/_shared/sources/payload.ts";
import type { Preset } from "../../supabase/functions/_shared/sources/sources.ts";
import {
  resendBounce,
  resendComplaint,
  resendUnsubscribed,
  sendgridEvents,
  shopifyOrder,
  shopifyRefund,
} from "../../testing/data/payloads.ts";

const messageId = "msg_1";

function mapPreset(preset: Preset, text: string, headers: Record<string, string> = {}) {
  return mapItem({ preset, mapping: null }, { payload: parseLossless(text), headers, messageId });
}

function mapOwn(mapping: Mapping, payload: unknown, headers: Record<string, string> = {}) {
  return mapItem({ preset: null, mapping }, { payload, headers, messageId });
}

Deno.test("the preset shopify assigns an order to its customer, with ids beyond a double", () => {
  const mapped = mapPreset("shopify", shopifyOrder, {
    "x-shopify-topic": "orders/create",
    "x-shopify-event-id": "98880550-7158-44d4-b7cd-2c97c8a091b5",
    "x-shopify-shop-domain": "example.myshopify.com",
  });
  assert.deepEqual(mapped, {
    kind: "drafts",
    drafts: [
      {
        key: "orders/create:98880550-7158-44d4-b7cd-2c97c8a091b5:identify",
        entry: {
          type: "identify",
          external_id: "115310627314723954",
          anon_id: "shopify:order:820982911946154508",
          email: "john@example.com",
          first_name: "John",
          last_name: "Smith",
          country: "CA",
        },
      },
      {
        key: "orders/create:98880550-7158-44d4-b7cd-2c97c8a091b5",
        entry: {
          name: "order_created",
          external_id: "115310627314723954",
          occurred_at: "2026-11-01T00:00:00.000Z",
          properties: {
            order_id: "820982911946154508",
            shop: "example.myshopify.com",
            order_number: "1234",
            order_name: "#9999",
            email: "jon@example.com",
            currency: "USD",
            total: 398.1,
            subtotal: 388,
            tax: 0,
            discount: 20,
            financial_status: "paid",
            coupons: ["WELCOME"],
            product_count: 1,
            products: [{
              product_id: "632910392",
              variant_id: "808950810",
              sku: "IPOD2008PINK",
              name: "IPod Nano - 8GB",
              quantity: 1,
              price: 199,
            }],
          },
        },
      },
    ],
  });
});

Deno.test("the preset shopify completes an order once it is paid or fulfilled", () => {
  for (const topic of ["orders/paid", "orders/fulfilled"]) {
    const mapped = mapPreset("shopify", shopifyOrder, { "x-shopify-topic": topic });
    assert.equal(mapped.kind, "drafts");
    assert.equal(mapped.kind === "drafts" && mapped.drafts[1]?.entry.name, "order_completed");
  }
});

Deno.test("the preset shopify links a refund to the customer by its order's id", () => {
  const mapped = mapPreset("shopify", shopifyRefund, { "x-shopify-topic": "refunds/create" });
  assert.deepEqual(mapped, {
    kind: "drafts",
    drafts: [{
      key: "refunds/create:890088186047892319",
      entry: {
        name: "order_refunded",
        anon_id: "shopify:order:820982911946154508",
        occurred_at: "2026-11-01T09:00:00.000Z",
        properties: {
          order_id: "820982911946154508",
          refund_id: "890088186047892319",
          currency: "USD",
          total: 90.1,
          note: "Things were damaged",
          product_count: 1,
          products: [{
            product_id: "788032119674292922",
            sku: "example-shirt-s",
            name: "Example T-Shirt",
            quantity: 1,
            price: 89.99,
          }],
        },
      },
    }],
  });
});

Deno.test("the preset shopify ignores other topics and rejects an order without an id", () => {
  assert.equal(
    mapPreset("shopify", shopifyOrder, { "x-shopify-topic": "products/create" }).kind,
    "ignored",
  );
  assert.deepEqual(mapPreset("shopify", "{}", { "x-shopify-topic": "orders/create" }), {
    kind: "refused",
    field: "id",
    message: "is required",
  });
});

Deno.test("the preset resend maps bounces, complaints and unsubscriptions", () => {
  const bounced = mapPreset("resend", resendBounce);
  assert.deepEqual(bounced, {
    kind: "drafts",
    drafts: [{
      key: "msg_1:0",
      email: "Delivered@resend.dev",
      entry: {
        name: "email_bounced",
        occurred_at: "2026-11-01T11:41:11.894Z",
        properties: {
          email: "Delivered@resend.dev",
          email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
          broadcast_id: "8b146471-e88e-4322-86af-016cd36fd216",
          subject: "Sending this example",
          bounce_type: "hard",
          bounce_subtype: "Suppressed",
          diagnostic: "The recipient's email address is on the suppression list",
        },
      },
      send: {
        providerId: "56761188-7520-42d8-8898-ff6fc54ce618",
        isOnly: true,
        isRequired: false,
      },
    }],
  });
  const names = [resendComplaint, resendUnsubscribed].map((text) => {
    const mapped = mapPreset("resend", text);
    return mapped.kind === "drafts" && mapped.drafts[0]?.entry.name;
  });
  assert.deepEqual(names, ["email_complained", "unsubscribed"]);
  const subscribed = resendUnsubscribed.replace('"unsubscribed":true', '"unsubscribed":false');
  assert.equal(mapPreset("resend", subscribed).kind, "ignored");
});

Deno.test("the preset resend reads the customer from a tag, in either form of tags", () => {
  for (const tags of [{ external_id: "u1" }, [{ name: "external_id", value: "u1" }]]) {
    const payload = JSON.parse(resendBounce);
    payload.data.tags = tags;
    const mapped = mapPreset("resend", JSON.stringify(payload));
    assert.equal(mapped.kind === "drafts" && mapped.drafts[0]?.entry.external_id, "u1");
  }
});

Deno.test("the preset sendgrid maps each event of a batch", () => {
  const items = readItems({ preset: "sendgrid", mapping: null }, parseLossless(sendgridEvents));
  const mapped = (items ?? []).map((item) => mapPreset("sendgrid", JSON.stringify(item)));
  assert.deepEqual(
    mapped.map((each) => each.kind === "drafts" ? each.drafts[0]?.entry.name : each.kind),
    ["email_delivered", "email_bounced", "email_complained", "unsubscribed"],
  );
  const bounce = mapped[1];
  assert.deepEqual(bounce?.kind === "drafts" && bounce.drafts[0], {
    key: "Ym91bmNl",
    email: "example@test.com",
    entry: {
      name: "email_bounced",
      occurred_at: "2026-11-01T12:00:01.000Z",
      properties: {
        email: "example@test.com",
        message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
        bounce_type: "hard",
        bounce_subtype: "bounce",
        diagnostic: "500 unknown recipient",
        status: "5.0.0",
        categories: ["cat facts"],
      },
    },
    send: { isOnly: true, isRequired: false },
  });
});

Deno.test("a mapping reads pointers, headers, constants and the first of several", () => {
  const mapping = mappingSchema.parse({
    name: { header: "x-github-event" },
    names: { push: "code_pushed" },
    external_id: ["/sender/login", "/pusher/name"],
    email: "/pusher/email",
    occurred_at: "/head_commit/timestamp",
    idempotency_key: "/after",
    properties: { branch: "/ref", "a/b": "/a~1b", first: "/commits/0/id", kind: { value: "git" } },
  });
  const payload = {
    ref: "refs/heads/main",
    after: "0d1a26e6",
    "a/b": 1,
    commits: [{ id: "c1" }],
    head_commit: { timestamp: "2026-11-01T10:00:00+02:00" },
    pusher: { name: "octocat", email: "octocat@github.com" },
  };
  assert.deepEqual(mapOwn(mapping, payload, { "x-github-event": "push" }), {
    kind: "drafts",
    drafts: [{
      key: "0d1a26e6",
      email: "octocat@github.com",
      entry: {
        name: "code_pushed",
        external_id: "octocat",
        occurred_at: "2026-11-01T08:00:00.000Z",
        properties: { branch: "refs/heads/main", "a/b": 1, first: "c1", kind: "git" },
      },
    }],
  });
  assert.equal(mapOwn(mapping, payload, { "x-github-event": "star" }).kind, "ignored");
});

Deno.test("a mapping accepts Unix seconds and milliseconds, and the sender's id as key", () => {
  for (const created of [1793534400, "1793534400", 1793534400000]) {
    const mapped = mapOwn({ name: "/type", occurred_at: "/created" }, { type: "paid", created });
    assert.deepEqual(mapped, {
      kind: "drafts",
      drafts: [{
        key: messageId,
        entry: { name: "paid", occurred_at: "2026-11-01T12:00:00.000Z", properties: {} },
      }],
    });
  }
});

Deno.test("a mapping never reads inherited properties", () => {
  for (const path of ["/constructor/name", "/__proto__/a", "/toString", "/length", "/a/-1"]) {
    assert.deepEqual(mapOwn({ name: path }, { a: [1] }), {
      kind: "refused",
      field: "name",
      message: "was not found in the payload",
    });
  }
});

Deno.test("a mapping rejects ids and properties of the wrong type", () => {
  const wrongId = mapOwn({ name: { value: "x" }, external_id: "/user" }, { user: { id: 1 } });
  assert.deepEqual(wrongId.kind === "refused" && wrongId.field, "external_id");
  const wrong = mapOwn({ name: { value: "x" }, properties: "/data" }, { data: [1] });
  assert.deepEqual(wrong.kind === "refused" && wrong.field, "properties");
});

Deno.test("a preset's customer is the one its mapping names", () => {
  const rules = { preset: "shopify", mapping: { external_id: "/email" } } as const;
  const received = {
    payload: parseLossless(shopifyOrder),
    headers: { "x-shopify-topic": "orders/create" },
    messageId,
  };
  const mapped = mapItem(rules, received);
  assert.equal(mapped.kind, "drafts");
  const ids = mapped.kind === "drafts" && mapped.drafts.map(({ entry }) => entry.external_id);
  assert.deepEqual(ids, ["jon@example.com", "jon@example.com"]);
});

Deno.test("mappingSchema refuses invalid JSON Pointers and headers that are not stored", () => {
  const bad = [
    { name: "type" },
    { name: "/a~2b" },
    { name: { header: "authorization" } },
    { name: [] },
    { name: "/a", typo: "/b" },
    { name: "/a", names: { a: "customer.created" } },
    { name: "/a", properties: { a: { value: { nested: true } } } },
  ];
  for (const mapping of bad) assert.equal(mappingSchema.safeParse(mapping).success, false);
  const good = { name: "", items: "/a/0/b~1c", properties: "/data", email: [{ value: "a@b.c" }] };
  assert.equal(mappingSchema.safeParse(good).success, true);
});

Deno.test("readItems() splits the array a mapping points to, or finds none", () => {
  const rules = { preset: null, mapping: { items: "/events" } };
  assert.deepEqual(readItems(rules, { events: [1, 2] }), [1, 2]);
  assert.equal(readItems(rules, { events: {} }), undefined);
  assert.equal(readItems(rules, {}), undefined);
});

Deno.test("parsePayload() keeps values that JSON and Postgres would lose", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const text = String
    .raw`{"id":820982911946154508,"big":1e400,"a\u0000b":"x\u0000\ud800y","f":1.50}`;
  assert.deepEqual(parsePayload(bytes(text), "application/json; charset=utf-8"), {
    id: "820982911946154508",
    big: "1e400",
    "a\ufffdb": "x\ufffd\ufffdy",
    f: 1.5,
  });
  assert.deepEqual(parsePayload(bytes("[1]"), "application/cloudevents+json"), [1]);
  assert.deepEqual(parsePayload(bytes("a=1&b=%C3%A9"), "application/x-www-form-urlencoded"), {
    a: "1",
    b: "é",
  });
  const form = new URLSearchParams({ payload: '{"zen":1}' }).toString();
  assert.deepEqual(parsePayload(bytes(form), "application/x-www-form-urlencoded"), { zen: 1 });
  assert.throws(() => parsePayload(bytes("{"), "application/json"), { code: "invalid_json" });
  assert.throws(() => parsePayload(Uint8Array.of(0x22, 0xff, 0x22), undefined), {
    code: "invalid_json",
  });
  for (const charset of ["iso-8859-1", '"UTF-16"']) {
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      assert.throws(() => parsePayload(bytes("{}"), `${type}; Charset=${charset}`), {
        code: "unsupported_media_type",
      });
    }
  }
  assert.deepEqual(parsePayload(bytes("{}"), 'application/json; charset="UTF-8"'), {});
  assert.throws(() => parsePayload(bytes("<a/>"), "text/xml"), { code: "unsupported_media_type" });
});

Deno.test("mappingSchema refuses the key __proto__, which would be dropped silently", () => {
  for (const field of ["properties", "names"]) {
    const mapping = JSON.parse(`{"name":"/a","${field}":{"a":"/b","__proto__":"/c"}}`);
    const { error } = mappingSchema.safeParse(mapping);
    assert.deepEqual(error?.issues.map(({ path }) => path), [[field]]);
    assert.match(error?.issues[0]?.message ?? "", /"__proto__"/);
  }
});
