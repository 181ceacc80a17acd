import type { Page } from "playwright-core";
// @ts-types="@types/upng-js"
import UPNG from "upng-js";
import { openBrowser } from "../testing/browser/browser.ts";
import { fillDashboardHistory } from "../testing/browser/dashboard_history.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { fillPages } from "../testing/browser/pages/fill_pages.ts";
import {
  createPageMaker,
  openSpec,
  type PageSpec,
  pressButton,
} from "../testing/browser/pages/page_spec.ts";
import { addShowcase } from "../testing/browser/showcase_data.ts";
import { startTestStack } from "../testing/service/stack.ts";

const folder = new URL("../docs/images/", import.meta.url);
const size = { width: 1280, height: 800 };
const colors = 256;

await using stack = await startTestStack();
await using data = await fillPages({ info: stack.info, text: "" });
const shown = await addShowcase(stack.info);
await fillDashboardHistory(stack.info);
await using browser = await openBrowser();
const context = await browser.page.context().browser()!.newContext({
  baseURL: stack.info.base_url,
  reducedMotion: "reduce",
  colorScheme: "light",
  viewport: size,
});
const page = await context.newPage();
for (const spec of listPictures(await signIn(page, stack.info.user))) await photograph(page, spec);

/** The pages in the README, each named like its file. */
function listPictures(workspace: string): PageSpec[] {
  const make = createPageMaker(workspace);
  return [
    make("overview", ["", "Top events"]),
    make("customer", [`/customers/${data.reachedId}`, "Attributes"]),
    make("segment", [`/segments/${shown.segmentId}/edit`, "customers"], showCondition),
    make("journey", [`/journeys/${data.journeyId}?tab=draft`, "Draft saved"], fitJourney),
    make("campaign", [`/campaigns/${shown.campaignId}`, "Offers"]),
    make("mail", [`/sends/${shown.sendId}`, "Message-ID"]),
    make("messages", ["/messages?event_type=order_completed", "Delivered"]),
    make("delivery", [`/deliveries/${data.deliveryId}`, "Attempts"]),
  ];
}

async function showCondition(page: Page): Promise<void> {
  await page.getByRole("region", { name: "Preview" }).getByRole("link").first().waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).scrollIntoViewIfNeeded();
}

async function fitJourney(page: Page): Promise<void> {
  await page.locator('[data-step="pause"]').waitFor();
  await pressButton("Fit View")(page);
}

/** Takes a picture of a page, in few colours: the file is a third as large. */
async function photograph(page: Page, spec: PageSpec): Promise<void> {
  await openSpec(page, spec);
  await page.evaluate("document.fonts.ready");
  const png = await page.screenshot();
  const image = UPNG.decode(png.buffer as ArrayBuffer);
  const { width, height } = image;
  const small = UPNG.encode(UPNG.toRGBA8(image), width, height, colors);
  await Deno.writeFile(new URL(`${spec.name}.png`, folder), new Uint8Array(small));
}
