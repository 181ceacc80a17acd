import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { checkPages, markup } from "../../testing/browser/check_pages.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { fillPages } from "../../testing/browser/pages/fill_pages.ts";
import { listMailPages, publicPages } from "../../testing/browser/pages/public_pages.ts";
import { listWorkspacePages } from "../../testing/browser/pages/workspace_pages.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { watchPage } from "../../testing/browser/watch_page.ts";

const firstLoadLimit = 200_000;
const phone = { width: 360, height: 740 };

Deno.test("what surrounds the pages is small, safe, reachable and readable", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillPages({ info: world.info, text: markup });

  await t.step("the first load is under 200 kB", () => checkFirstLoad(world));
  await t.step(
    "the page is served with a strict policy and no inline script",
    () => checkPolicy(world),
  );
  await t.step("a picture without a text is a finding", async () => {
    const page = await world.openPage();
    await page.setContent('<html lang="en"><title>Test</title><main><img src="data:,"></main>');
    const [finding = ""] = await findProblems(page);
    assert.match(finding, /^image-alt\n {4}<img src="data:,">/);
    await page.context().close();
  });
  const page = await world.openPage({ hasTouch: true });
  const watched = await watchPage(page, world.info.base_url);
  await checkPages(t, page, publicPages);
  const workspace = await signIn(page, world.info.user);
  await checkPages(t, page, listWorkspacePages(workspace));
  await t.step("the theme follows the menu, and no request leaves", async () => {
    await page.goto(workspace);
    await switchTheme(page);
    assert.deepEqual(watched, []);
  });
  await t.step("a phone opens other pages from the menu", () => checkMenu(page, workspace));
  await checkPages(t, await world.openPage(), listMailPages(data));
});

/** Adds up what was requested before the sign-in page showed, as it was sent. */
async function checkFirstLoad(world: DashboardWorld): Promise<void> {
  const page = await world.openPage();
  await page.addInitScript({
    content: `new MutationObserver((_, observer) => {
      if (!document.body?.innerText.includes("Welcome back.")) return;
      performance.mark("shown");
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });`,
  });
  await page.goto("/sign-in");
  await page.getByText("Welcome back.").waitFor();
  await page.waitForLoadState("networkidle");
  const total = await page.evaluate(() => {
    const shownAt = performance.getEntriesByName("shown")[0]!.startTime;
    const entries = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ] as PerformanceResourceTiming[];
    return entries.filter(({ startTime }) => startTime <= shownAt)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
  assert.ok(total > 50_000 && total < firstLoadLimit, `${total} bytes`);
  await page.context().close();
}

async function checkPolicy({ info }: DashboardWorld): Promise<void> {
  const response = await fetch(info.base_url);
  const policy = response.headers.get("content-security-policy") ?? "";
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
  ];
  for (const rule of rules) assert.ok(policy.split("; ").includes(rule), rule);
  assert.doesNotMatch(policy, /unsafe/);
  assert.ok(policy.includes("frame-ancestors 'none'"));
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  // A block of JSON is data: no browser runs it.
  const inline = /<script(?! type="application\/json")(?![^>]*\ssrc=)|\son\w+=|javascript:/;
  assert.doesNotMatch(await response.text(), inline);
}

/** Switches the theme from the menu, whose styles the policy might refuse. */
async function switchTheme(page: Page): Promise<void> {
  for (const scheme of ["Dark", "Light"]) {
    await page.getByRole("button", { name: /sign out/ }).click();
    await page.getByRole("menuitemradio", { name: scheme }).click();
    await page.locator(`html[data-mantine-color-scheme="${scheme.toLowerCase()}"]`).waitFor();
  }
}

async function checkMenu(page: Page, workspace: string): Promise<void> {
  await resizeWindow(page, phone);
  await page.goto(workspace);
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("link", { name: "Destinations", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Destinations" }).waitFor();
}
