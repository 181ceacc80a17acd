import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { listPages, openSpec, publicPages } from "../../testing/browser/dashboard_pages.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";

const markup = `<img src=x onerror="window.isBroken=1">`;
const firstLoadLimit = 300_000;
const phone = { width: 360, height: 740 };

Deno.test("every page of the dashboard is safe, reachable and readable", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: markup });

  await t.step("the first load is under 300 kB gzipped", () => checkFirstLoad(world));
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
  const watched = await watch(page, world);
  for (const spec of publicPages) {
    await t.step(`${spec.name} is readable in light and dark`, async () => {
      await openSpec(page, spec);
      await checkAccessibility(page);
    });
  }
  const workspace = await signIn(page, world.info.user);
  let shown = 0;
  for (const spec of listPages(workspace, data)) {
    await t.step(`${spec.name} is readable, fits a phone, and shows markup as text`, async () => {
      await openSpec(page, spec);
      if (await page.getByText(markup).count() > 0) shown += 1;
      assert.equal(await isBroken(page), false, "markup ran");
      await checkAccessibility(page);
      await checkPhone(page);
    });
  }
  await t.step("markup is shown as text in many places, and no request leaves", async () => {
    await page.goto(workspace);
    await switchTheme(page);
    assert.deepEqual(watched, []);
    // Events, an event, customers and one, destinations and one, a delivery, sources and one, …
    assert.ok(shown >= 12, `${shown} pages show it`);
  });
  await t.step("a phone opens other pages from the menu", () => checkMenu(page, workspace));
});

/** Adds up the documents, scripts and styles loaded until the sign-in page shows. */
async function checkFirstLoad(world: DashboardWorld): Promise<void> {
  const page = await world.openPage();
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    const isCode = /document|script|stylesheet/.test(response.request().resourceType());
    if (isCode) sizes.push(response.text().then(gzippedSize));
  });
  await page.goto("/sign-in");
  await page.getByText("Welcome back.").waitFor();
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assert.ok(total < firstLoadLimit, `${total} bytes`);
  await page.context().close();
}

async function gzippedSize(text: string): Promise<number> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
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
  assert.doesNotMatch(await response.text(), /<script(?![^>]*\ssrc=)|\son\w+=|javascript:/);
}

/** Fails on serious findings of axe in light, and on colour contrast in dark. */
async function checkAccessibility(page: Page): Promise<void> {
  const problems = await findProblems(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  // Only colours differ.
  problems.push(...await findProblems(page, { runOnly: ["color-contrast"] }));
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(problems.join("\n"), "");
}

/** Collects requests to other origins, tokens in addresses and policy violations. */
async function watch(page: Page, world: DashboardWorld): Promise<string[]> {
  const problems: string[] = [];
  const own = new URL(world.info.base_url).origin;
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== own) problems.push(`left for ${url.origin}`);
    if (/eyJ|refresh_token|access_token=|pk_[0-9A-Za-z]{38}/.test(url.href)) {
      problems.push(`a token in ${url.pathname}`);
    }
  });
  await page.exposeFunction("reportViolation", (text: string) => problems.push(text));
  await page.addInitScript(reportViolations);
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("framenavigated", (frame) => {
    if (/token|eyJ/.test(frame.url())) problems.push(`a token in ${frame.url()}`);
  });
  return problems;
}

const mostFrames = 120;
const widthOfNextFrame = `new Promise((resolve) => requestAnimationFrame(() =>
  resolve(document.documentElement.scrollWidth)))`;

/** Text, because it runs on the page, whose types are not known here. */
const reportViolations = `addEventListener("securitypolicyviolation", (event) =>
  reportViolation(event.violatedDirective + " " + event.sample + " on " + location.pathname))`;

/** Switches the theme from the menu, whose styles the policy might refuse. */
async function switchTheme(page: Page): Promise<void> {
  for (const scheme of ["Dark", "Light"]) {
    await page.getByRole("button", { name: /Theme and sign out/ }).click();
    await page.getByRole("menuitem", { name: scheme }).click();
    await page.locator(`html[data-mantine-color-scheme="${scheme.toLowerCase()}"]`).waitFor();
  }
}

async function isBroken(page: Page): Promise<boolean> {
  return await page.evaluate(
    `"isBroken" in window || document.querySelector('img[src="x"]') !== null`,
  );
}

/** Fails when the page stays wider than a phone. */
async function checkPhone(page: Page): Promise<void> {
  const desktop = page.viewportSize()!;
  await page.setViewportSize(phone);
  let width = Infinity;
  // Charts resize a few frames later.
  for (let frame = 0; frame < mostFrames && width > phone.width; frame++) {
    width = await page.evaluate<number>(widthOfNextFrame);
  }
  await page.setViewportSize(desktop);
  assert.ok(width <= phone.width, `${width} pixels`);
}

async function checkMenu(page: Page, workspace: string): Promise<void> {
  await page.setViewportSize(phone);
  await page.goto(workspace);
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("link", { name: "Destinations", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Destinations" }).waitFor();
}
