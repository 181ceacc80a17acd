import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findProblems } from "./find_problems.ts";
import { goToSpec, openSpec, type PageSpec } from "./pages/page_spec.ts";
import { readPageWidth, resizeWindow } from "./resize.ts";

/** Markup to put into every text that somebody else decides. */
export const markup = `<img src=x onerror="window.isBroken=1">`;

const phone = { width: 360, height: 740 };
const tablet = { width: 768, height: 1024 };
/**
 * Checks each page in a step of its own: markup is text, axe finds nothing in light, dark and at
 * the width of a phone, and the page fits a phone and a tablet. Returns how many pages show the
 * markup.
 */
export async function checkPages(
  t: Deno.TestContext,
  page: Page,
  specs: readonly PageSpec[],
): Promise<number> {
  let shown = 0;
  let isFresh = true;
  for (const spec of specs) {
    await t.step(`${spec.name} is readable, fits a phone, and shows markup as text`, async () => {
      await (isFresh || spec.isAlone ? openSpec : goToSpec)(page, spec);
      isFresh = spec.isAlone === true;
      if (await page.getByText(markup).count() > 0) shown += 1;
      assert.equal(await isBroken(page), false, "markup ran");
      await checkLooks(page);
    });
  }
  return shown;
}

/**
 * Fails on findings of axe in light, dark and at the width of a phone, and on a dialog that is cut
 * off by the window.
 */
export async function checkLooks(page: Page): Promise<void> {
  const desktop = page.viewportSize()!;
  const light = [...await findProblems(page), ...await findCutDialogs(page)];
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor({ state: "detached" });
  // Only colours differ.
  const dark = await findProblems(page, { runOnly: ["color-contrast"] });
  await resizeWindow(page, tablet);
  const tabletWidth = await readPageWidth(page);
  await resizeWindow(page, phone);
  const width = await readPageWidth(page);
  const small = [...await findProblems(page), ...await findCutDialogs(page)];
  await resizeWindow(page, desktop);
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(report({ light, dark, small }), "");
  assert.ok(width <= phone.width, `${width} pixels wide on a phone`);
  assert.ok(tabletWidth <= tablet.width, `${tabletWidth} pixels wide on a tablet`);
}

/** Describes the dialogs that reach beyond the left or right side of the window. */
async function findCutDialogs(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`[...document.querySelectorAll('[role="dialog"]')]
    .map((dialog) => dialog.getBoundingClientRect())
    .filter(({ left, right }) => left < -1 || right > innerWidth + 1)
    .map(({ left, right }) => "a dialog reaches from " + left + " to " + right)`);
}

function report(findings: Record<string, string[]>): string {
  return Object.entries(findings)
    .flatMap(([look, problems]) => problems.map((problem) => `${look}: ${problem}`))
    .join("\n");
}

async function isBroken(page: Page): Promise<boolean> {
  return await page.evaluate(
    `"isBroken" in window || document.querySelector('img[src="x"]') !== null`,
  );
}
