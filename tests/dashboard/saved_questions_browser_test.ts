import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addUpUsage } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";
import {
  createSampleApi,
  type SampleApi,
  sendEntries,
} from "../../testing/browser/sample_calls.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };
const names = ["order_created", "product_viewed", "checkout_started"];
const ask = (...events: string[]) => JSON.stringify(events.map((event) => ({ event })));
const exploration = /\/explore\/(counts|funnel|retention|paths)$/;

Deno.test("a question of Explore is saved, opened, changed, renamed and deleted", async (t) => {
  await using world = await openDashboardWorld();
  await sendEntries(world.info, names.map((name) => ({ external_id: "ada", name })));
  const api = createSampleApi(world.info);
  await waitForNames(api);
  const page = await world.openPage({ viewport: desktop });
  const workspace = await signIn(page, world.info.user);
  const dialog = page.getByRole("dialog");
  const saved = page.getByRole("table", { name: "Saved questions" });
  const row = (name: string) => saved.getByRole("row").filter({ hasText: name });
  const readSaved = async () => {
    const { data } = await api.call("GET /views", { query: { list: "explore" } });
    return data.map(({ name, filters }) => [name, filters]);
  };

  await t.step("a page without saved questions says how to save one", async () => {
    await page.goto(`${workspace}/explore`);
    await page.getByText("None yet.").waitFor();
    await page.getByRole("link", { name: "Open as a board" }).click();
    await page.getByRole("heading", { name: "No saved questions yet" }).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("link", { name: "Ask a question" }).click();
    await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor();
  });

  await t.step("without a question, the page asks about the most frequent event", async () => {
    await sendEntries(world.info, [{ external_id: "ada", name: "product_viewed" }]);
    await addUpUsage(world.info);
    await page.goto(`${workspace}/explore`);
    await page.getByRole("heading", { name: "product_viewed", exact: true }).waitFor();
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get("events"), ask("product_viewed"));
    await page.getByRole("button", { name: "Save question" }).waitFor();
    // A page that is opened before the event is known keeps its own address.
    const read = /\/catalogue\?.*limit=1$/;
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => answer = resolve);
    await page.route(read, async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.goto(`${workspace}/explore`);
    await page.getByRole("main").getByRole("link", { name: "Catalogue" }).click();
    const answered = page.waitForResponse(read);
    answer();
    await Promise.all([
      answered,
      page.getByRole("heading", { level: 1, name: "Catalogue" }).waitFor(),
    ]);
    assert.equal(new URL(page.url()).search, "");
    await page.unroute(read);
    await page.goto(`${workspace}/explore?events=${encodeURIComponent(ask(""))}`);
    await page.getByRole("heading", { name: "Choose an event" }).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a question is saved under a name, with its person and its time", async () => {
    const events = ask("order_created");
    await page.goto(`${workspace}/explore?events=${encodeURIComponent(events)}&range=7d`);
    await page.getByRole("button", { name: "Save question" }).click();
    await dialog.getByLabel("Name").fill("Orders");
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByRole("button", { name: "Save question" }).click();
    await dialog.waitFor({ state: "detached" });
    await row("Orders").getByText("order_created per day, last 7 days").waitFor();
    await row("Orders").getByText(world.info.user.email).waitFor();
    assert.match(await row("Orders").innerText(), /now|ago/);
    assert.deepEqual(await readSaved(), [["Orders", { events, range: "7d" }]]);
    assert.equal(await page.getByRole("button", { name: "Save question" }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("it is opened again, and gets the question of the page", async () => {
    await page.goto(`${workspace}/explore`);
    await saved.getByRole("link", { name: "Orders" }).click();
    await page.getByRole("heading", { name: "order_created", exact: true }).waitFor();
    await page.getByText("Retention", { exact: true }).click();
    await page.getByText("Orders, changed and not saved").waitFor();
    await page.getByText("Trends", { exact: true }).click();
    await page.getByRole("combobox", { name: "Measure" }).click();
    await page.getByRole("option", { name: "Unique customers" }).click();
    await page.getByRole("button", { name: "Save as new" }).waitFor();
    await page.getByRole("button", { name: "Save changes" }).click();
    await row("Orders").getByText("Customers with order_created per day, last 7 days").waitFor();
    const [[, filters]] = await readSaved() as [[string, Record<string, string>]];
    assert.equal(filters.measure, "customers");
    await page.getByRole("link", { name: "New question" }).click();
    await page.waitForURL(({ searchParams }) =>
      searchParams.get("events") === ask("product_viewed") && !searchParams.has("measure")
    );
  });

  await t.step("it is renamed, but not to a name that is taken", async () => {
    await api.call("POST /views", {
      body: { list: "explore", name: "Taken", filters: { events: ask("product_viewed") } },
    });
    await page.reload();
    await act(page, "Orders", "Rename…");
    await dialog.getByLabel("Name").fill("taken");
    await dialog.getByRole("button", { name: "Rename question" }).click();
    await dialog.getByText("Another question has this name").waitFor();
    await dialog.getByLabel("Name").fill("Buyers");
    await dialog.getByRole("button", { name: "Rename question" }).click();
    await saved.getByRole("link", { name: "Buyers" }).waitFor();
    await page.getByRole("button", { name: "Actions for Buyers" }).and(page.locator(":focus"))
      .waitFor();
  });

  await t.step("it is deleted after a question", async () => {
    await act(page, "Buyers", "Delete…");
    await dialog.getByText("No events are deleted.").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByRole("button", { name: "Delete question" }).click();
    await dialog.waitFor({ state: "detached" });
    await row("Taken").waitFor();
    assert.deepEqual((await readSaved()).map(([name]) => name), ["Taken"]);
  });

  await t.step("a viewer opens saved questions, and changes none", async () => {
    await makeViewer(world.info);
    await page.goto(`${workspace}/explore`);
    await saved.getByRole("link", { name: "Taken" }).click();
    await page.getByRole("heading", { name: "product_viewed", exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^(Save|Actions for)/ }).count(), 0);
  });
});

Deno.test("the board draws each saved question on its own, two at a time", async (t) => {
  await using world = await openDashboardWorld();
  await sendEntries(world.info, names.map((name) => ({ external_id: "ada", name })));
  const api = createSampleApi(world.info);
  await waitForNames(api);
  const save = (name: string, filters: Record<string, string>) =>
    api.call("POST /views", { body: { list: "explore", name, filters } });
  await save("Gone", { events: ask("order_lost") });
  await save("Paths", { kind: "paths", events: ask("order_created") });
  await save("Back", { kind: "retention", events: ask("order_created", "product_viewed") });
  await save("Funnel", { kind: "funnel", events: ask("order_created", "product_viewed") });
  await save("Compared", { events: ask("order_created", "checkout_started") });
  await save("Orders", { events: ask("order_created"), range: "7d" });
  const page = await world.openPage({ viewport: desktop });
  const workspace = await signIn(page, world.info.user);
  const card = (name: string) => page.getByRole("article", { name });

  await t.step("at most two run at once, and none after the page is left", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let running = 0;
    let left = 0;
    await page.route(exploration, async (route) => {
      running++;
      await released;
      await route.continue().catch(() => {});
    });
    page.on("requestfailed", (request) => {
      if (exploration.test(request.url())) left++;
    });
    await page.goto(`${workspace}/explore/board`);
    await waitFor(async () => await Promise.resolve(running === 2 || undefined));
    // The others would have asked long before the page was still.
    await page.getByText("does not exist any more").waitFor();
    await page.waitForLoadState("domcontentloaded");
    assert.equal(running, 2);
    await page.getByRole("link", { name: "Catalogue" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Catalogue" }).waitFor();
    await waitFor(async () => await Promise.resolve(left === 2 || undefined));
    release();
    await page.unroute(exploration);
    assert.equal(running, 2);
  });

  await t.step("each has its title, its period and a picture with its figures", async () => {
    await page.goto(`${workspace}/explore/board`);
    await card("Orders").getByText("order_created per day, last 7 days").waitFor();
    await card("Orders").getByText("1 event", { exact: true }).waitFor();
    await card("Compared").getByText("order_created: 1; checkout_started: 1").waitFor();
    for (const name of ["Orders", "Compared", "Funnel", "Back", "Paths"]) {
      await card(name).scrollIntoViewIfNeeded();
      await card(name).locator("canvas").waitFor();
    }
    assert.equal((await findProblems(page)).join("\n"), "");
    const [first, second] = await Promise.all(["Orders", "Paths"].map(async (name) => {
      return (await card(name).boundingBox())!;
    }));
    assert.equal(first!.y, second!.y);
    const ends = await Promise.all(["Back", "Compared"].map(async (name) => {
      const { y, height } = (await card(name).locator("canvas").boundingBox())!;
      return Math.round(y + height);
    }));
    assert.equal(ends[0], ends[1]);
    await card("Orders").getByRole("link", { name: "Orders" }).click();
    await page.getByRole("table", { name: "order_created" }).waitFor();
    await page.getByRole("status").getByText("Orders", { exact: true }).waitFor();
  });

  await t.step("a question about an event that does not exist says so", async () => {
    await page.goto(`${workspace}/explore/board`);
    await card("Gone").getByText("This event does not exist any more").waitFor();
    await card("Gone").getByText("order_lost").last().waitFor();
    await card("Gone").getByRole("link", { name: "Gone" }).click();
    await page.getByText("This event does not exist any more").waitFor();
    await page.getByRole("row").filter({ hasText: "Gone" })
      .getByText("An event does not exist any more").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("one that fails says so alone, and is asked again", async () => {
    await page.route(/\/explore\/funnel$/, (route) => route.abort());
    await page.goto(`${workspace}/explore/board`);
    await card("Orders").locator("canvas").waitFor();
    const failed = card("Funnel").getByRole("alert");
    await failed.getByText("Can’t reach the service").waitFor();
    await page.unroute(/\/explore\/funnel$/);
    await failed.getByRole("button", { name: "Try again" }).click();
    await card("Funnel").locator("canvas").waitFor();
  });

  await t.step("the questions are in the order of their names", async () => {
    await page.goto(`${workspace}/explore/board`);
    await card("Orders").waitFor();
    const shown = await page.getByRole("article").getByRole("heading").allInnerTexts();
    assert.deepEqual(shown, ["Back", "Compared", "Funnel", "Gone", "Orders", "Paths"]);
  });

  await t.step(
    "one time range applies to the whole board, and to the question it leads to",
    async () => {
      await page.getByRole("combobox", { name: "Time range" }).click();
      await page.getByRole("option", { name: "Last 24 hours" }).click();
      await card("Orders").getByText("order_created per day, last 24 hours").waitFor();
      await card("Compared").getByText(/last 24 hours/).waitFor();
      await card("Orders").getByRole("link", { name: "Orders" }).click();
      await page.waitForURL(/range=24h/);
      await page.goBack();
      await page.getByRole("combobox", { name: "Time range" }).click();
      await page.getByRole("option", { name: "Saved ranges" }).click();
      await card("Orders").getByText("order_created per day, last 7 days").waitFor();
    },
  );

  await t.step(
    "a question is put on a board with a name, and the board shows it alone",
    async () => {
      await act(page, "Orders", "Board…");
      const dialog = page.getByRole("dialog", { name: "Choose a board" });
      await dialog.getByLabel("Board").fill("Sales");
      assert.equal((await findProblems(page)).join("\n"), "");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("combobox", { name: "Board" }).click();
      await page.getByRole("option", { name: "Sales" }).click();
      await card("Paths").waitFor({ state: "detached" });
      assert.equal(await page.getByRole("article").count(), 1);
      await page.getByRole("heading", { level: 1, name: "Sales" }).waitFor();
      await page.goto(`${workspace}/explore`);
      await page.getByRole("link", { name: "Sales" }).click();
      await page.waitForURL(/\/explore\/board\?board=Sales$/);
      await page.goto(`${workspace}/explore/board`);
      await act(page, "Paths", "Board…");
      await dialog.getByRole("combobox", { name: "Board" }).click();
      await page.getByRole("option", { name: "Sales" }).waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.keyboard.press("Escape");
      await dialog.getByRole("button", { name: "Close this dialog" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.goto(`${workspace}/explore/board?board=None`);
      await page.getByText("No question is on this board").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.goto(`${workspace}/explore/board`);
    },
  );

  await t.step("a phone shows one per row", async () => {
    await page.setViewportSize(phone);
    await card("Orders").scrollIntoViewIfNeeded();
    await card("Orders").locator("canvas").waitFor();
    const [first, second] = await Promise.all(["Orders", "Paths"].map(async (name) => {
      return (await card(name).boundingBox())!;
    }));
    assert.equal(first!.x, second!.x);
    assert.ok(first!.y < second!.y);
    assert.equal((await findProblems(page)).join("\n"), "");
  });
});

/** Waits until the workspace knows its event names. */
async function waitForNames(api: SampleApi): Promise<void> {
  await waitFor(async () => {
    const { data } = await api.call("GET /event-types", {});
    return names.every((name) => data.some((type) => type.name === name)) || undefined;
  });
}

/** Chooses an action of a saved question. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
