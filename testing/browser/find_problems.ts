import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** A page that is still loading gets this many checks to become one without findings. */
const mostChecks = 8;

/**
 * Returns the findings of axe on a page without frames: those that are still there once the page
 * has loaded its data. It runs in the page: the builder of
 * `@axe-core/playwright` opens another page for each check, and loads axe twice.
 */
export async function findProblems(page: Page, options: RunOptions = {}): Promise<string[]> {
  let problems = await check(page, options);
  for (let checks = 1; problems.length > 0 && checks < mostChecks; checks++) {
    await page.evaluate(idle);
    problems = await check(page, options);
  }
  return problems;
}

async function check(page: Page, options: RunOptions): Promise<string[]> {
  // Text, because it runs on the page, whose types are not known here.
  if (!await page.evaluate<boolean>(`"axe" in window`)) await page.evaluate(axe.source);
  const settings = JSON.stringify({ ...usual, ...options });
  return await page.evaluate<string[]>(`axe.run(document, ${settings}).then(${describe})`);
}

/**
 * Resolves when the page has drawn what it has and has nothing else to do, or after a second: the
 * browser sometimes draws no further frame.
 */
const idle = `new Promise((resolve) => {
  requestAnimationFrame(() => requestIdleCallback(resolve));
  setTimeout(resolve, 1000);
})`;

/** Leaves out what the findings do not show: selectors, and style sheets read once more. */
const usual: RunOptions = { resultTypes: ["violations"], selectors: false, preload: false };

/** Describes the violations, with the first three places of each. */
const describe = `({ violations }) => violations
  .map(({ id, nodes }) => id + "\\n    " + nodes.slice(0, 3).map(({ html, any }) =>
    html.slice(0, 160) + " (" + (any[0]?.message ?? "") + ")").join("\\n    "))`;
