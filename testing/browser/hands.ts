import type { Locator, Page } from "playwright-core";

/** The ways in which a person acts on a page. */
export interface Hands {
  name: "mouse" | "keyboard";
  /** Activates a button, a link, a tab, a menu item or a step of the canvas. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a combobox. */
  choose(target: Locator, option: string | RegExp): Promise<void>;
  /** Checks a box, a switch or a radio. */
  check(target: Locator): Promise<void>;
}

/** Acts on a page with the mouse, and types into what it clicked. */
export function makeMouse(page: Page): Hands {
  return {
    name: "mouse",
    press: (target) => target.click(),
    type: async (target, text) => {
      await target.click();
      await target.fill(text);
      await closeSuggestions(page, target);
    },
    choose: async (target, option) => {
      await target.click();
      await page.getByRole("option", { name: option }).first().click();
    },
    check: (target) => target.check(),
  };
}

/** Closes the list of suggestions below a field, which lies over what comes next. */
export async function closeSuggestions(page: Page, target: Locator): Promise<void> {
  if (await target.getAttribute("aria-expanded") === "true") await page.keyboard.press("Escape");
}
