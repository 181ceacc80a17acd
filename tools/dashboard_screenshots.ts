import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../testing/browser/browser.ts";
import { fillDashboard } from "../testing/browser/dashboard_data.ts";
import { fillDashboardHistory } from "../testing/browser/dashboard_history.ts";
import {
  listPages,
  openSpec,
  type PageSpec,
  publicPages,
} from "../testing/browser/dashboard_pages.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { startTestStack } from "../testing/service/stack.ts";

/** Screen and colour scheme of each set of screenshots. */
const looks: Record<string, BrowserContextOptions> = {
  light: { colorScheme: "light", viewport: { width: 1360, height: 860 } },
  dark: { colorScheme: "dark", viewport: { width: 1360, height: 860 } },
  phone: {
    colorScheme: "light",
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  },
};

const folder = Deno.args[0] ?? ".data/screenshots";
await Deno.mkdir(folder, { recursive: true });
await using stack = await startTestStack();
await using data = await fillDashboard({ info: stack.info, text: "" });
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
  const page = await context.newPage();
  for (const spec of publicPages) await shoot(page, { look, spec });
  const workspace = await signIn(page, stack.info.user);
  for (const spec of listPages(workspace, data)) await shoot(page, { look, spec });
  await context.close();
}

async function shoot(page: Page, { look, spec }: { look: string; spec: PageSpec }): Promise<void> {
  await openSpec(page, spec);
  // Charts are drawn once their library has come.
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(folder, `${spec.name}.${look}.png`) });
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
