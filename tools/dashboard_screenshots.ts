import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../testing/browser/browser.ts";
import { fillDashboardHistory } from "../testing/browser/dashboard_history.ts";
import { listPages } from "../testing/browser/list_pages.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { fillPages } from "../testing/browser/pages/fill_pages.ts";
import { openSpec, type PageSpec } from "../testing/browser/pages/page_spec.ts";
import { listMailPages, publicPages } from "../testing/browser/pages/public_pages.ts";
import { addShowcase } from "../testing/browser/showcase_data.ts";
import { startTestStack } from "../testing/service/stack.ts";

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const patienceMs = 8_000;

/** Colour scheme and pixels of each set of screenshots. */
const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: {
    colorScheme: "light",
    deviceScaleFactor: 2,
    hasTouch: true,
  },
};

/** The folder, and which pages: those whose name contains one of the words, or all. */
const [folder = ".data/screenshots", ...words] = Deno.args;
await Deno.mkdir(folder, { recursive: true });
await using stack = await startTestStack();
await using data = await fillPages({ info: stack.info, text: "" });
await addShowcase(stack.info);
await fillDashboardHistory(stack.info);
await using browser = await openBrowser();
for (const [look, options] of Object.entries(looks)) await photograph(look, options);
say(`Pages are in ${folder}`);

async function photograph(look: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.page.context().browser()!.newContext({
    baseURL: stack.info.base_url,
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  for (const spec of choose(publicPages)) await shoot(page, { look, spec });
  const workspace = await signIn(page, stack.info.user);
  const pages = [...listPages(workspace, data), ...listMailPages(data)];
  for (const spec of choose(pages)) await shoot(page, { look, spec });
  await context.close();
}

function choose(specs: readonly PageSpec[]): PageSpec[] {
  if (words.length === 0) return [...specs];
  return specs.filter(({ name }) => words.some((word) => name.includes(word)));
}

/** Opens each page on a wide screen, where every button is in sight, then narrows the screen. */
async function shoot(page: Page, { look, spec }: { look: string; spec: PageSpec }): Promise<void> {
  await page.setViewportSize(wide);
  // The other pages are still of use.
  await openSpec(page, spec).catch((error: Error) => say(`${spec.name}.${look}: ${error.message}`));
  if (look === "phone") await page.setViewportSize(phone);
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
