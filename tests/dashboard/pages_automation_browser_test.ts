import assert from "node:assert/strict";
import { checkPages, markup } from "../../testing/browser/check_pages.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { listAutomationPages } from "../../testing/browser/pages/automation_pages.ts";
import { fillPages } from "../../testing/browser/pages/fill_pages.ts";
import { watchPage } from "../../testing/browser/watch_page.ts";

Deno.test("the pages of journeys, campaigns and messages are safe, reachable and readable", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillPages({ info: world.info, text: markup });
  const page = await world.openPage({ hasTouch: true });
  const watched = await watchPage(page, world.info.base_url);
  const workspace = await signIn(page, world.info.user);
  const shown = await checkPages(t, page, listAutomationPages(workspace, data));
  assert.ok(shown >= 20, `${shown} pages show markup`);
  assert.deepEqual(watched, []);
});
