import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { addUpUsage, fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { goTo, openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { sendEntries } from "../../testing/browser/sample_calls.ts";

const phone = { width: 390, height: 844 };

Deno.test("lists are filtered, saved as views, exported and worked on", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);

  await t.step("a condition filters customers, with their number", async () => {
    await goTo(page, "Customers");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "Filter customers" });
    await drawer.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("menuitem", { name: "Event", exact: true }).click();
    await drawer.getByRole("combobox", { name: "Event name" }).fill("order_created");
    await drawer.getByRole("heading", { name: /^[1-9]\d* customers?$/ }).waitFor();
    for (const example of await drawer.getByRole("listitem").all()) {
      const [name, second] = (await example.innerText()).split(/\n+/);
      assert.notEqual(second, name);
    }
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    await drawer.getByRole("button", { name: "Apply filter" }).click();
    await page.getByText(/^[1-9]\d* customers? match(es)?$/).waitFor();
    await page.getByRole("button", { name: "Remove the filter did order_created" }).waitFor();
  });

  await t.step("a view keeps the filter for the workspace", async () => {
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("People who order");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await openMenu(page, "Views", "Save this view…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("People who order");
    await dialog.getByRole("button", { name: "Save view" }).click();
    await dialog.getByText("This list has a view with this name").waitFor();
    await dialog.getByLabel("Name").fill("");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove the filter did order_created" }).click();
    await page.getByText("customers match").waitFor({ state: "detached" });
    await openMenu(page, "Views", "People who order");
    await page.getByText(/^[1-9]\d* customers? match(es)?$/).waitFor();
  });

  await t.step("columns of attributes are chosen, and a click on a value filters", async () => {
    await openMenu(page, "Columns", "plan");
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "plan" }).waitFor();
    await page.getByRole("link", { name: "pro" }).first().click();
    await page.getByRole("button", { name: "Remove the filter plan is pro" }).waitFor();
    await page.goto(`${workspace}/customers/${data.customerId}`);
    await page.getByTitle("Show customers with attributes.plan = pro").click();
    await page.getByText(/^[1-9]\d* customers match$/).waitFor();
  });

  await t.step("customers who match are shown before their number", async () => {
    const { promise: seen, resolve: release } = Promise.withResolvers<void>();
    const counts = /\/customers\?.*limit=1(&|$)/;
    await page.route(counts, async (route) => {
      await seen;
      await route.continue();
    });
    await page.reload();
    await page.getByText("Counting…").waitFor();
    await page.locator("tbody tr").first().waitFor();
    release();
    await page.getByText(/^[1-9]\d* customers match$/).waitFor();
    await page.unroute(counts);
  });

  await t.step("the list says how many customers there are, and how many are found", async () => {
    const url = page.url();
    await page.goto(`${workspace}/customers`);
    const all = page.getByText(/^[1-9][\d,]* customers$/);
    await all.waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    const number = await page.getByRole("row").count() - 1;
    assert.ok(Number.parseInt(await all.innerText()) >= number);
    await page.getByRole("textbox", { name: "Search customers" }).fill("nobody-has-this");
    await page.getByText("0 customers match").waitFor();
    await page.goto(url);
  });

  await t.step("a filter of customers becomes a segment", async () => {
    const url = page.url();
    await page.getByRole("link", { name: "Create a segment from this filter" }).click();
    await page.getByRole("heading", { level: 1, name: "New segment" }).waitFor();
    await page.getByRole("heading", { name: /^[1-9]\d* customers?$/ }).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Pros");
    // A draft belongs to its filter.
    await page.reload();
    await page.getByText("We restored your unsaved changes").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByRole("heading", { level: 1, name: /Pros/ }).waitFor();
    await page.getByText("plan is pro").first().waitFor();
    await page.goto(url);
  });

  await t.step("another list does not show the view", async () => {
    await page.goto(`${workspace}/messages`);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByText("No saved views yet").waitFor();
    await page.goBack();
  });

  await t.step("chosen customers are added to a segment, with their number before", async () => {
    await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
    const bar = page.getByRole("region", { name: "Selected customers" });
    await bar.getByText(/^\d+ customers selected$/).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await bar.getByRole("button", { name: "Add to segment" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Static segment" }).click();
    await page.getByRole("option", { name: "Friends" }).click();
    await dialog.getByRole("button", { name: /^Add \d+ customers$/ }).dblclick();
    await dialog.getByText(/customers added, 1 customer already in the segment/).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
  });

  await t.step("another filter ends the selection", async () => {
    const bar = page.getByRole("region", { name: "Selected customers" });
    await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
    await bar.waitFor();
    const url = page.url();
    await page.getByRole("button", { name: "Remove the filter plan is pro" }).click();
    await bar.waitFor({ state: "detached" });
    await page.goto(url);
  });

  await t.step("all customers are chosen without a filter, too", async () => {
    const url = page.url();
    await page.goto(`${workspace}/customers`);
    const all = await page.getByText(/^[1-9][\d,]* customers$/).innerText();
    await page.getByRole("row").nth(1).getByRole("checkbox").check();
    await page.getByRole("button", { name: `Select all ${all}`, exact: true }).click();
    await page.getByText(`${all} selected`, { exact: true }).waitFor();
    await page.goto(url);
  });

  await t.step("a list is exported as it is filtered", async () => {
    const download = page.waitForEvent("download");
    await openMenu(page, "Export", "NDJSON");
    const file = await download;
    assert.equal(file.suggestedFilename(), "customers.ndjson");
    const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
    for (const line of lines) assert.equal(JSON.parse(line).attributes.plan, "pro");
  });

  for (const list of ["alerts", "deliveries", "events", "messages", "sends", "suppressions"]) {
    await t.step(`the list of ${list} is exported too`, async () => {
      await page.goto(`${workspace}/${list}`);
      const download = page.waitForEvent("download");
      await openMenu(page, "Export", "NDJSON");
      assert.equal((await download).suggestedFilename(), `${list}.ndjson`);
    });
  }

  await t.step("events are filtered by a property, by keyboard, on a phone", async () => {
    await resizeWindow(page, phone);
    await page.goto(`${workspace}/events?name=order_created`);
    await page.getByRole("button", { name: "Filters (1)" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Filter", exact: true }).focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Filter events" });
    await drawer.getByRole("button", { name: "Add condition" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Property of the event" }).focus();
    await page.keyboard.press("Enter");
    await drawer.getByRole("combobox", { name: "Property" }).fill("order_id");
    await page.keyboard.press("Escape");
    await drawer.getByRole("combobox", { name: "Value", exact: true }).fill("A-1001");
    await drawer.getByRole("heading", { name: "1 event" }).waitFor();
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    assert.ok(width <= phone.width, `${width} pixels`);
    await page.keyboard.press("Escape");
    await drawer.getByRole("button", { name: "Apply filter" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/filter=/);
    const events = page.getByRole("list", { name: "Events" });
    await events.getByText("order_id: A-1001").waitFor();
    assert.equal(await events.getByRole("listitem").count(), 1);
  });

  await t.step("a click on a property of an event filters events", async () => {
    await resizeWindow(page, { width: 1280, height: 800 });
    await page.locator(".event-headings").getByText("Customer").waitFor();
    await page.getByRole("list", { name: "Events" }).getByRole("button").first().click();
    const occurred = await page.getByText("Occurred", { exact: true }).locator("..").boundingBox();
    assert.ok(occurred!.height < 50, "the time takes more than one line");
    await page.getByTitle("Show events with note = gift").click();
    await page.getByRole("button", { name: "Remove the filter note is gift" }).waitFor();
  });

  await t.step("the parts of a filter are as high as the button beside them", async () => {
    const heights = await page.locator(".filter-bar > *").evaluateAll((parts) =>
      (parts as unknown as { offsetHeight: number }[]).map(({ offsetHeight }) => offsetHeight)
    );
    assert.ok(heights.length > 1);
    assert.equal(new Set(heights).size, 1, heights.join());
  });

  await t.step("rejected entries are filtered by reason and field, in the address", async () => {
    await page.goto(`${workspace}/rejected`);
    await page.getByRole("combobox", { name: "Reason" }).click();
    await page.getByRole("option", { name: "Too large" }).click();
    await page.waitForURL(/[?&]code=payload_too_large/);
    await page.getByText("No matching entries").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    const row = page.locator("tbody tr");
    await row.first().waitFor();
    const field = page.getByRole("combobox", { name: "Wrong field" });
    await field.fill("external_id");
    await page.waitForURL(/[?&]field=external_id/);
    await page.reload();
    await row.first().waitFor();
    assert.equal(await field.inputValue(), "external_id");
    assert.equal((await findProblems(page)).join("\n"), "");
    await field.fill("nothing");
    await field.press("Enter");
    await page.getByText("No matching entries").waitFor();
  });

  await t.step("suppressions are filtered by reason, in the address and the export", async () => {
    await page.goto(`${workspace}/suppressions?reason=complaint`);
    await page.getByText("No matching suppressions").waitFor();
    const reason = page.getByRole("combobox", { name: "Reason" });
    assert.equal(await reason.inputValue(), "Complaint");
    await reason.click();
    await page.getByRole("option", { name: "Added manually" }).click();
    await page.waitForURL(/[?&]reason=manual/);
    const row = page.getByRole("row", { name: /grace@example.com/ });
    await row.waitFor();
    assert.equal(await row.getByText(/^Added/).filter({ visible: true }).count(), 1);
    assert.equal((await findProblems(page)).join("\n"), "");
    const download = page.waitForEvent("download");
    await openMenu(page, "Export", "NDJSON");
    const text = await readFile(await (await download).path(), "utf8");
    assert.deepEqual(text.trimEnd().split("\n").map((line) => JSON.parse(line).reason), [
      "manual",
    ]);
  });

  await t.step(
    "entries are resent and suppressions removed at once, each after a question",
    async () => {
      await page.goto(`${workspace}/rejected`);
      await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
      await page.getByRole("button", { name: "Resend", exact: true }).click();
      const question = page.getByRole("dialog", { name: "Resend 1 entry?" });
      await question.getByText("Any that still fail stay in the list.").waitFor();
      await question.getByRole("listitem").getByText(/^Field "external_id"/).waitFor();
      await question.getByRole("button", { name: "Resend 1 entry" }).click();
      await question.getByText("0 of 1 done.").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.goto(`${workspace}/suppressions`);
      await page.getByRole("checkbox", { name: "Select grace@example.com" }).check();
      await page.getByRole("region", { name: "Selected rows" })
        .getByRole("button", { name: "Remove", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove 1 suppression" }).click();
      await page.getByRole("dialog").getByText("1 of 1 done.").waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByText("No suppressed addresses").waitFor();
    },
  );

  await t.step("a double click acts once on each message, and Stop ends the work", async () => {
    const tried: string[] = [];
    const [second, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(/\/try-now$/, async (route) => {
      if (tried.push(route.request().url()) === 2) second.resolve();
      if (tried.length === 2) await answered.promise;
      await route.continue();
    });
    await page.goto(`${workspace}/messages`);
    await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
    await page.getByRole("region", { name: "Selected rows" })
      .getByRole("button", { name: "Try now", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Try \d+ messages$/ }).dblclick();
    await second.promise;
    await dialog.getByRole("button", { name: "Stop" }).click();
    answered.resolve();
    await dialog.getByText(/ done\. Stopped\.$/).waitFor();
    assert.equal(new Set(tried).size, 2);
    assert.equal(tried.length, 2);
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.unroute(/\/try-now$/);
  });

  await t.step(
    "every problem of a rejected entry is shown, by its place in the entry",
    async () => {
      await sendEntries(world.info, [
        { external_id: "u1", name: "order_created" },
        { external_id: "u1", nmae: "order_created" },
      ]);
      await page.goto(`${workspace}/rejected`);
      const reasons = ['Field "name" is required', 'Field "nmae" is unknown: did you mean "name"?'];
      const row = page.getByRole("row").filter({ hasText: reasons[1]! });
      await row.getByText(reasons[0]!, { exact: true }).waitFor();
      const box = row.getByRole("checkbox");
      assert.match(
        await box.getAttribute("aria-label") ?? "",
        /^Select u1, Field "name" is required; Field "nmae" is unknown/,
      );
      await row.getByRole("button", { name: reasons[0]! }).click();
      const drawer = page.getByRole("dialog", { name: "Rejected entry" });
      await drawer.getByText("2 problems").waitFor();
      const problems = drawer.getByRole("list", { name: "Problems" }).getByRole("listitem");
      const shown = await problems.allTextContents();
      assert.deepEqual(shown.map((text, index) => text.startsWith(reasons[index]!)), [true, true]);
      await drawer.getByRole("button", { name: "Copy request ID" }).waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
    },
  );

  await t.step("an entry that was resent cannot be chosen again", async () => {
    const drawer = page.getByRole("dialog", { name: "Rejected entry" });
    const fixed = JSON.stringify({ external_id: "u1", name: "order_created" });
    await drawer.getByRole("textbox", { name: "Entry" }).fill(fixed);
    await drawer.getByRole("button", { name: "Resend" }).click();
    await drawer.getByText("Resent", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    const resent = page.locator("tbody tr").filter({ hasText: "Resent" });
    await resent.waitFor();
    assert.equal(await resent.getByRole("checkbox").count(), 0);
    const others = await page.locator("tbody tr").count() - 1;
    await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
    await page.getByText(`${others} ${others === 1 ? "entry" : "entries"} selected`).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("every event name opens in the catalogue", async () => {
    const names = ["a/b?c#d", "50%", ".", "..", "email_sent"];
    await sendEntries(world.info, names.map((name) => ({ external_id: "odd", name })));
    await addUpUsage(world.info);
    for (const name of names) {
      await page.goto(`${workspace}/catalogue`);
      await page.getByRole("row").getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1 }).getByText(name, { exact: true }).waitFor();
      await page.getByText("By the time they arrived, in UTC").waitFor();
    }
    await page.getByRole("button", { name: "Describe" }).click();
    const dialog = page.getByRole("dialog", { name: "Describe event" });
    await dialog.getByLabel("Owner").fill("Checkout");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Checkout").waitFor();
  });

  await t.step("events of the service stand apart from those of the workspace", async () => {
    await page.goto(`${workspace}/catalogue`);
    const nameIn = (table: string, name: string) =>
      page.getByRole("table", { name: table, exact: true }).getByRole("link", { name });
    await nameIn("Built-in events", "email_sent").waitFor();
    await nameIn("Event names", "50%").waitFor();
    await page.getByText("Signalpost stores these itself").waitFor();
    assert.equal(await nameIn("Event names", "email_sent").count(), 0);
    assert.equal(await nameIn("Built-in events", "50%").count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a customer's timeline stands by day, and shows events of one name", async () => {
    await page.goto(`${workspace}/customers/${data.customerId}`);
    const day = page.getByRole("region", { name: /^\d+ [A-Z][a-z]{2} \d{4}$/ });
    await day.first().waitFor();
    const identifies = page.getByRole("listitem").filter({ hasText: "Identify" });
    await identifies.first().waitFor();
    await page.getByPlaceholder("Event name").fill("order_completed");
    await identifies.first().waitFor({ state: "detached" });
    await page.getByRole("listitem").filter({ hasText: "order_completed" }).first().waitFor();
    assert.match(page.url(), /[?&]name=order_completed/);
    await page.getByPlaceholder("Event name").fill("never_sent");
    await page.getByPlaceholder("Event name").press("Enter");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await identifies.first().waitFor();
  });
});

async function openMenu(page: Page, button: string, item: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${button}`) }).click();
  const role = button === "Columns" ? "menuitemcheckbox" : "menuitem";
  await page.getByRole(role, { name: item, exact: true }).click();
}
