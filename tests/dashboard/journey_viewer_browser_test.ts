import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";

/** Least contrast of text, as WCAG AA has it. Axe leaves out fields that are disabled. */
const least = 4.5;

const definition = {
  trigger: { event: "signed_up", where: [{ property: "plan", op: "eq" as const, value: "pro" }] },
  entry: { holdout: 10 },
  goal: { event: "paid", within: "14d" },
  start: "pause",
  steps: {
    pause: { wait: { until: { at: "09:00", weekdays: ["mon" as const] } }, next: "fork" },
    fork: {
      branch: [{ when: { field: "country", op: "eq", value: "DE" }, next: "tag" }],
      else: "end",
    },
    tag: { update: { attributes: { onboarded: true } }, next: "end" },
    end: { exit: {} },
  },
};

Deno.test("a viewer can read every field of a draft, in light and dark", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id } = await api.call("POST /journeys", { body: { name: "Welcome", definition } });
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  await makeViewer(world.info);
  await page.goto(`${workspace}/journeys/${id}?tab=draft`);
  await page.getByText("Only admins can change it").waitFor();
  const parts = ["@entry", "pause", "fork", "tag"].map((part) => `[data-step="${part}"]`);
  for (const part of [...parts, 'button:has-text("Goal and exits")']) {
    await t.step(`the fields behind ${part} have enough contrast`, async () => {
      await page.locator(part).click();
      await page.locator("fieldset:disabled :is(input, textarea, select, label)")
        .filter({ visible: true }).first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        const contrasts = await readContrasts(page);
        assert.ok(contrasts.length > 0);
        const poor = contrasts.filter(({ contrast }) => !(contrast >= least));
        assert.deepEqual(poor, [], colorScheme);
      }
      // The fields cover the end of the canvas.
      await page.getByRole("button", { name: "Close the step" }).click();
    });
  }
});

interface Contrast {
  text: string;
  contrast: number;
}

/** Measures the text of each disabled field and label against what is painted behind it. */
async function readContrasts(page: Page): Promise<Contrast[]> {
  return await page.evaluate<Contrast[]>(`(${measure})()`);
}

/** Runs in the page. */
const measure = `() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // The canvas reads every notation of a colour.
  const over = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const { color, alpha } of colors) {
      canvas.globalAlpha = alpha;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (channels) => {
    const [red, green, blue] = channels.map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const around = (element) => element === null ? [] : [...around(element.parentElement), element];
  const fields = document.querySelectorAll(
    "fieldset:disabled :is(input:not([type=checkbox], [type=hidden]), textarea, select, label)",
  );
  return [...fields].filter((field) => field.checkVisibility()).map((field) => {
    const boxes = around(field).map((box) => getComputedStyle(box));
    const back = boxes.map(({ backgroundColor }) => ({ color: backgroundColor, alpha: 1 }));
    const alpha = boxes.reduce((product, { opacity }) => product * Number(opacity), 1);
    const paper = over(back);
    const ink = over([...back, { color: getComputedStyle(field).color, alpha }]);
    const [high, low] = [light(paper), light(ink)].sort((one, other) => other - one);
    return { text: field.value || field.textContent, contrast: (high + 0.05) / (low + 0.05) };
  });
}`;
