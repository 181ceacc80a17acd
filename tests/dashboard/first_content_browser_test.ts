import assert from "node:assert/strict";
import type { Page, Request } from "playwright-core";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { fillPages } from "../../testing/browser/pages/fill_pages.ts";
import { createPageMaker, openSpec } from "../../testing/browser/pages/page_spec.ts";

const customers = "**/functions/v1/api/customers?*";
/** Parts that a list can do without. */
const late =
  /\.woff2$|\/(fonts|notices|filter_form|read_condition|schemas|overlays|auth_client|chart_panel)-/;
/** Bytes of scripts and styles until a list shows its rows. */
const mostBytes = 200 * 1024;

Deno.test("a list gets its rows before fonts, menus and the rules of filters", async () => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const far = await world.openPage({ storageState: await page.context().storageState() });
  const requests: Request[] = [];
  far.on("request", (request) => requests.push(request));
  const rows = Promise.withResolvers<void>();
  await far.route(customers, async (route) => {
    await rows.promise;
    await route.continue();
  });
  await far.goto(`${workspace}/customers`);
  await far.getByRole("button", { name: "Filter" }).waitFor();
  const early = [...requests];
  assert.deepEqual(early.map((request) => request.url()).filter((url) => late.test(url)), []);
  const sizes = await Promise.all(early.filter(isCode).map(readSize));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 0 && bytes < mostBytes, `${bytes} of ${mostBytes} bytes`);
  const font = far.waitForRequest(/\.woff2$/);
  rows.resolve();
  await font;
});

interface PageWindow {
  getComputedStyle: (element: unknown) => { paddingLeft: string; fontSize: string };
}

/** Runs on the page. */
function readLook(element: unknown) {
  const { paddingLeft, fontSize } = (globalThis as unknown as PageWindow).getComputedStyle(element);
  return [parseFloat(paddingLeft) >= 5, fontSize];
}

Deno.test("parts whose styles load later look as they should", async () => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  await page.goto(`${workspace}/customers/${data.customerId}`);
  const tab = page.getByRole("tab").first();
  await tab.waitFor();
  await page.getByRole("button", { name: /Switch workspace/ }).click();
  const item = page.getByRole("menuitem").first();
  await item.waitFor();
  // Without their own styles, both are plain buttons: without padding, and in larger letters.
  for (const part of [tab, item]) {
    const found = await part.evaluate(readLook);
    assert.deepEqual(found, [true, "14px"]);
  }
});

Deno.test("a press before menus are loaded opens the menu, and a drag does not", async () => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const storageState = await page.context().storageState();
  const leave = (far: Page) => far.mouse.move(700, 500);
  const release = (far: Page) => far.mouse.up();
  for (
    const { early, opened } of [
      { early: [], opened: 1 },
      { early: [leave], opened: 0 },
      { early: [release, leave], opened: 1 },
    ]
  ) {
    const far = await world.openPage({ storageState });
    const pressed = Promise.withResolvers<void>();
    await far.route(/\/overlays-/, async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await far.goto(workspace);
    const switcher = far.getByRole("button", { name: /Switch workspace/ });
    await switcher.hover();
    await far.mouse.down();
    for (const move of early) await move(far);
    pressed.resolve();
    // The library gives the button an id.
    await far.locator("button[id]", { hasText: "Switch workspace" }).waitFor();
    await far.mouse.up();
    await far.evaluate(nextTask);
    assert.equal(await far.getByRole("menuitem", { name: "New workspace" }).count(), opened);
    await far.context().close();
  }
});

/** Files of a page beside those of the document. */
const mostFiles = 24;

/** Resolves after the page has handled its events. */
const nextTask = `new Promise((resolve) => setTimeout(resolve))`;

Deno.test("every page loads few files, and none of what opens over it", async () => {
  await using world = await openDashboardWorld();
  const html = await (await fetch(world.info.base_url)).text();
  const list = html.match(/id="page-files">([^<]*)</)?.[1] ?? "";
  const { files, pages } = JSON.parse(list) as { files: string[]; pages: [string, number[]][] };
  assert.ok(pages.some(([pattern]) => pattern === "/w/$workspaceId/campaigns"));
  for (const [pattern, places] of pages) {
    const names = places.map((place) => files[place]!);
    assert.ok(names.length <= mostFiles, `${pattern} loads ${names.length} files`);
    assert.deepEqual(names.filter((name) => /^(overlays|code_panel|body_editor)-/.test(name)), []);
  }
});

Deno.test("a page takes what was requested early, and asks for nothing twice", async () => {
  await using world = await openDashboardWorld();
  await using data = await fillPages({ info: world.info, text: "" });
  const page = await world.openPage();
  const makePage = createPageMaker(await signIn(page, world.info.user));
  const filter = encodeURIComponent(JSON.stringify({ field: "created_at", op: "exists" }));
  const storageState = await page.context().storageState();
  const specs = [
    makePage("overview", ["", "Top events"]),
    makePage("customers", ["/customers", "Ada Lovelace"]),
    makePage("filtered", [`/customers?filter=${filter}`, "customers match"]),
    makePage("customer", [`/customers/${data.customerId}`, "Attributes"]),
    makePage("segment", [`/segments/${data.segmentId}`, "Friends"]),
    makePage("campaign", [`/campaigns/${data.draftCampaignId}`, "This campaign will go to"]),
    makePage("messages", ["/messages", "order_created"]),
    makePage("runs", [`/journeys/${data.journeyId}?tab=runs`, "Inside"]),
    makePage("usage", ["/settings/usage", "The busiest"]),
  ];
  for (const spec of specs) {
    const opened = await world.openPage({ storageState });
    const sent = await holdScript(opened);
    await openSpec(opened, spec);
    assert.deepEqual(sent.filter((url, n) => sent.indexOf(url) !== n), [], spec.name);
    await opened.context().close();
  }
});

/** Collects the calls of a page, and holds its first script back until two of them were sent. */
async function holdScript(page: Page): Promise<string[]> {
  const sent: string[] = [];
  const isAsked = Promise.withResolvers<void>();
  page.on("request", (request) => {
    if (!request.url().includes("/functions/v1/api/")) return;
    sent.push(request.url());
    if (sent.length === 2) isAsked.resolve();
  });
  await page.route(/\/first-[^/]*\.js$/, async (route) => {
    await isAsked.promise;
    await route.continue();
  });
  return sent;
}

function isCode(request: Request): boolean {
  return ["script", "stylesheet"].includes(request.resourceType());
}

async function readSize(request: Request): Promise<number> {
  await (await request.response())?.finished();
  const { responseHeadersSize, responseBodySize } = await request.sizes();
  return responseHeadersSize + responseBodySize;
}
