import assert from "node:assert/strict";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";

Deno.test("fields suggest what to choose, and cover nothing before they are asked", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);

  await t.step("the key of a new segment follows its name until somebody edits it", async () => {
    await page.goto(`${workspace}/segments/new`);
    const [name, key] = [page.getByLabel("Name"), page.getByLabel("Key")];
    await name.fill("Big spenders!");
    assert.equal(await key.inputValue(), "big_spenders");
    await key.fill("vip");
    await name.fill("Bigger spenders");
    assert.equal(await key.inputValue(), "vip");
  });

  await t.step("the name of a stored segment leaves its key as it is", async () => {
    const { id } = await createSampleApi(world.info).call("POST /segments", {
      body: { name: "Buyers", key: "buyers", kind: "static" },
    });
    await page.goto(`${workspace}/segments/${id}/edit`);
    await page.getByLabel("Name").fill("Customers");
    assert.equal(await page.getByLabel("Key").inputValue(), "buyers");
  });

  await t.step(
    "a list of suggestions opens with a key or a click, and not with the focus",
    async () => {
      await page.goto(`${workspace}/destinations/new`);
      await page.getByRole("radio", { name: "Selected events" }).check();
      const types = page.getByRole("combobox", { name: "Selected event types" });
      await types.waitFor();
      assert.equal(await page.getByRole("option").count(), 0);
      await types.focus();
      await types.and(page.locator(":focus")).waitFor();
      assert.equal(await page.getByRole("option").count(), 0);
      await page.keyboard.press("ArrowDown");
      await page.getByRole("option").first().waitFor();
    },
  );

  await t.step("a list that opens upwards leaves the label of its field in sight", async () => {
    await resizeWindow(page, { width: 1280, height: 560 });
    await page.goto(`${workspace}/settings`);
    const zone = page.getByRole("combobox", { name: "Time zone" });
    await zone.evaluate((field) =>
      (field as unknown as { scrollIntoView(how: object): void }).scrollIntoView({ block: "end" })
    );
    await zone.fill("Europe/B");
    const list = (await page.getByRole("listbox").boundingBox())!;
    const label = (await page.getByText("Time zone", { exact: true }).boundingBox())!;
    assert.ok(list.y < label.y, "the list opens downwards");
    assert.ok(list.y + list.height <= label.y, "the list covers the label");
  });

  await t.step("a suggestion that is typed to its end closes the list", async () => {
    const zone = page.getByRole("combobox", { name: "Time zone" });
    const options = page.getByRole("option");
    await zone.fill("Europe/Berli");
    await options.filter({ hasText: "Europe/Berlin" }).waitFor();
    await zone.fill("Europe/Berlin");
    await options.first().waitFor({ state: "detached" });
    await zone.blur();
    await zone.click();
    await options.filter({ hasText: "Africa/Accra" }).waitFor();
  });

  await t.step("scopes are a table by area, and a preset chooses them", async () => {
    await page.goto(`${workspace}/settings/api-keys`);
    await page.getByRole("button", { name: "New key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    const row = dialog.getByRole("row", { name: /^destinations/i });
    const [read, write] = ["Read destinations", "Change destinations"].map((name) =>
      row.getByRole("checkbox", { name })
    );
    await row.getByText("URLs, health and event types.").waitFor();
    await dialog.getByText("Read only", { exact: true }).click();
    assert.deepEqual([await read!.isChecked(), await write!.isChecked()], [true, false]);
    const track = dialog.getByRole("row", { name: /^track/i });
    assert.equal(await track.getByRole("checkbox").count(), 1);
    assert.equal(await track.getByRole("checkbox", { name: "Send events" }).isChecked(), false);
    assert.deepEqual(await findProblems(page), []);
  });
});
