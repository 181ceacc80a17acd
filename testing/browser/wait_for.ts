import type { Page } from "playwright-core";

const patienceMs = 45_000;
const pauseMs = 100;

/** Reads until there is something. @throws Error when nothing comes for long. */
export async function waitFor<T>(read: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  while (true) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error("Nothing came within 45 s");
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Evaluates an expression in the page until it is true. A page refuses a string of code in
 * `waitForFunction`, by its content security policy, as soon as that asks a second time.
 * @throws Error when it stays false for long.
 */
export async function waitUntilTrue(page: Page, expression: string): Promise<void> {
  await waitFor(async () => await page.evaluate<boolean>(expression) || undefined);
}
