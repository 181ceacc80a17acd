import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

/** Files that load after the first content, of which the old version's are gone. */
const gone = /\/assets\/(topic_modal|topics_page)-[^/]*\.js$/;
const main = /\/assets\/index-/g;

/** Makes the server that of a newer version, for as long as the tab has the old one. */
async function update(page: Page): Promise<void> {
  let isOld = true;
  await page.route(gone, async (route) => {
    await (isOld ? route.fulfill({ status: 404, body: "Not found" }) : route.continue());
  });
  await page.route((url) => url.pathname === "/", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(main, "/assets/index-newer");
    await route.fulfill({ response, body });
  });
  page.on("request", (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
}

Deno.test("a tab from before an update reloads when nothing was typed", async (t) => {
  await using world = await openDashboardWorld();
  const first = await world.openPage();
  const workspace = await signIn(first, world.info.user);
  const storageState = await first.context().storageState();

  await t.step("a dashboard that cannot start says so", async () => {
    const page = await world.openPage({ storageState });
    await page.route("**/config.json", (route) => route.abort());
    await page.goto(workspace);
    await page.getByText("Couldn’t load the dashboard. Reload the page to try again.").waitFor();
    await page.unroute("**/config.json");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  await t.step("a dialog opens after the reload", async () => {
    const page = await world.openPage({ storageState });
    await page.goto(`${workspace}/topics`);
    const create = page.getByRole("button", { name: "New topic" }).first();
    await create.waitFor();
    await update(page);
    const reloaded = page.waitForEvent("load");
    await create.click();
    await reloaded;
    await create.click();
    await page.getByRole("dialog", { name: "New topic" }).waitFor();
  });

  await t.step("a page whose files are gone is shown after the reload", async () => {
    const page = await world.openPage({ storageState });
    await page.goto(`${workspace}/senders`);
    await page.getByRole("heading", { level: 1, name: "Senders" }).waitFor();
    await update(page);
    const reloaded = page.waitForEvent("load");
    await page.getByRole("link", { name: "Topics" }).first().click();
    await reloaded;
    await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
  });

  await t.step("with something typed, it offers the reload and keeps what was typed", async () => {
    const page = await world.openPage({ storageState });
    await page.goto(`${workspace}/topics`);
    const create = page.getByRole("button", { name: "New topic" }).first();
    await create.waitFor();
    await page.evaluate(
      'document.body.append(Object.assign(document.createElement("input"), { id: "typed" }))',
    );
    await page.locator("#typed").fill("half a sentence");
    await update(page);
    await create.click();
    const offer = page.getByRole("alert").filter({ hasText: "The dashboard was updated" });
    await offer.waitFor();
    assert.equal(await page.locator("#typed").inputValue(), "half a sentence");
    await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
    await page.evaluate('document.querySelector("#typed").remove()');
    assert.deepEqual(await findProblems(page), []);
    const reloaded = page.waitForEvent("load");
    await offer.getByRole("button", { name: "Reload" }).click();
    await reloaded;
    await create.click();
    await page.getByRole("dialog", { name: "New topic" }).waitFor();
  });
});
