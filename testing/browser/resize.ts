import type { Page } from "playwright-core";

/** Width and height in CSS pixels. */
export interface WindowSize {
  width: number;
  height: number;
}

/** Changes of the window until it draws; one more is enough wherever it was seen. */
const mostChanges = 5;
/** Frames in which a page takes its new width; charts need some. */
const mostFrames = 120;

// Text, because it runs on the page, whose types are not known here.
const drawsFrame = `new Promise((resolve) => {
  requestAnimationFrame(() => resolve(true));
  setTimeout(() => resolve(false), 1000);
})`;
// The parts around a page move to their new place in a transition, and the page with them.
const endsTransitions = `Promise.allSettled(
  document.getAnimations()
    .filter((animation) => animation instanceof CSSTransition)
    .map((transition) => transition.finished),
)`;
const widthOfNextFrame = `${drawsFrame}.then(() => document.documentElement.scrollWidth)`;

/**
 * Gives the window another size, and returns once the page has settled in it. On a busy machine,
 * Chromium sometimes draws no further frame after its window has changed, and then takes no click
 * either. It draws again when the window changes once more.
 *
 * @throws Error when it still does not draw
 */
export async function resizeWindow(page: Page, size: WindowSize): Promise<void> {
  for (let change = 0; change < mostChanges; change++) {
    // Another height in between, because the same size again would change nothing.
    if (change > 0) await page.setViewportSize({ ...size, height: size.height + 1 });
    await page.setViewportSize(size);
    if (await page.evaluate<boolean>(drawsFrame)) {
      await page.evaluate(endsTransitions);
      return;
    }
  }
  throw new Error(`The page draws nothing at ${size.width} x ${size.height} pixels`);
}

/** Returns the width of the page once it fits the window, or after some frames in which it does not. */
export async function readPageWidth(page: Page): Promise<number> {
  const screen = page.viewportSize()?.width ?? 0;
  let width = Infinity;
  for (let frame = 0; frame < mostFrames && width > screen; frame++) {
    width = await page.evaluate<number>(widthOfNextFrame);
  }
  return width;
}
