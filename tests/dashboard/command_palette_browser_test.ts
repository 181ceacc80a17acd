import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";

/** Texts to type, the action that each finds, and the page or the dialog that opens. */
const actions = [
  { typed: "new camp", title: "New campaign", path: "/campaigns/new" },
  { typed: "new seg", title: "New segment", path: "/segments/new" },
  { typed: "create dest", title: "New destination", path: "/destinations/new" },
  { typed: "new source", title: "New source", path: "/sources/new" },
  { typed: "journey new", title: "New journey", path: "/journeys", dialog: "New journey" },
  { typed: "new templ", title: "New template", path: "/templates", dialog: "New template" },
  { typed: "new topic", title: "New topic", path: "/topics", dialog: "New topic" },
  { typed: "new sender", title: "New sender", path: "/senders", dialog: "New sender" },
  { typed: "new api", title: "New API key", path: "/settings/api-keys", dialog: "New API key" },
  { typed: "new alert", title: "New alert rule", path: "/alerts", dialog: "New alert rule" },
  {
    typed: "invite",
    title: "Invite a person",
    path: "/settings/team",
    dialog: "Invite to the team",
  },
];

Deno.test("Ctrl K begins something by keyboard, for those who may", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, world.info.user);

  for (const { typed, title, path, dialog } of actions) {
    await t.step(`"${typed}" opens ${dialog ?? path}`, async () => {
      await search(page, typed);
      await page.getByRole("option", { name: title, exact: false, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${workspace}${path}`);
      if (dialog === undefined) {
        await page.getByRole("heading", { level: 1, name: title }).waitFor();
        return;
      }
      const opened = page.getByRole("dialog", { name: dialog });
      await opened.locator(":focus").waitFor();
      assert.deepEqual(await findProblems(page), []);
      await page.keyboard.press("Escape");
      await opened.waitFor({ state: "detached" });
    });
  }

  await t.step("a dialog opens again from its own page, and not after a reload", async () => {
    await page.goto(`${workspace}/templates`);
    const dialog = page.getByRole("dialog", { name: "New template" });
    for (let time = 0; time < 2; time++) {
      await search(page, "new templ");
      await page.getByRole("option", { name: /New template/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    await search(page, "new templ");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.reload();
    await page.getByRole("button", { name: "New template" }).first().waitFor();
    assert.equal(await dialog.count(), 0);
  });

  await t.step("a viewer is offered nothing to begin", async () => {
    await makeViewer(world.info);
    await page.goto(`${workspace}/events`);
    await search(page, "new");
    await page.getByText("Nothing found.").waitFor();
    assert.equal(await page.getByRole("option").count(), 0);
  });
});

/** Opens the search and types. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type(text);
}
