import assert from "node:assert/strict";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";
import { goTo, openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

Deno.test("alerts and the search work by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  await using _ = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);

  await t.step("a workspace without rules is offered some, filled in", async () => {
    await goTo(page, "Alerts");
    await page.getByRole("button", { name: "Messages are missed" }).click();
    const dialog = page.getByRole("dialog", { name: "New alert rule" });
    await dialog.locator('input[value="Messages are missed"]').waitFor();
    assert.equal(await dialog.getByLabel("Alert about").inputValue(), "Missed messages");
    assert.deepEqual(await findProblems(page), []);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New rule" }).click();
    assert.equal(await dialog.getByLabel("Name").inputValue(), "");
    // The sender mails the member, so nobody is forgotten until both are taken away.
    await dialog.getByText(world.info.user.email).waitFor();
    assert.equal(await dialog.getByText("Nobody is notified").count(), 0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  await t.step("a rule is created by keyboard, and a reload keeps what was typed", async () => {
    await goTo(page, "Alerts");
    await page.getByRole("button", { name: "New rule" }).first().focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New alert rule" });
    await dialog.getByLabel("Name").fill("Warehouse is down");
    // The member who creates a rule gets its notices, unless they say otherwise.
    await dialog.getByText(world.info.user.email).waitFor();
    await dialog.getByText(/It also goes to CRM, by subscription/).waitFor();
    await dialog.getByLabel("Minutes of failure").waitFor();
    await page.reload();
    await dialog.locator('input[value="Warehouse is down"]').waitFor();
    assert.deepEqual(await findProblems(page), []);
    const box = await dialog.boundingBox();
    assert.ok(box && box.height <= 700, `${box?.height} pixels high`);
    await dialog.getByLabel("Name").focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: /Warehouse is down/ });
    await row.getByText("Any destination fails for 5 minutes").waitFor();
    await row.getByText(`Bell, ${world.info.user.email}`).waitFor();
    await row.getByText("And CRM, by subscription").waitFor();
    await row.getByText("No open alert").waitFor();
    assert.deepEqual(await findProblems(page), []);
  });

  await t.step("the common rules that are missing stay in sight", async () => {
    assert.equal(await page.getByRole("button", { name: "A destination fails" }).count(), 0);
    await page.getByRole("button", { name: "The ingest quota is nearly used" }).click();
    const dialog = page.getByRole("dialog", { name: "New alert rule" });
    await dialog.locator('input[value="The ingest quota is nearly used"]').waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  await t.step("a wrong address and equal quiet times are named at their fields", async () => {
    await createSampleApi(world.info).call("POST /senders", {
      body: {
        name: "Notices",
        provider: "smtp",
        from: "ops@example.com",
        config: { host: "127.0.0.1", port: 2525, secure: false },
      },
    });
    await page.reload();
    await page.getByRole("button", { name: "New rule" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New alert rule" });
    await dialog.getByLabel("Name").fill("Night watch");
    await dialog.getByRole("combobox", { name: "Email from" }).click();
    await page.getByRole("option", { name: "Notices" }).click();
    await dialog.getByLabel("Email addresses").press("Backspace");
    await dialog.getByRole("button", { name: "Create rule" }).click();
    await dialog.getByText("Enter at least one address").waitFor();
    await dialog.getByLabel("Email addresses").fill("nobody");
    await page.keyboard.press("Enter");
    const [from, until] = [dialog.getByLabel("Quiet from"), dialog.getByLabel("Quiet until")];
    await from.fill("10 pm");
    await until.fill("9:00");
    await dialog.getByRole("button", { name: "Create rule" }).click();
    await dialog.getByText("Use 24-hour time, such as 21:00").waitFor();
    assert.equal(await from.getAttribute("aria-invalid"), "true");
    assert.equal(await until.getAttribute("aria-invalid"), null);
    for (const time of [from, until]) await time.fill("22:00");
    await dialog.getByRole("button", { name: "Create rule" }).click();
    await dialog.getByText('"nobody" must be an email address').waitFor();
    await dialog.getByText("Quiet hours must start and end at different times").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  await t.step("a rule warns of what nobody hears of outside the dashboard", async () => {
    await page.getByRole("button", { name: "New rule" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New alert rule" });
    await dialog.getByLabel("Name").fill("Unheard");
    const sender = dialog.getByRole("combobox", { name: "Email from" });
    await sender.click();
    await page.getByRole("option", { name: await sender.inputValue(), exact: true }).click();
    const warning = "Nobody is notified about “CRM” outside the dashboard";
    await dialog.getByText(`${warning}.`).waitFor();
    assert.deepEqual(await findProblems(page), []);
    await dialog.getByRole("button", { name: "Create rule" }).click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: /Unheard/ });
    const text = (await row.getByText(warning).boundingBox())!;
    const icon = (await row.locator(".beside-text svg").boundingBox())!;
    const middleOf = (box: typeof text) => box.y + box.height / 2;
    assert.ok(Math.abs(middleOf(text) - middleOf(icon)) <= 1, "the icon is not in its line");
    assert.deepEqual(await findProblems(page), []);
  });

  await t.step("a test alert is in the history", async () => {
    await page.getByRole("button", { name: "Actions for Warehouse is down" }).click();
    await page.getByRole("menuitem", { name: "Send a test alert" }).click();
    await page.getByRole("row").filter({ hasText: "Test" }).first().waitFor();
    const to = `${world.info.base_url}/inbox/api/mails?to=${world.info.user.email}&wait=30`;
    const [mail] = (await (await fetch(to)).json()).data;
    assert.match(mail.subject, /^Test: Destination "Example" has been failing for 5 minutes/);
  });

  await t.step("the history shows the alerts of one rule", async () => {
    await page.getByRole("button", { name: "Actions for Warehouse is down" }).click();
    await page.getByRole("menuitem", { name: "Show its alerts" }).click();
    await page.waitForURL(/rule=/);
    assert.equal(
      await page.getByRole("combobox", { name: "Rule" }).inputValue(),
      "Warehouse is down",
    );
  });

  await t.step("the bell lists what is open", async () => {
    await page.getByRole("button", { name: /open alert/ }).click();
    await page.getByRole("menuitem", { name: "All alerts and rules" }).click();
    await page.waitForURL(`${workspace}/alerts`);
  });

  await t.step("Ctrl K finds a customer by the address", async () => {
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Search" });
    await search.fill("person1@example.com");
    await page.getByRole("option", { name: /Ada Lovelace/ }).waitFor();
    assert.deepEqual(await findProblems(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
    await page.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
  });
});
