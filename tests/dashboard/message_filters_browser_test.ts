import assert from "node:assert/strict";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";

const narrowest = { width: 360, height: 740 };

Deno.test("a person finds the messages about a customer, with the mouse", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const mouse = makeMouse(page);
  const workspace = await signIn(page, world.info.user);
  const name = "Annabella Byron";
  const table = page.getByRole("table", { name: "Messages" });
  const rows = table.locator("tbody tr");

  await t.step("a customer's page leads to the messages about them", async () => {
    await page.goto(`${workspace}/customers/${data.customerId}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await mouse.press(page.getByRole("tab", { name: "Webhooks" }));
    const messages = page.getByRole("table", { name: "Webhook messages" });
    await messages.getByText("Warehouse").first().waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await mouse.press(page.getByRole("link", { name: "Filter these messages" }));
    await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
    await table.getByRole("link", { name }).first().waitFor();
    assert.equal(await page.getByRole("combobox", { name: "Customer" }).inputValue(), name);
    assert.equal(await rows.count(), await table.getByRole("link", { name }).count());
  });

  await t.step("two states are filtered at once", async () => {
    const field = page.getByRole("combobox", { name: "State" });
    await mouse.choose(field, "Missed");
    await page.getByRole("option", { name: "Delivered" }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => url.searchParams.get("state") === "delivered,missed");
    assert.equal(await field.getAttribute("placeholder"), "Delivered, Missed");
    for (const state of ["Delivered", "Missed"]) {
      await rows.getByText(state, { exact: true }).first().waitFor();
    }
    await rows.getByText(/^(Retrying|Waiting|Sending)$/).first().waitFor({ state: "detached" });
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("another customer is found by address, and taken with Enter", async () => {
    const url = page.url();
    const field = page.getByRole("combobox", { name: "Customer" });
    await field.fill("person2@example.com");
    await page.getByRole("option", { name: "person2@example.com" }).waitFor();
    // The chosen one does not match what was typed.
    assert.equal(await page.getByRole("option").count(), 1);
    await field.press("Enter");
    await page.waitForURL((next) => {
      const id = next.searchParams.get("customer_id");
      return id !== null && id !== data.customerId;
    });
    await page.goto(url);
  });

  await t.step("a message shows its customer by name", async () => {
    await mouse.press(rows.getByRole("button").first());
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("link", { name }).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  await t.step("a message is found by its ID, and half an ID is not one", async () => {
    await mouse.press(rows.getByRole("button").first());
    const drawer = page.getByRole("dialog");
    await drawer.getByText("Message ID").waitFor();
    const id = new URL(page.url()).searchParams.get("message")!;
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    const field = page.getByRole("textbox", { name: "Message ID" });
    await field.fill(id.slice(0, 8));
    await page.keyboard.press("Enter");
    await page.getByText("Must be a whole ID").waitFor();
    await field.fill(` ${id.toUpperCase()} `);
    await drawer.getByText(id).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a narrow phone shows the filters without scrolling sideways", async () => {
    await resizeWindow(page, narrowest);
    await mouse.press(page.getByRole("button", { name: "Filters (2)" }));
    await page.getByRole("combobox", { name: "State" }).waitFor();
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    assert.ok(width <= narrowest.width, `${width} pixels`);
  });

  await t.step("the customer and the states are removed again", async () => {
    const customer = page.getByRole("combobox", { name: "Customer" });
    // An option that is chosen again is not chosen any more.
    await mouse.choose(customer, new RegExp(name));
    await page.waitForURL((url) => !url.searchParams.has("customer_id"));
    await mouse.choose(page.getByRole("combobox", { name: "State" }), "Missed");
    await page.getByRole("option", { name: "Delivered" }).click();
    await page.waitForURL((url) => !url.searchParams.has("state"));
    await page.getByRole("button", { name: "Filters", exact: true }).waitFor();
  });

  await t.step("the number of missed messages shows them", async () => {
    await page.goto(`${workspace}/messages`);
    await page.getByText(/^[\d,]+ waiting$/).waitFor();
    await mouse.press(page.getByRole("button", { name: /^[1-9][\d,]* missed$/ }));
    await page.waitForURL((url) => url.searchParams.get("state") === "missed");
    await rows.getByText("Missed", { exact: true }).first().waitFor();
    await rows.getByText("Delivered", { exact: true }).first().waitFor({ state: "detached" });
    const missed = page.getByText(/^[1-9][\d,]* missed$/);
    await missed.waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.goto(`${workspace}/messages?event_type=order_created`);
    await rows.getByText("order_created", { exact: true }).first().waitFor();
    assert.equal(await missed.count(), 0, "destinations do not count by type");
  });
});
