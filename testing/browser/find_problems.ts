import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/**
 * Returns the serious and critical findings of axe on a page without frames. It runs in the page:
 * the builder of `@axe-core/playwright` opens another page for each check, and loads axe twice.
 */
export async function findProblems(page: Page, options: RunOptions = {}): Promise<string[]> {
  // Text, because it runs on the page, whose types are not known here.
  if (!await page.evaluate<boolean>(`"axe" in window`)) await page.evaluate(axe.source);
  const settings = JSON.stringify({ ...usual, ...options });
  return await page.evaluate<string[]>(`axe.run(document, ${settings}).then(${describe})`);
}

/** Leaves out what the findings do not show: selectors, and style sheets read once more. */
const usual: RunOptions = { resultTypes: ["violations"], selectors: false, preload: false };

/** Describes the violations, with the first three places of each. */
const describe = `({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => id + "\\n    " + nodes.slice(0, 3).map(({ html, any }) =>
    html.slice(0, 160) + " (" + (any[0]?.message ?? "") + ")").join("\\n    "))`;
