import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { sendEntries } from "../../testing/browser/sample_calls.ts";

Deno.test("rejected entries are grouped by reason, and one fix resends all of them", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const misspelled = 'Field "nmae" is unknown: did you mean "name"?';
  await sendEntries(world.info, [
    { external_id: "u1", nmae: "order_created" },
    { external_id: "u2", nmae: "order_created" },
    { external_id: "null", name: "order_paid" },
    { external_id: "u3", nmae: "" },
    { external_id: "u4", name: "" },
  ]);
  const panel = page.getByRole("region", { name: "By reason" });
  const rows = page.locator("tbody tr");
  const group = panel.getByRole("listitem").filter({ hasText: misspelled });

  await t.step("a group has its number, times and an example, and a click filters", async () => {
    await page.goto(`${workspace}/rejected`);
    await group.getByText("3", { exact: true }).waitFor();
    assert.match(await group.innerText(), /Track API · First .+ · Last .+ · Example/);
    assert.equal(await panel.getByRole("listitem").count(), 3);
    await group.getByRole("button", { name: 'Field "name" is required' }).click();
    await page.waitForURL(/code=invalid_input&field=name&origin=track&reason=.*&status=/);
    await rows.nth(3).waitFor({ state: "detached" });
    assert.equal(await rows.count(), 3);
    assert.equal((await findProblems(page)).join("\n"), "");
    await group.getByRole("button", { name: 'Field "name" is required' }).click();
    await rows.nth(3).waitFor();
  });

  await t.step("the fix is the name that was meant, with a preview of three entries", async () => {
    await group.getByRole("button", { name: "Fix and resend all…" }).click();
    const dialog = page.getByRole("dialog", { name: "Fix and resend 3 entries" });
    assert.equal(await dialog.getByLabel("Field", { exact: true }).inputValue(), "nmae");
    assert.equal(await dialog.getByLabel("New name").inputValue(), "name");
    const after = dialog.getByRole("region", { name: /^After/ });
    await after.nth(2).waitFor();
    const shown = (await after.allInnerTexts()).map((text) => JSON.parse(text).name);
    assert.deepEqual(shown, ["", "order_created", "order_created"]);
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByText("Remove", { exact: true }).click();
    assert.equal(await dialog.getByLabel("Field", { exact: true }).inputValue(), "nmae");
    assert(!(await after.first().innerText()).includes("nmae"));
    await dialog.getByText("Rename", { exact: true }).click();
    await dialog.getByLabel("New name").fill("name");
  });

  await t.step(
    "one that is selected gets the same fix, without its place in the bulk",
    async () => {
      await page.keyboard.press("Escape");
      await rows.filter({ hasText: misspelled }).first().getByRole("checkbox").check();
      await page.getByRole("button", { name: "Fix and resend…" }).click();
      const dialog = page.getByRole("dialog", { name: "Fix and resend 1 entry" });
      assert.equal(await dialog.getByLabel("Field", { exact: true }).inputValue(), "nmae");
      assert.equal(await dialog.getByLabel("New name").inputValue(), "name");
      await dialog.getByRole("region", { name: "After 1" }).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await rows.filter({ hasText: misspelled }).first().getByRole("checkbox").uncheck();
      await group.getByRole("button", { name: "Fix and resend all…" }).click();
    },
  );

  await t.step("all are resent, and the result says which are still rejected", async () => {
    const dialog = page.getByRole("dialog", { name: "Fix and resend 3 entries" });
    await dialog.getByRole("button", { name: "Resend 3 entries" }).dblclick();
    await dialog.getByText("2 of 3 entries resent").waitFor();
    await dialog.getByText("1 entry still rejected:").waitFor();
    await dialog.getByText('1 × Field "name" must be').waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByRole("button", { name: "Done" }).click();
    await group.getByText("1", { exact: true }).waitFor();
    await page.goto(`${workspace}/events`);
    await page.getByText("order_created").nth(1).waitFor();
    assert.equal(await page.getByText("order_created").count(), 2);
  });

  await t.step(
    "selected entries get one fix, and what it does not change is not sent",
    async () => {
      await page.goto(`${workspace}/rejected`);
      await page.getByRole("checkbox", { name: "Select all loaded rows" }).check();
      await page.getByRole("button", { name: "Fix and resend…" }).click();
      const dialog = page.getByRole("dialog", { name: "Fix and resend 3 entries" });
      await dialog.getByText("Rename", { exact: true }).click();
      await dialog.getByLabel("Field", { exact: true }).fill("nothing");
      await dialog.getByLabel("New name").fill("name");
      await dialog.getByText("The fix does not change this entry. It is skipped.").first()
        .waitFor();
      await dialog.getByText("Set value", { exact: true }).click();
      await dialog.getByLabel("Field", { exact: true }).fill("external_id");
      await dialog.getByRole("region", { name: /^Before/ }).nth(2).waitFor();
      await dialog.getByText("Enter a value to preview the result.").first().waitFor();
      await dialog.getByLabel("Value", { exact: true }).fill("u3");
      await dialog.getByText("All 3 entries go to one customer").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await dialog.getByRole("button", { name: "Resend 3 entries" }).click();
      await dialog.getByText("1 of 3 entries resent").waitFor();
      await dialog.getByText("1 entry was skipped").waitFor();
      await dialog.getByText("1 entry still rejected:").waitFor();
    },
  );

  await t.step("after a failure the fix is as it was, for the entries that are left", async () => {
    const dialog = page.getByRole("dialog", { name: /^Fix and resend/ });
    await dialog.getByRole("button", { name: "Back to the fix" }).click();
    await page.getByRole("dialog", { name: "Fix and resend 2 entries" }).waitFor();
    assert.equal(await dialog.getByLabel("Field", { exact: true }).inputValue(), "external_id");
    assert.equal(await dialog.getByLabel("Value", { exact: true }).inputValue(), "u3");
    await dialog.getByLabel("Field", { exact: true }).fill("nmae");
    await dialog.getByRole("button", { name: "Resend 2 entries" }).click();
    await dialog.getByText("Nothing was resent").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await panel.getByRole("listitem").nth(2).waitFor({ state: "detached" });
    assert.equal(await panel.getByRole("listitem").count(), 2);
  });

  await t.step("a resent entry says when, and leads to the event that it became", async () => {
    await page.goto(`${workspace}/rejected?status=resent`);
    await rows.first().getByRole("button").click();
    const drawer = page.getByRole("dialog", { name: "Rejected entry" });
    const alerts = drawer.getByRole("alert");
    await alerts.first().getByText("Resent", { exact: true }).waitFor();
    await alerts.first().locator("time").waitFor();
    await alerts.nth(1).getByText("Why it was rejected").waitFor();
    assert.equal(await alerts.nth(1).getByRole("listitem").count(), 1);
    await drawer.getByText("The entry before it was resent").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await drawer.getByRole("link", { name: "View the event" }).click();
    await page.waitForURL(/events\?event=/);
    await page.getByRole("dialog").getByText("order_paid").first().waitFor();
  });

  await t.step("an entry is discarded, leaves the reasons, and can still be resent", async () => {
    await page.goto(`${workspace}/rejected?status=rejected`);
    await panel.getByRole("listitem").nth(1).waitFor();
    await rows.first().getByRole("button").click();
    const drawer = page.getByRole("dialog", { name: "Rejected entry" });
    const entry = drawer.getByRole("textbox", { name: "Entry" });
    const original = await entry.inputValue();
    await entry.fill('{\n  "name": order\n}');
    await drawer.getByText("Line 2, position 11: expected a value, found order").waitFor();
    await entry.fill(original);
    await drawer.getByRole("button", { name: "Discard" }).click();
    await drawer.getByText("You can still resend it.").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await drawer.getByRole("button", { name: "Close entry" }).click();
    await panel.getByRole("listitem").nth(1).waitFor({ state: "detached" });
    assert.equal(await rows.count(), 1);
  });

  await t.step("all entries of a reason are discarded after a question", async () => {
    await panel.getByRole("button", { name: "Discard all…" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard 1 entry?" });
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByRole("button", { name: "Discard 1 entry" }).click();
    await panel.waitFor({ state: "detached" });
    await page.getByLabel("Status").click();
    await page.getByRole("option", { name: "Discarded" }).click();
    await rows.nth(1).waitFor();
    assert.equal(await rows.getByText("Discarded").count(), 2);
  });

  await t.step("one click renames the misspelled field of an entry, which is resent", async () => {
    await sendEntries(world.info, [
      { external_id: "u8", name: "order_paid" },
      { external_id: "u9", nmae: "order_paid" },
    ]);
    await page.goto(`${workspace}/rejected`);
    await rows.filter({ hasText: misspelled }).first().getByRole("button").first().click();
    const drawer = page.getByRole("dialog", { name: "Rejected entry" });
    const entry = drawer.getByRole("textbox", { name: "Entry" });
    assert.equal(await readFact(drawer, "Position in its bulk"), "2");
    assert.equal(await readFact(drawer, "Through"), "Track API");
    assert.equal((await findProblems(page)).join("\n"), "");
    await drawer.getByRole("button", { name: "Rename nmae to name" }).click();
    await drawer.getByRole("button", { name: "Rename nmae to name" }).waitFor({
      state: "detached",
    });
    assert.deepEqual(JSON.parse(await entry.inputValue()), {
      external_id: "u9",
      name: "order_paid",
    });
    await drawer.getByRole("button", { name: "Resend" }).click();
    await drawer.getByRole("alert").first().getByText("Resent", { exact: true }).waitFor();
  });

  await t.step("the link to the customer does not move while the rest is read", async () => {
    await sendEntries(world.info, [{ external_id: "null", name: "order_paid" }]);
    await page.goto(`${workspace}/rejected`);
    await rows.first().getByRole("button").first().click();
    const drawer = page.getByRole("dialog", { name: "Rejected entry" });
    const entry = drawer.getByRole("textbox", { name: "Entry" });
    await entry.fill(JSON.stringify({ external_id: "u10", name: "order_paid" }));
    const read = Promise.withResolvers<void>();
    await page.route(/\/rejected-entries\/[^/]+$/, async (route) => {
      await read.promise;
      await route.continue();
    });
    await drawer.getByRole("button", { name: "Resend" }).click();
    const link = drawer.getByRole("link", { name: "View on the customer’s timeline" });
    await link.waitFor();
    const first = await link.boundingBox();
    read.resolve();
    await drawer.getByRole("link", { name: "View the event" }).waitFor();
    assert.deepEqual(await link.boundingBox(), first);
  });
});

/** Reads a fact of a list of names and values. */
function readFact(within: Locator, name: string): Promise<string> {
  return within.locator(".field").filter({ has: within.page().getByText(name, { exact: true }) })
    .locator("dd").innerText();
}
