import { join } from "node:path";
import type { BrowserContextOptions, Page, ViewportSize } from "playwright-core";
import { openBrowser } from "../testing/browser/browser.ts";
import { fillDashboardHistory } from "../testing/browser/dashboard_history.ts";
import { listPages } from "../testing/browser/list_pages.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { fillPages } from "../testing/browser/pages/fill_pages.ts";
import { openSpec, type PageSpec } from "../testing/browser/pages/page_spec.ts";
import { listMailPages, publicPages } from "../testing/browser/pages/public_pages.ts";
import { resizeWindow } from "../testing/browser/resize.ts";
import { addShowcase } from "../testing/browser/showcase_data.ts";
import { startTestStack } from "../testing/service/stack.ts";

const wide = { width: 1440, height: 900 };
const patienceMs = 8_000;

/** A set of screenshots. */
interface Look {
  screen: ViewportSize;
  options: BrowserContextOptions;
}

const looks: Record<string, Look> = {
  light: { screen: wide, options: { colorScheme: "light" } },
  dark: { screen: wide, options: { colorScheme: "dark" } },
  laptop: { screen: { width: 1024, height: 768 }, options: { colorScheme: "light" } },
  tablet: {
    screen: { width: 768, height: 1024 },
    options: { colorScheme: "light", hasTouch: true },
  },
  phone: {
    screen: { width: 390, height: 844 },
    options: { colorScheme: "light", deviceScaleFactor: 2, hasTouch: true },
  },
};

/** The folder, the looks or all, and which pages: those whose name contains a word, or all. */
const [folder = ".data/screenshots", ...choices] = Deno.args;
const chosenLooks = choices.filter((choice) => choice in looks);
const words = choices.filter((choice) => !(choice in looks));
await Deno.mkdir(folder, { recursive: true });
await using stack = await startTestStack();
await using data = await fillPages({ info: stack.info, text: "" });
await addShowcase(stack.info);
await fillDashboardHistory(stack.info);
await using browser = await openBrowser();
for (const look of chosenLooks.length > 0 ? chosenLooks : Object.keys(looks)) {
  await photograph(look);
}
say(`Pages are in ${folder}`);

async function photograph(look: string): Promise<void> {
  const { screen, options } = looks[look]!;
  const context = await browser.page.context().browser()!.newContext({
    baseURL: stack.info.base_url,
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  for (const spec of choose(publicPages)) await shoot(page, { look, screen, spec });
  const workspace = await signIn(page, stack.info.user);
  const pages = [...listPages(workspace, data), ...listMailPages(data)];
  for (const spec of choose(pages)) await shoot(page, { look, screen, spec });
  await context.close();
}

function choose(specs: readonly PageSpec[]): PageSpec[] {
  if (words.length === 0) return [...specs];
  return specs.filter(({ name }) => words.some((word) => name.includes(word)));
}

interface Shot {
  look: string;
  screen: ViewportSize;
  spec: PageSpec;
}

/** Opens each page on a wide screen, where every button is in sight, then narrows the screen. */
async function shoot(page: Page, { look, screen, spec }: Shot): Promise<void> {
  await resizeWindow(page, wide);
  // The other pages are still of use.
  await openSpec(page, spec).catch((error: Error) => say(`${spec.name}.${look}: ${error.message}`));
  await resizeWindow(page, screen);
  await page.evaluate("document.fonts.ready");
  // The navigation slides out of a screen that becomes narrow.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition)" +
      ".map((each) => each.finished))",
  );
  await page.screenshot({ path: join(folder, `${spec.name}.${look}.png`) });
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
