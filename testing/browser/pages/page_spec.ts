import type { Page } from "playwright-core";

/** A page to open, and a text that shows once its content has loaded. */
export interface PageSpec {
  name: string;
  path: string;
  shows: string | RegExp;
  /** Runs after opening the page, and opens what shows the text. */
  act?: (page: Page, shows: string | RegExp) => Promise<unknown>;
  /** Loaded by its address, as is the page after it. */
  isAlone?: boolean;
}

/** Shown by each list of what happened, whichever rows are its newest. */
export const anyTime = /just now|ago/;

/** Returns the source of a regular expression that finds what a page shows. */
export function patternOf(shows: PageSpec["shows"]): string {
  return typeof shows === "string" ? shows.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&") : shows.source;
}

/** Makes the spec of a page, with the actions that follow after it is opened. */
export type PageMaker = (
  name: string,
  address: readonly [path: string, shows: string | RegExp],
  act?: PageSpec["act"],
) => PageSpec;

/** Returns a function that makes specs of pages below a path. */
export function createPageMaker(base: string): PageMaker {
  return (name, [path, shows], act) => ({
    name,
    path: `${base}${path}`,
    shows,
    ...act ? { act } : {},
  });
}

/** Loads a page and waits for its content. */
export async function openSpec(page: Page, spec: PageSpec): Promise<void> {
  await page.goto(spec.path);
  await waitForContent(page, spec);
}

/**
 * Goes to a page without loading the dashboard again, and waits for its content. Goes through a
 * page that does not exist, so that the last page cannot be mistaken for the next.
 */
export async function goToSpec(page: Page, spec: PageSpec): Promise<void> {
  await navigate(page, `${spec.path.split(/[?#]/)[0]}/nowhere/at/all`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await navigate(page, spec.path);
  await page.getByRole("heading", { name: "Page not found" }).waitFor({ state: "detached" });
  await waitForContent(page, spec);
}

async function waitForContent(page: Page, { shows, act }: PageSpec): Promise<void> {
  await act?.(page, shows);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  const skeletons = page.locator(".mantine-Skeleton-root").filter({ visible: true });
  await skeletons.first().waitFor({ state: "detached" });
}

/** Text, because it runs on the page, whose types are not known here. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
}

/**
 * Presses the first button of a name.
 *
 * @throws Error if the page shows the text already, because nothing would show that it has opened.
 */
export function pressButton(name: string | RegExp) {
  return async (page: Page, shows?: string | RegExp) => {
    const button = page.getByRole("button", { name, exact: true }).first();
    await button.waitFor();
    if (shows !== undefined && await isShown(page, shows)) {
      throw new Error(`Cannot wait for "${shows}": the page shows it before "${name}" is pressed`);
    }
    await button.click();
  };
}

/** Opens an item of the menu behind a button. */
export function pressItem(button: string | RegExp, item: string | RegExp) {
  return async (page: Page, shows?: string | RegExp) => {
    await pressButton(button)(page, shows);
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
}

async function isShown(page: Page, text: string | RegExp): Promise<boolean> {
  return await page.getByText(text).filter({ visible: true }).count() > 0;
}
