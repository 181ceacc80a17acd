import assert from "node:assert/strict";
import { Analytics } from "@segment/analytics-node";
import { type ServedTrack, serveTrack } from "../../testing/service/served_track.ts";

/** Segment's own library with nothing but its host and path changed. */
function createAnalytics(served: ServedTrack, settings: { flushAt?: number } = {}): Analytics {
  return new Analytics({
    writeKey: served.key,
    host: served.baseUrl,
    path: "/functions/v1/track/v1/batch",
    flushInterval: 50,
    ...settings,
  });
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(names, (name) => name);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.length]));
}

function trackMany(analytics: Analytics, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    analytics.track({ userId: `u${i % 5}`, event: `Event ${i}` });
    return `Event ${i}`;
  });
}

Deno.test("@segment/analytics-node delivers every kind of call", async () => {
  await using served = await serveTrack();
  const analytics = createAnalytics(served);
  analytics.track({ anonymousId: "a1", event: "Signed Up", properties: { plan: "Pro" } });
  analytics.identify({ userId: "u1", anonymousId: "a1", traits: { email: "a@b.co", age: 30 } });
  analytics.page({ userId: "u1", name: "Home", properties: { url: "https://example.com" } });
  analytics.screen({ userId: "u1", name: "Main" });
  analytics.group({ userId: "u1", groupId: "g1", traits: { name: "Initech" } });
  analytics.identify({ userId: "u0", traits: { email: "old@b.co", phone: "+14155550123" } });
  analytics.alias({ userId: "u1", previousId: "u0" });
  await analytics.closeAndFlush();
  assert.deepEqual(await served.readNames(), [
    "Signed Up",
    "identify",
    "page_viewed",
    "screen_viewed",
    "group_identified",
    "identify",
    "alias",
  ]);
  const customers = await served.db.sql`select email, phone, attributes from public.customers`;
  assert.deepEqual([...customers], [{
    email: "a@b.co",
    phone: "+14155550123",
    attributes: { age: 30 },
  }]);
  assert.deepEqual(served.requests.map(({ status }) => status), [200]);
});

Deno.test("@segment/analytics-node loses and doubles nothing through an outage", async () => {
  await using served = await serveTrack();
  const analytics = createAnalytics(served, { flushAt: 4 });
  const failures: unknown[] = [];
  analytics.on("error", (error) => failures.push(error));
  await served.stop();
  const expected = trackMany(analytics, 12);
  const refused = new Promise<void>((resolve) => {
    analytics.on("http_request", ({ headers }) => {
      if (headers?.["X-Retry-Count"] === "1") resolve();
    });
  });
  await refused;
  // The service is back, and at first its responses are lost on the way, after all was stored.
  let lost = 3;
  served.weather = async (_request, respond) => {
    const response = await respond();
    return lost-- > 0 ? new Response("lost", { status: 504 }) : response;
  };
  served.start();
  await analytics.closeAndFlush();
  const names = await served.readNames();
  assert.deepEqual(countBy(names), countBy(expected));
  assert.deepEqual(failures, []);
  assert.ok(served.requests.filter(({ status }) => status === 504).length === 3);
});

Deno.test("@segment/analytics-node waits as Retry-After says, and loses nothing to 429s", async () => {
  await using served = await serveTrack({ plan: { ingestPerSecond: 10, ingestBurst: 5 } });
  const analytics = createAnalytics(served, { flushAt: 5 });
  const expected = trackMany(analytics, 20);
  await analytics.closeAndFlush();
  const names = await served.readNames();
  assert.deepEqual(countBy(names), countBy(expected));
  const statuses = served.requests.map(({ status }) => status);
  assert.ok(statuses.includes(429), `Nothing was over the quota: ${statuses}`);
});

Deno.test("@segment/analytics-node keeps a batch's valid calls next to an invalid one", async () => {
  await using served = await serveTrack();
  const analytics = createAnalytics(served);
  analytics.track({ userId: "u1", event: "Good" });
  analytics.track({ userId: "null", event: "Bad" });
  analytics.track({ userId: "u1", event: "Good" });
  await analytics.closeAndFlush();
  assert.deepEqual(await served.readNames(), ["Good", "Good"]);
  const rejected = await served.db.sql`select entry, error from public.rejected_entries`;
  assert.equal(JSON.parse(rejected[0]?.entry).event, "Bad");
  assert.match(rejected[0]?.error, /placeholder/);
});
