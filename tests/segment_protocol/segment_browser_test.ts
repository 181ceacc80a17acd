import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { type BrowserPage, openBrowser } from "../../testing/browser/browser.ts";
import { type ServedTrack, serveTrack } from "../../testing/service/served_track.ts";

const require = createRequire(import.meta.url);
const umd = join(dirname(require.resolve("@segment/analytics-next/package.json")), "dist/umd");
const scripts = new Map([
  ["/analytics.js", readFileSync(join(umd, "index.js"))],
  ["/standalone.js", readFileSync(join(umd, "standalone.js"))],
]);

interface Shop {
  origin: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The page of a shop on an origin of its own, with Segment's library as it comes from npm. */
function serveShop(html = '<script src="/analytics.js"></script>'): Shop {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const script = scripts.get(new URL(request.url).pathname);
    if (script) return new Response(script, { headers: { "content-type": "text/javascript" } });
    const page = `<!doctype html><title>Shop</title>${html}`;
    return new Response(page, { headers: { "content-type": "text/html" } });
  });
  // Another name than the service's, so that neither host nor port is the same.
  const origin = `http://localhost:${server.addr.port}`;
  return { origin, [Symbol.asyncDispose]: () => server.shutdown() };
}

interface Strategy {
  batching?: boolean;
}

/** Loads the library with nothing but its host and protocol changed. */
async function loadAnalytics(
  page: Page,
  served: ServedTrack,
  { batching = false }: Strategy = {},
): Promise<void> {
  const settings = {
    apiKey: served.key,
    apiHost: `${new URL(served.baseUrl).host}/functions/v1/track/v1`,
    protocol: "http",
    ...batching &&
      { deliveryStrategy: { strategy: "batching", config: { size: 5, timeout: 200 } } },
  };
  // As text: what runs here is the page's, and knows nothing of this module.
  await page.evaluate(`(async () => {
    const { AnalyticsBrowser } = window.AnalyticsNext;
    window.analytics = AnalyticsBrowser.load(
      {
        writeKey: ${JSON.stringify(served.key)},
        cdnSettings: { integrations: { "Segment.io": ${JSON.stringify(settings)} } },
      },
    );
    await window.analytics.ready();
  })()`);
}

/** Tracks without waiting for the delivery; returns the names. */
async function trackMany(page: Page, names: readonly string[]): Promise<void> {
  await page.evaluate(`for (const name of ${JSON.stringify(names)}) window.analytics.track(name)`);
}

function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix} ${i}`);
}

function assertSameOnce(actual: readonly string[], expected: readonly string[]): void {
  assert.deepEqual([...actual].sort(), [...expected].sort());
}

function assertOnlyTo({ requested }: BrowserPage, hosts: readonly string[]): void {
  for (const address of requested) assert.ok(hosts.includes(new URL(address).origin), address);
}

Deno.test("@segment/analytics-next delivers every kind of call from another origin", async () => {
  await using served = await serveTrack();
  await using shop = serveShop();
  await using browser = await openBrowser();
  const { page } = browser;
  await page.goto(shop.origin);
  await loadAnalytics(page, served);
  await page.evaluate(`(async () => {
    const { analytics } = window;
    await analytics.page("Docs", "Home");
    await analytics.track("Signed Up", { plan: "Pro" });
    await analytics.alias("u1");
    await analytics.identify("u1", { email: "a@b.co", firstName: "Ann", plan: "Pro" });
    await analytics.track("Order Completed", { total: 30 });
    await analytics.group("g1", { name: "Initech" });
    await analytics.screen("Main");
    await analytics.identify("null");
  })()`);
  await served.waitForEntries(7);
  const names = await served.readNames();
  assert.deepEqual(names, [
    "page_viewed",
    "Signed Up",
    // The alias of a visitor to the id they have from now on.
    "identify",
    "identify",
    "Order Completed",
    "group_identified",
    "screen_viewed",
  ]);
  const customers = await served.db.sql`
    select email, first_name, attributes from public.customers
  `;
  assert.deepEqual([...customers], [{
    email: "a@b.co",
    first_name: "Ann",
    attributes: { plan: "Pro" },
  }]);
  const refused = await served.db.sql`select entry, error from public.rejected_entries`;
  assert.equal(JSON.parse(refused[0]?.entry).type, "identify");
  assert.match(refused[0]?.error, /"null" is a placeholder/);
  assertOnlyTo(browser, [shop.origin, served.baseUrl]);
  assert.deepEqual(browser.errors, []);
  assert.ok(served.requests.some(({ method }) => method === "OPTIONS"), "no preflight was sent");
});

for (const batching of [false, true]) {
  const mode = batching ? "in batches" : "one by one";

  Deno.test(`@segment/analytics-next loses and doubles nothing through an outage, ${mode}`, async () => {
    await using served = await serveTrack();
    await using shop = serveShop();
    await using browser = await openBrowser();
    const { page } = browser;
    await page.goto(shop.origin);
    await loadAnalytics(page, served, { batching });
    const before = namesOf("before", 3);
    await trackMany(page, before);
    await served.waitForEntries(before.length);
    await served.stop();
    const during = namesOf("during", 6);
    const failed = page.waitForEvent("requestfailed");
    await trackMany(page, during);
    await failed;
    // The service is back, and at first its responses are lost on the way, after all was stored.
    let lost = 2;
    served.weather = async (request, respond) => {
      const response = await respond();
      const isLost = request.method === "POST" && lost-- > 0;
      return isLost ? new Response("lost", { status: 504, headers: response.headers }) : response;
    };
    served.start();
    const after = namesOf("after", 3);
    await trackMany(page, after);
    const expected = [...before, ...during, ...after];
    await served.waitForEntries(expected.length);
    await waitForQuiet(served);
    assertSameOnce(await served.readNames(), expected);
  });

  Deno.test(`@segment/analytics-next loses nothing to 429s, ${mode}`, async () => {
    await using served = await serveTrack({ plan: { ingestPerSecond: 4, ingestBurst: 5 } });
    await using shop = serveShop();
    await using browser = await openBrowser();
    await browser.page.goto(shop.origin);
    await loadAnalytics(browser.page, served, { batching });
    const expected = namesOf("event", 15);
    await trackMany(browser.page, expected);
    await served.waitForEntries(expected.length);
    assertSameOnce(await served.readNames(), expected);
    const statuses = served.requests.map(({ status }) => status);
    assert.ok(statuses.includes(429), `Nothing was over the quota: ${statuses}`);
  });
}

Deno.test("@segment/analytics-next sends messages kept during an outage after a reload", async () => {
  await using served = await serveTrack();
  await using shop = serveShop();
  await using browser = await openBrowser();
  const { page } = browser;
  await page.goto(shop.origin);
  await loadAnalytics(page, served);
  await served.stop();
  const expected = namesOf("kept", 4);
  const failed = page.waitForEvent("requestfailed");
  await trackMany(page, expected);
  await failed;
  await page.reload();
  served.start();
  await loadAnalytics(page, served);
  await served.waitForEntries(expected.length);
  await waitForQuiet(served);
  assertSameOnce(await served.readNames(), expected);
});

/** Until every request that got no response it could use was followed by one that did. */
async function waitForQuiet({ requests }: ServedTrack): Promise<void> {
  const posts = () => requests.filter(({ method }) => method === "POST");
  const deadline = Date.now() + 20_000;
  for (;;) {
    const last = posts().at(-1);
    const lost = posts().filter(({ status }) => status === 504).length;
    const retried = posts().filter(({ retryCount, status }) =>
      retryCount !== null && status === 200
    );
    if (last?.status === 200 && (lost === 0 || retried.length >= 1)) return;
    if (Date.now() > deadline) throw new Error(`Not quiet: ${JSON.stringify(posts().slice(-5))}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

Deno.test("Segment's HTML snippet delivers with its library and settings from other places", async () => {
  await using served = await serveTrack();
  await using shop = serveShop(`
    <script>
      var analytics = window.analytics = [];
      ["track", "identify", "page", "load"].forEach(function (method) {
        analytics[method] = function () {
          analytics.push([method].concat(Array.prototype.slice.call(arguments)));
        };
      });
      analytics._cdn = "${served.baseUrl}/functions/v1/track";
      analytics._writeKey = "${served.key}";
      analytics.page("Home");
      analytics.identify("u1", { email: "a@b.co" });
      analytics.track("Signed Up", { plan: "Pro" });
    </script>
    <script async src="/standalone.js"></script>`);
  await using browser = await openBrowser();
  await browser.page.goto(shop.origin);
  await served.waitForEntries(3);
  assertSameOnce(await served.readNames(), ["page_viewed", "identify", "Signed Up"]);
  const contexts = await served.db.sql`select context from public.events`;
  for (const { context } of contexts) assert.equal(context.library.name, "analytics.js");
  assertOnlyTo(browser, [shop.origin, served.baseUrl]);
  assert.deepEqual(browser.errors, []);
  const settings = served.requests.find(({ path }) => path.endsWith("/settings"));
  assert.equal(settings?.status, 200);
});

Deno.test("the browser library from npm needs only cdnURL", async () => {
  await using served = await serveTrack();
  await using shop = serveShop();
  await using browser = await openBrowser();
  await browser.page.goto(shop.origin);
  const options = { writeKey: served.key, cdnURL: `${served.baseUrl}/functions/v1/track` };
  await browser.page.evaluate(`(async () => {
    const analytics = window.AnalyticsNext.AnalyticsBrowser.load(${JSON.stringify(options)});
    await analytics.track("Signed Up");
  })()`);
  await served.waitForEntries(1);
  assertOnlyTo(browser, [shop.origin, served.baseUrl]);
});
