import assert from "node:assert/strict";
import type { Request } from "playwright-core";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";

const customers = "**/functions/v1/api/customers?*";
/** Parts that a list can do without. */
const late = /\.woff2$|\/(fonts|notices|filter_form|read_condition|schemas)-/;
/** Bytes of scripts and styles until a list shows its rows. */
const mostBytes = 300 * 1024;

Deno.test("a list gets its rows before fonts, notices and the rules of filters", async () => {
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

function isCode(request: Request): boolean {
  return ["script", "stylesheet"].includes(request.resourceType());
}

async function readSize(request: Request): Promise<number> {
  await (await request.response())?.finished();
  const { responseHeadersSize, responseBodySize } = await request.sizes();
  return responseHeadersSize + responseBodySize;
}
