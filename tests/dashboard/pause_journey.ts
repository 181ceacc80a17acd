import type { Page } from "playwright-core";
import type { Hands } from "../../testing/browser/hands.ts";
import { reach } from "../../testing/browser/keyboard.ts";

/** Makes a journey with one step, a pause of a length such as `1d`. */
export function makeDefinition(length: string) {
  return {
    trigger: { event: "signed_up" },
    start: "pause",
    steps: { pause: { wait: { for: length }, next: "end" }, end: { exit: {} } },
  };
}

/** Opens the first step. Tab comes to the trigger only, and arrows lead on. */
export async function openPause(page: Page, { name, press }: Hands): Promise<void> {
  if (name === "mouse") return await press(page.locator('[data-step="pause"]'));
  await reach(page, page.locator('[data-step="@entry"]'));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
}
