import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { sendEntries } from "../../testing/browser/sample_calls.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";

const phone = { width: 390, height: 844 };
const tablet = { width: 768, height: 1024 };
const laptop = { width: 1024, height: 768 };
const small = { width: 1200, height: 800 };
const desktop = { width: 1440, height: 900 };
const events = encodeURIComponent(JSON.stringify([{ event: "order_created" }]));

/** Frames within which the page has its layout. */
const mostFrames = 600;

Deno.test("pages use a phone and a tablet well", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage({ hasTouch: true, viewport: phone });
  const workspace = await signIn(page, world.info.user);
  const question = page.getByRole("button", { name: /^order_created per day, last 30 days/ });
  const event = page.getByRole("combobox", { name: "Event", exact: true });

  await t.step("on a phone, Explore shows the answer, and the question in one line", async () => {
    await page.goto(`${workspace}/explore?events=${events}`);
    await page.getByRole("heading", { name: "order_created", exact: true }).waitFor();
    await page.getByText(/^Counts events that happened from .* to .* \(.+\)\.$/).waitFor();
    assert.equal(await question.getAttribute("aria-expanded"), "false");
    assert.equal(await event.isVisible(), false);
    const { y } = await boxOf(page.getByRole("heading", { name: "order_created", exact: true }));
    assert.ok(y < phone.height / 2, `the answer starts ${y} pixels down`);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a tap and a key open and fold the question", async () => {
    await question.tap();
    await event.waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await question.focus();
    await page.keyboard.press("Enter");
    await event.waitFor({ state: "hidden" });
  });

  await t.step(
    "Explore adds up a property, and names it in the question and the answer",
    async () => {
      await page.goto(`${workspace}/explore?events=${events}`);
      await question.tap();
      await chooseMeasure(page, "Sum of a property");
      await page.getByText("Choose a property that has numbers").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.getByRole("combobox", { name: "Property", exact: true }).fill("total");
      await page.getByRole("heading", { name: "Sum of total of order_created" }).waitFor();
      // Without decimals when all days have whole sums, which depends on the time of the run.
      await page.getByText(/^\d[\d,]*(\.\d\d)? in total$/).waitFor();
      await page.getByRole("row", { name: /^Total \d[\d,]*(\.\d\d)?$/ }).waitFor();
      assert.match(page.url(), /measure=sum&value=total/);
      await chooseMeasure(page, "Average of a property");
      await page.getByText(/ on average$/).waitFor();
      await page.reload();
      const words = /^Average of total of order_created, per day, last 30 days/;
      await page.getByRole("button", { name: words }).tap();
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.getByRole("combobox", { name: "Property", exact: true }).fill("note");
      await page.getByText("No numbers in this time range").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await chooseMeasure(page, "Events");
      await page.getByRole("heading", { name: "order_created", exact: true }).waitFor();
      assert.doesNotMatch(page.url(), /measure|value/);
    },
  );

  await t.step("Explore compares events, each with a line and a column of its own", async () => {
    await page.getByRole("button", { name: "Compare with an event" }).tap();
    await page.getByRole("combobox", { name: "Event 2" }).click();
    await page.getByRole("option", { name: "product_viewed", exact: true }).waitFor();
    await page.keyboard.type("product_v");
    await page.locator("[role=option][data-combobox-selected]", { hasText: "product_viewed" })
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "order_created, product_viewed" }).waitFor();
    await page.getByRole("columnheader", { name: "product_viewed", exact: true }).waitFor();
    await page.getByRole("row", { name: /^Total [1-9][\d,]* [1-9][\d,]*$/ }).waitFor();
    const split = page.getByRole("combobox", { name: "Split by property" });
    assert.equal(await split.count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("button", { name: "Remove Event 2" }).tap();
    await page.getByRole("heading", { name: "order_created", exact: true }).waitFor();
    await split.waitFor();
  });

  await t.step("a kind that needs more events opens the question", async () => {
    await page.getByText("Funnel", { exact: true }).click();
    await page.getByRole("combobox", { name: "Step 2" }).waitFor();
    await page.getByRole("button", { name: "New question", expanded: true }).waitFor();
  });

  await t.step("a wide screen always shows the question", async () => {
    await resizeWindow(page, desktop);
    await page.goto(`${workspace}/explore?events=${events}`);
    await event.waitFor();
    assert.equal(await question.isVisible(), false);
  });

  await t.step("a range without events leads to the days when the event happened", async () => {
    const range = "since=2020-01-01T00:00:00.000Z&until=2020-02-01T00:00:00.000Z";
    await page.goto(`${workspace}/explore?events=${events}&${range}`);
    await page.getByText(/^The last order_created that arrived happened on/).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("button", { name: /^Show the 30 days before/ }).click();
    await page.getByRole("cell", { name: "Total" }).waitFor();
  });

  await t.step("an event that arrives late leads to the days when it happened", async () => {
    const late = { name: "order_created", occurred_at: "2024-06-29T12:00:00.000Z" };
    await sendEntries(world.info, [{ external_id: "late", ...late }]);
    await page.goto(`${workspace}/explore?events=${events}`);
    await page.getByText("The last order_created that arrived happened on 29 Jun 2024").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("button", { name: /^Show the 30 days before/ }).click();
    await page.getByRole("row", { name: "29 Jun 1" }).waitFor();
  });

  await t.step("the plots of Overview start at the same height", async () => {
    await page.goto(workspace);
    const plots = page.locator("figure canvas");
    await plots.nth(1).waitFor();
    // Both at once: what loads above them moves them.
    const tops = await plots.evaluateAll((drawn) =>
      (drawn as unknown as DrawnPart[]).map((part) => part.getBoundingClientRect().y)
    );
    assert.equal(tops[0], tops[1]);
  });

  const lists = [
    { name: "Destinations", path: "/destinations" },
    { name: "Audit log", path: "/settings/audit-log" },
  ];
  for (const { name, path } of lists) {
    for (const screen of [tablet, laptop, small, desktop]) {
      await t.step(`${name} shows each column at ${screen.width} pixels`, async () => {
        await resizeWindow(page, screen);
        await page.goto(`${workspace}${path}`);
        const table = page.getByRole("table", { name });
        await table.getByText("Warehouse").filter({ visible: true }).first().waitFor();
        const { x, width } = await boxOf(table.getByRole("columnheader").last());
        const card = await boxOf(table.locator(".."));
        assert.ok(x + width <= card.x + card.width + 1, "the last column is cut");
      });
    }
  }

  await t.step("a legend of several lines leaves the plot alone", async () => {
    await resizeWindow(page, { ...phone, width: 240 });
    await page.goto(`${workspace}/destinations/${data.destinationId}`);
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    const chart = page.locator("figure").filter({ hasText: "Delivered" });
    const readLegend = async () => ({
      first: await boxOf(chart.getByText("Delivered", { exact: true })),
      legend: await boxOf(chart.getByText("Failed", { exact: true })),
    });
    let { first, legend } = await readLegend();
    // A busy page takes some frames to apply the size of the text.
    for (let frame = 0; frame < mostFrames && legend.y <= first.y; frame++) {
      await page.evaluate("new Promise(requestAnimationFrame)");
      ({ first, legend } = await readLegend());
    }
    assert.ok(legend.y > first.y, "the legend has one line");
    const plot = await boxOf(chart.locator("canvas"));
    assert.ok(plot.y >= legend.y + legend.height, "the legend covers the plot");
    const whole = await boxOf(chart);
    assert.ok(plot.y + plot.height <= whole.y + whole.height + 1, "the plot is cut");
    assert.ok(plot.height > 100, `the plot is ${plot.height} pixels high`);
  });

  await t.step("the menu of a tablet closes by a tap beside it", async () => {
    await resizeWindow(page, tablet);
    await page.getByRole("button", { name: "Open menu" }).tap();
    const close = page.getByRole("banner").getByRole("button", { name: "Close menu" });
    await close.waitFor();
    await page.touchscreen.tap(tablet.width - 100, tablet.height / 2);
    await page.getByRole("button", { name: "Open menu" }).first().waitFor();
  });

  for (const screen of [phone, tablet]) {
    await t.step(
      `Esc closes the menu at ${screen.width} pixels and returns the focus`,
      async () => {
        await resizeWindow(page, screen);
        const opener = page.getByRole("button", { name: "Open menu" });
        await opener.press("Enter");
        await page.getByRole("banner").getByRole("button", { name: "Close menu" }).waitFor();
        await page.getByRole("link", { name: "Customers", exact: true }).focus();
        await page.keyboard.press("Escape");
        await opener.waitFor();
        await page.locator('[aria-label="Open menu"]:focus').waitFor();
        await page.getByRole("link", { name: "Customers", exact: true }).waitFor({
          state: "hidden",
        });
      },
    );
  }

  await t.step(
    "search and alerts are at hand without the menu, and stay when the screen is turned",
    async () => {
      await resizeWindow(page, phone);
      await page.getByRole("banner").getByRole("button", { name: /open alert/ }).waitFor();
      await page.getByRole("banner").getByRole("button", { name: "Search" }).tap();
      await page.getByRole("dialog").waitFor();
      await page.getByRole("combobox", { name: "Search" }).fill("camp");
      await resizeWindow(page, desktop);
      await page.getByRole("banner").waitFor({ state: "hidden" });
      assert.equal(await page.getByRole("combobox", { name: "Search" }).inputValue(), "camp");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    },
  );

  await t.step("Esc closes what is open within the menu first", async () => {
    await resizeWindow(page, phone);
    await page.getByRole("button", { name: "Open menu" }).press("Enter");
    await page.getByRole("button", { name: /Switch workspace/ }).press("Enter");
    const item = page.getByRole("menuitem", { name: "New workspace" });
    await item.waitFor();
    await page.keyboard.press("Escape");
    await item.waitFor({ state: "hidden" });
    await page.getByRole("banner").getByRole("button", { name: "Close menu" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open menu" }).waitFor();
  });

  for (const screen of [tablet, laptop, small, desktop]) {
    await t.step(`filters keep their words at ${screen.width} pixels`, async () => {
      await resizeWindow(page, screen);
      await page.goto(`${workspace}/sends`);
      const filters = page.getByRole("search").getByRole("combobox");
      await page.getByRole("combobox", { name: "Customer" }).waitFor();
      assert.equal(await filters.count(), 4);
      await page.getByRole("button", { name: "More filters" }).click();
      assert.equal(await filters.count(), 7);
      const cut = await filters.evaluateAll(findCut);
      assert.deepEqual(cut, []);
    });
  }
});

interface Field {
  placeholder: string;
  clientWidth: number;
}

type Style = Record<"fontSize" | "fontFamily" | "paddingLeft" | "paddingRight", string>;

interface PageWindow {
  document: {
    createElement: (name: string) => { getContext: (kind: string) => Pen };
  };
  getComputedStyle: (field: Field) => Style;
}

interface Pen {
  font: string;
  measureText: (text: string) => { width: number };
}

/** Runs on the page: returns the texts of empty fields that are wider than their field. */
function findCut(fields: unknown[]): string[] {
  const { document, getComputedStyle } = globalThis as unknown as PageWindow;
  const pen = document.createElement("canvas").getContext("2d");
  return (fields as Field[]).filter((field) => {
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field);
    pen.font = `${fontSize} ${fontFamily}`;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return pen.measureText(field.placeholder).width > room;
  }).map(({ placeholder }) => placeholder);
}

interface DrawnPart {
  getBoundingClientRect: () => { y: number };
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  assert.ok(box);
  return box;
}

async function chooseMeasure(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Measure" }).click();
  await page.getByRole("option", { name, exact: true }).click();
}
