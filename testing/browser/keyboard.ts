import type { Locator, Page } from "playwright-core";
import { closeSuggestions, type Hands } from "./hands.ts";

/** Most keys that a person would press to come from one place to another. */
const mostKeys = 200;
/** Time after which a key is pressed again. */
const soonMs = 2_000;

/** Acts on a page with keys alone: Tab, arrows, Enter, Space, Escape and text. */
export function makeKeyboard(page: Page): Hands {
  return {
    name: "keyboard",
    press: (target) => press(page, target),
    type: async (target, text) => {
      await reach(page, target);
      await page.keyboard.press("ControlOrMeta+a");
      if (text === "") await page.keyboard.press("Delete");
      else await page.keyboard.insertText(text);
      await closeSuggestions(page, target);
    },
    choose: (target, option) => choose(page, { target, option }),
    check: async (target) => {
      if (await target.isChecked()) return;
      if (await target.getAttribute("type") === "radio") await checkRadio(page, target);
      else {
        await reach(page, target);
        await page.keyboard.press("Space");
      }
    },
  };
}

async function press(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const role = await target.getAttribute("role");
  if (role === "menuitem") {
    await pressUntilFocused(page, { target, key: "ArrowDown" });
  } else if (role === "tab") {
    const list = page.getByRole("tablist").filter({ has: target });
    await reach(page, list.locator('[aria-selected="true"]'));
    await pressUntilFocused(page, { target, key: "ArrowRight" });
  } else {
    await reach(page, target);
  }
  await page.keyboard.press("Enter");
}

/** Presses a key until a place has the focus. */
export async function pressUntilFocused(
  page: Page,
  { target, key }: { target: Locator; key: string },
): Promise<void> {
  for (let count = 0; count < mostKeys; count++) {
    if (await target.evaluate(hasFocus)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Cannot reach ${target} with the key "${key}"`);
}

/** Moves the focus to a place with Tab and Shift+Tab. @throws Error if no Tab comes there. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  // A dialog takes the focus when it opens, also from a place in it. Some popovers never do.
  const place = await target.elementHandle();
  await isSoon(page.waitForFunction(hasDialogFocus, place, { timeout: soonMs }));
  // The number is a guess: a page may move the focus, and a dialog keeps it.
  for (let round = 0; round < 4; round++) {
    const stops = await target.evaluate(countStops);
    if (stops === 0) return;
    if (stops === null) break;
    const key = stops > 0 ? "Tab" : "Shift+Tab";
    for (let count = 0; count < Math.abs(stops); count++) await page.keyboard.press(key);
  }
  await pressUntilFocused(page, { target, key: "Tab" });
}

/** Opens a combobox, and goes to the option with the arrows. */
async function choose(
  page: Page,
  { target, option }: { target: Locator; option: string | RegExp },
): Promise<void> {
  await reach(page, target);
  const wanted = page.getByRole("option", { name: option }).first();
  await page.keyboard.press("ArrowDown");
  await wanted.waitFor();
  const chosen = page.locator("[role=option][data-combobox-selected]").and(wanted);
  for (let count = 0; count < mostKeys; count++) {
    // A panel that opens may take the focus only now.
    if (!await target.evaluate(hasFocus)) await reach(page, target);
    if (await chosen.count() > 0) {
      await page.keyboard.press("Enter");
      // The list gives the focus back when it closes. One that is still opening may show an option
      // as chosen and ignore the key.
      if (await isSoon(chosen.waitFor({ state: "hidden", timeout: soonMs }))) return;
    }
    await page.keyboard.press("ArrowDown");
  }
  throw new Error(`Cannot choose ${option} of ${target}`);
}

/** Returns whether something comes within its time. */
function isSoon(event: Promise<unknown>): Promise<boolean> {
  return event.then(() => true, () => false);
}

/** Goes to the group of a radio with Tab, and to the radio with the arrows. */
async function checkRadio(page: Page, target: Locator): Promise<void> {
  const name = await target.getAttribute("name");
  const group = page.locator(`input[type=radio][name="${name}"]`);
  const checked = page.locator(`input[type=radio][name="${name}"]:checked`);
  await reach(page, await checked.count() > 0 ? checked : group.first());
  for (let count = 0; count < mostKeys && !await target.isChecked(); count++) {
    await page.keyboard.press("ArrowDown");
  }
}

/** The parts of the browser's types that the functions below use; they run in the page. */
interface Element {
  ownerDocument: { activeElement: Element | null; body: Element };
  tabIndex: number;
  type?: string;
  name?: string;
  checked?: boolean;
  closest(selector: string): Element | null;
  matches(selector: string): boolean;
  checkVisibility(options: object): boolean;
  compareDocumentPosition(other: Element): number;
  querySelectorAll(selector: string): Iterable<Element>;
}

/** Runs in the page. */
function hasFocus(element: unknown): boolean {
  return (element as Element).matches(":focus");
}

/** Runs in the page. Returns whether the dialog of a place, if it is in one, has the focus. */
function hasDialogFocus(place: unknown): boolean {
  const dialog = (place as Element).closest("[role=dialog]");
  return dialog === null || dialog.matches(":focus-within");
}

/**
 * Runs in the page. Counts the presses of Tab from the focus to a place, below zero for Shift+Tab.
 * Returns null for a place that this does not find among the stops.
 */
function countStops(place: unknown): number | null {
  const target = place as Element;
  const { activeElement: active, body } = target.ownerDocument;
  if (active === target) return 0;
  const root = target.closest("[role=dialog]") ?? body;
  const selector =
    "a[href],button,input,select,textarea,iframe,summary,[tabindex],[contenteditable]";
  const isStop = (element: Element) => {
    if (element.tabIndex < 0 || element.matches(":disabled")) return false;
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    if (element.type !== "radio" || element.checked) return true;
    return [...root.querySelectorAll("input[type=radio]:checked")]
      .every(({ name }) => name !== element.name);
  };
  const stops = [...root.querySelectorAll(selector)].filter(isStop);
  const to = stops.indexOf(target);
  if (to < 0) return null;
  if (active === null || active === body) return to + 1;
  const from = stops.indexOf(active);
  if (from >= 0) return to - from;
  // The focus stands on something else, such as a heading: count the stops before it.
  const preceding = 2;
  const before = stops.filter((stop) => active.compareDocumentPosition(stop) & preceding).length;
  return to >= before ? to - before + 1 : to - before;
}
