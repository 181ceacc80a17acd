import assert from "node:assert/strict";
import { translateSegment } from "../../supabase/functions/_shared/segment/translate.ts";

function translate(message: unknown, offsetMs = 0) {
  const translated = translateSegment(message, offsetMs);
  return translated.ok ? translated.entry : translated.details;
}

Deno.test("translateSegment() converts a track to an event, and drops fields without meaning", () => {
  const message = {
    type: "track",
    event: "Order Completed",
    userId: "u1",
    anonymousId: "a1",
    properties: { total: 30 },
    context: { ip: "192.0.2.1", userAgent: "Mozilla/5.0", library: { name: "analytics.js" } },
    messageId: "ajs-next-1",
    timestamp: "2026-11-01T11:59:58.000Z",
    integrations: { All: true },
    _metadata: { bundled: [] },
    writeKey: "pk_x",
  };
  assert.deepEqual(translate(message), {
    name: "Order Completed",
    properties: { total: 30 },
    external_id: "u1",
    anon_id: "a1",
    occurred_at: "2026-11-01T11:59:58.000Z",
    context: {
      ip: "192.0.2.1",
      userAgent: "Mozilla/5.0",
      library: { name: "analytics.js" },
      ua: "Mozilla/5.0",
    },
    idempotency_key: "ajs-next-1",
  });
});

Deno.test("translateSegment() reads a null, missing or numeric id as the libraries mean it", () => {
  const ids = (userId: unknown, anonymousId: unknown) => {
    return translate({ type: "track", event: "E", userId, anonymousId });
  };
  assert.deepEqual(ids(null, "a1"), { name: "E", anon_id: "a1" });
  assert.deepEqual(ids("", "a1"), { name: "E", anon_id: "a1" });
  assert.deepEqual(ids(42, undefined), { name: "E", external_id: "42" });
});

Deno.test("translateSegment() treats null as omitted, like other receivers of the format", () => {
  const blank = { properties: null, context: null, messageId: null, timestamp: null };
  assert.deepEqual(translate({ type: "track", event: "E", userId: "u1", ...blank }), {
    name: "E",
    external_id: "u1",
  });
});

Deno.test("translateSegment() reads profile fields from traits and keeps the rest", () => {
  const traits = {
    email: "peter@example.com",
    phone: "+1 (415) 555-0123",
    firstName: "Peter",
    lastName: null,
    plan: "premium",
    logins: 5,
    old: null,
    address: { city: "Berlin", country: "DE" },
  };
  assert.deepEqual(translate({ type: "identify", userId: "u1", traits }), {
    type: "identify",
    external_id: "u1",
    email: "peter@example.com",
    phone: "+1 (415) 555-0123",
    first_name: "Peter",
    last_name: null,
    country: "DE",
    attributes: { plan: "premium", logins: 5, old: null, address: traits.address },
  });
});

Deno.test("translateSegment() keeps a trait that is an invalid profile field as an attribute", () => {
  const traits = { phone: "555-1234", email: "n/a", country: "Germany", firstName: "" };
  assert.deepEqual(translate({ type: "identify", userId: "u1", traits }), {
    type: "identify",
    external_id: "u1",
    attributes: traits,
  });
});

Deno.test("translateSegment() converts views, groups and aliases", () => {
  const page = { type: "page", anonymousId: "a1", name: "Home", category: "Docs" };
  assert.deepEqual(translate({ ...page, properties: { url: "/" } }), {
    name: "page_viewed",
    properties: { name: "Home", category: "Docs", url: "/" },
    anon_id: "a1",
  });
  assert.deepEqual(translate({ type: "screen", userId: "u1", name: "Main" }), {
    name: "screen_viewed",
    properties: { name: "Main" },
    external_id: "u1",
  });
  const group = { type: "group", userId: "u1", groupId: "g1", traits: { name: "Initech" } };
  assert.deepEqual(translate(group), {
    name: "group_identified",
    properties: { group_id: "g1", traits: { name: "Initech" } },
    external_id: "u1",
  });
  assert.deepEqual(translate({ type: "alias", userId: "u2", previousId: "u1" }), {
    type: "alias",
    external_id: "u2",
    previous_id: "u1",
  });
  const visitor = { type: "alias", userId: "u2", previousId: "a1", anonymousId: "a1" };
  assert.deepEqual(translate(visitor), { type: "identify", external_id: "u2", anon_id: "a1" });
});

Deno.test("translateSegment() corrects a time by the error of the sender's clock", () => {
  const message = { type: "track", event: "E", userId: "u1", timestamp: "2026-11-01T11:00:00Z" };
  const at = (offsetMs: number) => translate(message, offsetMs) as Record<string, unknown>;
  assert.equal(at(0).occurred_at, "2026-11-01T11:00:00Z");
  assert.equal(at(61_000).occurred_at, "2026-11-01T11:01:01.000Z");
  assert.equal(at(-3_600_000).occurred_at, "2026-11-01T10:00:00.000Z");
  assert.deepEqual(translate({ ...message, timestamp: undefined }, 61_000), {
    name: "E",
    external_id: "u1",
  });
});

Deno.test("translateSegment() reads an identify's traits that are only in its context", () => {
  const context = { traits: { email: "a@b.co", plan: "pro" } };
  assert.deepEqual(translate({ type: "identify", userId: "u1", context }), {
    type: "identify",
    external_id: "u1",
    email: "a@b.co",
    attributes: { plan: "pro" },
    context,
  });
  const both = { type: "identify", userId: "u1", context, traits: { plan: "free" } };
  assert.deepEqual(translate(both), {
    type: "identify",
    external_id: "u1",
    attributes: { plan: "free" },
    context,
  });
});

Deno.test("translateSegment() keeps a time that a correction would move out of range", () => {
  for (const timestamp of ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"]) {
    const message = { type: "track", event: "E", userId: "u1", timestamp };
    for (const offsetMs of [-3_600_000, 3_600_000]) {
      const { occurred_at } = translate(message, offsetMs) as Record<string, unknown>;
      assert.match(String(occurred_at), /^[+-]27/);
    }
  }
});

Deno.test("translateSegment() treats a null ip, ua or userAgent as omitted", () => {
  const contextOf = (context: unknown) => {
    const entry = translate({ type: "track", event: "E", userId: "u1", context });
    return (entry as Record<string, unknown>).context;
  };
  const blank = { ip: null, ua: null, userAgent: null };
  assert.deepEqual(contextOf({ ...blank, locale: null }), { locale: null });
  assert.deepEqual(contextOf({ ...blank, userAgent: "Mozilla/5.0" }), {
    userAgent: "Mozilla/5.0",
    ua: "Mozilla/5.0",
  });
  assert.deepEqual(contextOf({ ip: 7 }), { ip: 7 });
});

Deno.test("translateSegment() keeps a context's traits that are not an object in the context", () => {
  for (const traits of ["x", 7, [], true, null]) {
    assert.deepEqual(translate({ type: "identify", userId: "u1", context: { traits } }), {
      type: "identify",
      external_id: "u1",
      context: { traits },
    });
  }
});

Deno.test("translateSegment() rejects values that are not messages", () => {
  for (const message of [null, 1, "x", []]) {
    assert.deepEqual(translate(message), [{ field: "", message: "must be a JSON object" }]);
  }
  assert.deepEqual(translate({ type: "import", userId: "u1" }), [{
    field: "type",
    message: 'must be one of "track", "identify", "alias", "page", "screen", "group"',
  }]);
});
