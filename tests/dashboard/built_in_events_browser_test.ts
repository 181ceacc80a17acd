import assert from "node:assert/strict";
import { addAutomation } from "../../testing/browser/automation_data.ts";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";

Deno.test("live events can leave out those that Signalpost stores itself", async (t) => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  const send = (name: string) =>
    sendEntries(world.info, [{ external_id: "ada", name, properties: { total: 5 } }]);
  for (const name of ["order_paid", "email_sent", "email_failed"]) await send(name);
  await sendEntries(world.info, [{ type: "identify", external_id: "ada", attributes: {} }]);
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const rows = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  const hide = page.getByRole("checkbox", { name: "Hide Signalpost’s built-in events" });

  await t.step("the filter hides them, new ones too, and is in the address", async () => {
    await page.goto(`${workspace}/events`);
    await rows.nth(3).waitFor();
    await hide.check();
    await page.waitForURL(/\?service=false$/);
    await rows.nth(2).waitFor({ state: "detached" });
    for (const name of ["email_opened", "order_sent"]) await send(name);
    await rows.filter({ hasText: "order_sent" }).waitFor();
    assert.equal(await rows.filter({ hasText: "email_" }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.reload();
    await rows.nth(2).waitFor();
    assert(await hide.isChecked());
    assert.equal(await rows.count(), 3);
    await hide.uncheck();
    await rows.nth(5).waitFor();
  });

  await t.step("the list of the api is without them in each of its orders", async () => {
    const { data: [customer] } = await api.call("GET /customers", { query: { limit: 1 } });
    const filter = JSON.stringify({ property: "total", op: "eq", value: 5 });
    const list = async (query: object) => {
      const { data } = await api.call("GET /events", { query: { service: false, ...query } });
      return data.map(({ name }) => name);
    };
    const own = ["order_sent", null, "order_paid"];
    assert.deepEqual(await list({}), own);
    assert.deepEqual((await list({ customer_id: customer!.id })).length, own.length);
    assert.deepEqual(await list({ filter }), ["order_sent", "order_paid"]);
  });
});

Deno.test("an event names its customer, and the email that it is about", async (t) => {
  await using world = await openDashboardWorld();
  await using _data = await fillDashboard({ info: world.info, text: "" });
  const made = await addAutomation({
    info: world.info,
    api: createSampleApi(world.info),
    text: "",
  });
  const properties = { send_id: made.sendId, campaign_id: made.campaignId, topic: "offers" };
  await sendEntries(world.info, [{ external_id: "user-1", name: "email_clicked", properties }]);
  await sendEntries(world.info, [{ anon_id: "visit-77", name: "page_viewed" }]);
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const rows = page.getByRole("list", { name: "Events" }).getByRole("button");
  const drawer = page.getByRole("dialog");

  await t.step("each row shows the customer's name, or else an ID", async () => {
    await page.goto(`${workspace}/events`);
    const named = rows.filter({ hasText: "email_clicked" }).filter({ hasText: "offers" }).first();
    await named.getByText("Ada Lovelace").waitFor();
    await named.getByTitle("user-1").waitFor();
    await rows.filter({ hasText: "page_viewed" }).getByText("visit-77").first().waitFor();
    await named.click();
  });

  await t.step("the drawer leads to the customer, the email and its parts", async () => {
    await drawer.getByRole("link", { name: "Ada Lovelace" }).waitFor();
    await drawer.getByRole("button", { name: "Copy external ID" }).waitFor();
    const link = (name: string) => drawer.getByRole("link", { name, exact: true });
    await link("Autumn sale").waitFor();
    await drawer.getByTitle("Show events with topic = offers").waitFor();
    await drawer.getByRole("heading", { name: "Destinations" }).waitFor();
    assert.equal(await drawer.getByTitle(/Show events with (send|campaign)_id/).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    await link("Autumn sale").click();
    await page.waitForURL(new RegExp(`/campaigns/${made.campaignId}$`));
  });

  await t.step("an ID that is all that names a customer stands once", async () => {
    await page.goto(`${workspace}/events?name=page_viewed`);
    await rows.filter({ hasText: "visit-77" }).click();
    await drawer.getByRole("link", { name: "visit-77" }).waitFor();
    assert.equal(await drawer.getByRole("button", { name: "Copy anonymous ID" }).count(), 0);
  });
});
