import type { Page } from "playwright-core";

/** Characters of a page's text that an error shows. */
const mostText = 3_000;

/** Acts on a page. An error also tells the address and the text of the page at that time. */
export async function tellPage(page: Page, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const text = await page.locator("body").innerText().catch(() => "(no text)");
    const told = `${page.url()}\n${text.replaceAll(/\s*\n\s*/g, " | ").slice(0, mostText)}`;
    throw new Error(`${error instanceof Error ? error.message : error}\nThe page: ${told}`, {
      cause: error,
    });
  }
}
