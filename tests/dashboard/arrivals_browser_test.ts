import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addUpUsage } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { sendEntries } from "../../testing/browser/sample_calls.ts";

/** The longest time after which an open page is read again. */
const longestMs = 15_000;

Deno.test("open pages show what arrives, without a reload", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  await page.clock.install();
  const workspace = await signIn(page, world.info.user);

  await t.step("the first steps wait for an event that the service has not stored", async () => {
    await page.goto(`${workspace}/getting-started`);
    await page.getByText("Listening for your first event").waitFor();
    await sendEntries(world.info, [{ external_id: "ada", name: "email_sent" }]);
    const read = page.waitForResponse(async (response) =>
      response.url().includes("/api/events?") && (await response.text()).includes("email_sent")
    );
    await page.clock.runFor(longestMs);
    await read;
    await page.getByText("Listening for your first event").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Events are arriving" }).count(), 0);
    await sendEntries(world.info, [{ external_id: "ada", name: "first_visit" }]);
    await showsLater(page, "Events are arriving");
  });

  await t.step("the catalogue shows the first name of an event", async () => {
    await page.goto(`${workspace}/catalogue`);
    await page.getByText("No events yet").waitFor();
    await sendEntries(world.info, [{ external_id: "ada", name: "order_created" }]);
    await addUpUsage(world.info);
    await showsLater(page, "order_created");
  });

  await t.step("the event in the catalogue shows a new property", async () => {
    await page.getByRole("link", { name: "order_created" }).click();
    await page.getByRole("heading", { level: 1, name: "order_created" }).waitFor();
    const properties = { colour: "green" };
    await sendEntries(world.info, [{ external_id: "ada", name: "order_created", properties }]);
    await showsLater(page, "colour");
  });

  await t.step("customers show a new one", async () => {
    await page.goto(`${workspace}/customers`);
    await page.getByRole("link", { name: "ada" }).waitFor();
    await sendEntries(world.info, [{ external_id: "grace", name: "order_created" }]);
    await showsLater(page, "grace");
  });

  await t.step("a customer shows new attributes and events", async () => {
    await page.getByRole("link", { name: "grace" }).click();
    await page.getByText("order_created").first().waitFor();
    await sendEntries(world.info, [
      { type: "identify", external_id: "grace", first_name: "Grace", last_name: "Hopper" },
      { external_id: "grace", name: "order_paid" },
    ]);
    await showsLater(page, "Grace Hopper");
    await showsLater(page, "order_paid");
  });
});

async function showsLater(page: Page, text: string): Promise<void> {
  await page.clock.runFor(longestMs);
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}
