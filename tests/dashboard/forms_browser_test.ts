import assert from "node:assert/strict";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";
import { goTo, openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

Deno.test("forms and filters keep what a person means", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);

  await t.step("the start of an event name filters nothing, the whole name does", async () => {
    await goTo(page, "Live events");
    const name = page.getByRole("combobox", { name: "Event name" });
    const starts: string[] = [];
    page.on("request", (request) => {
      if (/[?&]name=order(&|$)/.test(request.url())) starts.push(request.url());
    });
    await name.fill("order");
    // New events are read every two seconds, with the filter of that time.
    for (let poll = 0; poll < 2; poll++) await page.waitForResponse(/api\/events\?/);
    await name.fill("order_created");
    await page.keyboard.press("Enter");
    await page.waitForURL(/name=order_created/);
    assert.deepEqual(starts, []);
    await name.fill("nothing_like_it");
    await page.keyboard.press("Enter");
    await page.waitForURL(/name=nothing_like_it/);
    await page.getByText("No matching events").waitFor();
  });

  await t.step("the badge of live events says when the service cannot be reached", async () => {
    await goTo(page, "Live events");
    await page.getByText("Listening").waitFor();
    const events = /functions\/v1\/api\/events/;
    await page.route(events, (route) => route.abort());
    await page.getByText("Reconnecting").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute(events);
    await page.getByText("Listening").waitFor();
  });

  await t.step("a page of something that does not exist leads back", async () => {
    await page.goto(`${workspace}/senders/nope`);
    await page.getByText("Page not found").waitFor();
    assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("link", { name: "Back to start" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  await t.step("a text in the place of a time in the address is ignored", async () => {
    await page.goto(`${workspace}?range=99x&since=foo&until=bar`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const range = page.getByRole("combobox", { name: "Time range" });
    assert.equal(await range.inputValue(), "Last 24 hours");
  });

  await t.step("a field's error names the field, and an address gets its scheme", async () => {
    await page.goto(`${workspace}/destinations/new`);
    await page.getByLabel("Endpoint URL").fill("example.com/hooks");
    await page.getByRole("button", { name: "Create destination" }).click();
    await page.getByText("Name is required").waitFor();
    await page.locator('input[value="https://example.com/hooks"]').waitFor();
  });

  await t.step("a cancelled edit is gone when the dialog opens again", async () => {
    await page.goto(`${workspace}/customers/${data.customerId}`);
    const edit = page.getByRole("button", { name: "Edit", exact: true });
    await edit.click();
    const field = page.getByRole("dialog").getByLabel("First name");
    const stored = await field.inputValue();
    await field.fill("Somebody else");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await edit.click();
    assert.equal(await field.inputValue(), stored);
    await page.keyboard.press("Escape");
  });

  await t.step("a double click sends one ping", async () => {
    const pings: string[] = [];
    page.on("request", (request) => {
      if (/destinations\/[^/]+\/test$/.test(request.url())) pings.push(request.url());
    });
    await page.goto(`${workspace}/destinations/${data.destinationId}`);
    await page.getByRole("button", { name: "Send test ping" }).dblclick();
    await page.getByRole("dialog").getByText("Failed 500").waitFor();
    assert.equal(pings.length, 1);
    await page.keyboard.press("Escape");
  });

  await t.step("missed messages can be discarded when a destination is enabled", async () => {
    await page.goto(`${workspace}/destinations/${data.missedId}`);
    await page.getByRole("button", { name: "Enable" }).click();
    const dialog = page.getByRole("dialog", { name: "Enable destination" });
    await dialog.getByRole("radio", { name: "Discard them" }).check();
    await dialog.getByRole("button", { name: "Enable" }).click();
    await dialog.getByText(/^\d+ messages discarded$/).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: /^Missed 0/ }).click();
    await page.getByText("No matching messages").waitFor();
  });

  await t.step("enabling asks about messages missed since the page was read", async () => {
    const api = createSampleApi(world.info);
    const body = { name: "Ledger", url: "https://example.com/hooks", event_types: ["paid"] };
    const { id } = await api.call("POST /destinations", { body });
    const disabled = await api.call("PATCH /destinations/{id}", {
      params: { id },
      body: { enabled: false },
    });
    const reads = (url: URL) => url.pathname.endsWith(`/api/destinations/${id}`);
    await page.route(reads, (route) => route.fulfill({ json: disabled }));
    await page.goto(`${workspace}/destinations/${id}`);
    const enable = page.getByRole("button", { name: "Enable", exact: true });
    await enable.waitFor();
    await sendEntries(world.info, [{ external_id: "payer", name: "paid" }]);
    await page.unroute(reads);
    await enable.click();
    const dialog = page.getByRole("dialog", { name: "Enable destination" });
    await dialog.getByText(/^1 message was missed/).waitFor();
    await page.keyboard.press("Escape");
  });
});
