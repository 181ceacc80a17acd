import assert from "node:assert/strict";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";

Deno.test("the keyboard leads to pages, rows and filters", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const api = createSampleApi(world.info);
  for (const name of ["First", "Second"]) {
    await api.call("POST /destinations", {
      body: { name, url: "https://example.com/hooks", event_types: ["*"] },
    });
  }
  const focused = page.locator(":focus");

  await t.step("? lists the shortcuts", async () => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByRole("region", { name: "Go to a page" }).getByText("Destinations").waitFor();
    assert.deepEqual(await findProblems(page), []);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
  });

  await t.step("every listed key opens its page", async () => {
    await page.keyboard.press("?");
    const help = page.getByRole("region", { name: "Go to a page" });
    await help.waitFor();
    const labels = await help.locator("dt").allInnerTexts();
    const keys = await help.locator("dd").allInnerTexts();
    const listed = labels.map((label, index) => [label, ...keys[index]!.match(/\S/g)!] as const);
    assert.ok(listed.length >= 15, `${listed.length} pages`);
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    for (const [label, first, second] of listed) {
      await page.keyboard.press(first!);
      await page.keyboard.press(second!);
      const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
        name: label!,
      });
      await link.and(page.locator("[aria-current=page]")).waitFor();
    }
  });

  await t.step("j and k go through the rows of a list, and Enter opens one", async () => {
    await page.goto(`${workspace}/destinations`);
    await page.getByRole("row", { name: /First/ }).waitFor();
    const names = await page.locator("tbody .row-link").allInnerTexts();
    const isFocused = (index: number) =>
      page.locator("tbody .row-link").nth(index).and(focused).waitFor();
    await page.keyboard.press("j");
    await isFocused(0);
    await page.keyboard.press("j");
    await isFocused(1);
    await page.keyboard.press("j");
    await isFocused(1);
    await page.keyboard.press("k");
    await isFocused(0);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: names[0]!.split("\n")[0]! }).waitFor();
  });

  await t.step("f goes to the filters, which keep their keys", async () => {
    await page.goto(`${workspace}/customers`);
    const filter = page.getByRole("textbox", { name: "Search customers" });
    await filter.waitFor();
    await page.keyboard.press("f");
    await filter.and(focused).waitFor();
    await page.keyboard.type("fjk?");
    assert.equal(await filter.inputValue(), "fjk?");
  });
});

Deno.test("the account page chooses the theme and the time zone", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  await page.goto(`${workspace}/settings/account`);
  const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");

  await t.step("the theme", async () => {
    await page.getByText("Dark", { exact: true }).click();
    assert.equal(await scheme(), "dark");
    assert.deepEqual(await findProblems(page), []);
    await page.reload();
    await page.getByText("Dark", { exact: true }).waitFor();
    assert.equal(await page.getByRole("radio", { name: "Dark" }).isChecked(), true);
    assert.equal(await scheme(), "dark");
  });

  await t.step("the time zone, which the menu shows too", async () => {
    await page.getByRole("combobox", { name: "Time zone" }).click();
    await page.getByRole("option", { name: "UTC" }).click();
    await page.getByRole("button", { name: /sign out/ }).click();
    const item = page.getByRole("menuitemradio", { name: "UTC" });
    await item.waitFor();
    assert.equal(await item.getAttribute("aria-checked"), "true");
  });
});
