import assert from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import type { StackInfo } from "../../local/stack.ts";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { findMixedText } from "../../testing/browser/find_mixed_text.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { goToSpec } from "../../testing/browser/pages/page_spec.ts";

const people = 400;
/** Pixels that the first two pages of a list do not fill. */
const tallScreen = 8_000;
/** Delays what runs "at once" past the answer of the server, as a busy machine does. */
const delayTimers = `
  const set = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...more) => set(run, ms ? ms : 300, ...more);
`;
const arabicName = "مرحبا بالعالم";
const pagesWithNames = [
  "",
  "/events",
  "/catalogue",
  "/customers?q=rtl@example.com",
  "/segments",
  "/templates",
  "/topics",
  "/destinations",
  "/messages",
  "/deliveries",
  "/alerts",
  "/settings/audit-log",
];
/** The usual row of a table of customers has about 17 nodes. */
const mostRows = 200;
/** One after the other until the page to sign in is usable: the document, then its scripts. */
const roundTrips = 2;
/** Bytes that a network of 50 KB/s carries in 6 s when each round trip takes 400 ms. */
const mostBytes = (6 - roundTrips * 0.4) * 50 * 1024;

Deno.test("the dashboard works far away, for long lists, other scripts and other zones", async (t) => {
  await using world = await openDashboardWorld();
  await addPeople(world);
  const page = await world.openPage({ timezoneId: "Asia/Kolkata" });
  const workspace = await signIn(page, world.info.user);

  await t.step("a long table keeps few rows on the page, and its columns stay", async () => {
    await page.goto(`${workspace}/customers`);
    const table = page.getByRole("table", { name: "Customers" });
    await table.getByRole("row").nth(1).waitFor();
    await readOn(page, people);
    const rows = await page.locator("tr.list-row").count();
    assert.ok(rows < mostRows, `${rows} of ${people} rows`);
    assert.equal(await table.getAttribute("aria-rowcount"), `${people + 1}`);
    const last = page.locator(`tr[aria-rowindex="${people + 1}"]`);
    await last.waitFor();
    const widths = await readWidths(page);
    await page.evaluate("scrollTo(0, 0)");
    await page.locator('tr[aria-rowindex="2"]').waitFor();
    await last.waitFor({ state: "detached" });
    assert.deepEqual(await readWidths(page), widths);
    assert.deepEqual(await findProblems(page), []);
  });

  await t.step("a row that has the focus stays, however far the page is scrolled", async () => {
    const box = page.getByRole("checkbox", { name: /^Select/ }).nth(3);
    await box.focus();
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await page.locator(`tr[aria-rowindex="${people + 1}"]`).waitFor();
    assert.equal(await page.evaluate("document.activeElement.type"), "checkbox");
  });

  await t.step("a list reads on when an answer comes before its loading is shown", async () => {
    const tall = await world.openPage({
      storageState: await page.context().storageState(),
      viewport: { width: 1280, height: tallScreen },
    });
    await tall.addInitScript(delayTimers);
    await tall.goto(`${workspace}/customers`);
    const status = tall.getByRole("status").filter({ hasText: /rows/ });
    await status.filter({ hasNotText: /^(25|50) rows/ }).waitFor();
    await tall.close();
  });

  await t.step("right-to-left names leave the text around them in order", async () => {
    const mixed: string[] = [];
    await page.goto(workspace);
    for (const path of pagesWithNames) {
      await goToSpec(page, { name: path, path: `${workspace}${path}`, shows: arabicName });
      for (const text of await findMixedText(page)) mixed.push(`${path || "/"}: ${text}`);
    }
    assert.deepEqual(mixed, []);
  });

  await t.step("times are in the zone of the browser, and follow the menu", async () => {
    await page.goto(`${workspace}/customers`);
    const time = page.locator("tr.list-row time").first();
    const at = await time.getAttribute("datetime");
    // Some browsers report the older name of this zone, "Asia/Calcutta".
    const own = await page.evaluate<string>("Intl.DateTimeFormat().resolvedOptions().timeZone");
    assert.match(own, /^Asia\//);
    await time.hover();
    const tooltip = page.getByRole("tooltip");
    await tooltip.getByText(` ${own} (`).waitFor();
    await page.mouse.move(0, 0);
    await page.getByRole("button", { name: /time zone/ }).click();
    await page.getByRole("menuitemradio", { name: `${own} This browser`, checked: true }).waitFor();
    await page.getByRole("menuitemradio", { name: "UTC" }).click();
    await time.hover();
    await tooltip.getByText(`${at!.slice(11, 23)} UTC`).waitFor();
    await page.goto(workspace);
    await page.getByText("UTC", { exact: true }).first().waitFor();
  });

  await t.step("a time is entered in the chosen zone", async () => {
    const range = "since=2026-01-01T10:00:00.000Z&until=2026-01-02T10:00:00.000Z";
    await page.goto(`${workspace}/messages?${range}`);
    await page.getByRole("combobox", { name: "Time range" }).click();
    await page.getByRole("option", { name: /1 Jan 2026, 10:00/ }).click();
    const dialog = page.getByRole("dialog", { name: "Custom time range" });
    await dialog.getByText("Time zone: UTC").first().waitFor();
    await dialog.getByRole("button", { name: "From" }).getByText("1 Jan 2026, 10:00").waitFor();
  });

  const session = await page.context().storageState();
  await t.step(
    "over a slow network, a workspace says something before its script is there",
    async () => {
      const far = await world.openPage({ storageState: session });
      const parts = await holdParts(far);
      await openFar(far, workspace);
      parts.release(() => true);
      await far.getByRole("link", { name: "Customers", exact: true }).waitFor();
      await far.context().close();
    },
  );

  await t.step("over 50 KB/s, the sign-in page is usable in 6 s by its bytes", async () => {
    const far = await world.openPage();
    const parts = await holdParts(far);
    const document = await openFar(far, "/sign-in");
    const own = listPageFiles(document, "/sign-in");
    parts.release((file) => document.includes(file) || own.includes(file));
    await far.getByLabel("Email").fill("ada@example.com");
    const sizes = await Promise.all(parts.listReleased().map(readSize));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 0 && bytes < mostBytes, `${bytes} of ${mostBytes} bytes`);
    await far.context().close();
  });
});

interface HeldParts {
  /** Lets through the parts of some addresses, now and later. The others stay held. */
  release(isNeeded: (file: string) => boolean): void;
  /** The requests that were let through, those for other things than parts included. */
  listReleased(): Request[];
}

/** Holds the answers for scripts, styles and fonts of the dashboard. */
async function holdParts(page: Page): Promise<HeldParts> {
  const released = Promise.withResolvers<(file: string) => boolean>();
  const requests: Request[] = [];
  await page.route("**/*", async (route) => {
    const file = new URL(route.request().url()).pathname;
    if (file.startsWith("/assets/") && !(await released.promise)(file)) return;
    requests.push(route.request());
    await route.continue();
  });
  return { release: released.resolve, listReleased: () => [...requests] };
}

/** Opens a page whose parts are held, checks that it shows text, and returns its document. */
async function openFar(page: Page, path: string): Promise<string> {
  const response = await page.goto(path, { waitUntil: "commit" });
  await page.getByRole("status").getByText("Loading the dashboard").waitFor();
  assert.ok(await page.evaluate<boolean>(waitForPaint), "nothing was painted");
  return await response!.text();
}

/** Reads from a document which files the page at a path needs. */
function listPageFiles(document: string, path: string): string[] {
  const [, list = ""] = /id="page-files">([^<]*)</.exec(document) ?? [];
  const { files, pages } = JSON.parse(list);
  const [, places] = pages.find(([pattern]: [string]) => pattern === path);
  return places.map((place: number) => `/assets/${files[place]}`);
}

async function readSize(request: Request): Promise<number> {
  await (await request.response())?.finished();
  const { responseHeadersSize, responseBodySize } = await request.sizes();
  return responseHeadersSize + responseBodySize;
}

/** Says whether anything was painted. Text, because it runs on the page. */
const waitForPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length > 0) resolve(true);
  }).observe({ type: "paint", buffered: true });
  setTimeout(() => resolve(false), 45_000);
})`;

/** Customers, and something of each kind with a name in Arabic. */
async function addPeople({ info }: DashboardWorld): Promise<void> {
  const identifies = Array.from({ length: people }, (_, n) => ({
    type: "identify",
    external_id: `user-${n}`,
    email: n === 0 ? "rtl@example.com" : `person${n}@example.com`,
    first_name: n === 0 ? arabicName : `Ada ${n}`,
  }));
  const api = createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
  const name = arabicName;
  const { id } = await api.call("POST /destinations", {
    body: { name, url: "http://127.0.0.1:40999/hooks", event_types: ["*"] },
  });
  await send(info, [...identifies, { external_id: "user-0", name }]);
  await api.call("POST /segments", { body: { name, kind: "static" } });
  await api.call("POST /templates", { body: { name, subject: name, text: name } });
  await api.call("POST /topics", { body: { key: "rtl", name, default: "subscribed" } });
  await api.call("POST /alert-rules", { body: { name, kind: "backlog", target_id: id } });
}

async function send({ base_url, api_key }: StackInfo, events: object[]): Promise<void> {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ events }),
  });
  assert.ok(response.ok, await response.text());
}

/** Scrolls until every row has been loaded. */
async function readOn(page: Page, count: number): Promise<void> {
  const status = page.getByRole("status").filter({ hasText: /rows/ });
  for (let loaded = 0; loaded < count;) {
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await status.filter({ hasNotText: new RegExp(`^${loaded} rows`) }).waitFor();
    loaded = parseInt(await status.innerText());
  }
  await status.getByText(`${count} rows`, { exact: true }).waitFor();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
}

async function readWidths(page: Page): Promise<number[]> {
  return await page.evaluate<number[]>(
    `[...document.querySelectorAll("th")].map((cell) => Math.round(cell.offsetWidth))`,
  );
}
