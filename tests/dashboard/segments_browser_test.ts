import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { goTo, openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";

const phone = { width: 390, height: 844 };
const complete = "Complete the condition to see the count";
const add = "Add a condition to see how many match";

Deno.test("a segment is built, counted, explained, exported and filled", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);

  await t.step("by mouse, with a count and examples while editing", async () => {
    await goTo(page, "Segments");
    await page.getByRole("link", { name: "New segment" }).click();
    await page.getByRole("heading", { level: 1, name: "New segment" }).waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("Buyers");
    await page.getByRole("heading", { name: add }).waitFor();
    await addCondition(page, "Event");
    await page.getByRole("combobox", { name: "Event name" }).fill("order_cr");
    await page.getByRole("option", { name: "order_created" }).click();
    await page.getByRole("heading", { name: /^[1-9]\d* customers?$/ }).waitFor();
    await page.getByRole("button", { name: "Filter by property" }).click();
    await page.getByRole("combobox", { name: "Property" }).click();
    await page.getByRole("option", { name: "total" }).click();
    await choose(page, "Operator", "is at least");
    await page.getByRole("heading", { name: complete }).waitFor();
    await page.getByRole("textbox", { name: "Number" }).fill("1000");
    await page.getByRole("heading", { name: "0 customers" }).waitFor();
    await page.getByRole("textbox", { name: "Number" }).fill("10");
    await page.getByRole("region", { name: "Preview" }).getByRole("link").first().waitFor();
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByRole("heading", { level: 1, name: /Buyers/ }).waitFor();
    await page.getByText("order_created where total is at least 10").first().waitFor();
  });

  await t.step("by keyboard alone, with the focus on what comes next", async () => {
    await page.goto(`${workspace}/segments/new`);
    await page.getByRole("button", { name: "Add condition" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Field or attribute" }).focus();
    await page.keyboard.press("Enter");
    await focused(page, "Field");
    await page.keyboard.type("plan");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await focused(page, "Operator");
    // A name that is not one of the profile is an attribute.
    await page.locator('input[value="attributes.plan"]').waitFor();
    await page.keyboard.press("Tab");
    await focused(page, "Type of the value");
    await page.keyboard.press("Tab");
    await focused(page, "Value");
    await page.keyboard.type("pro");
    await page.getByRole("heading", { name: /^[1-9]\d* customers$/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByRole("heading", { name: /customers?$/ }).waitFor();
    await page.getByRole("button", { name: "Not", pressed: true }).waitFor();
    await page.getByRole("button", { name: "Condition actions" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: add }).waitFor();
    await page.locator(":focus", { hasText: /^Add condition$/ }).waitFor();
  });

  await t.step("an error of the api stands at the part that it names", async () => {
    await page.getByRole("button", { name: "Show JSON" }).click();
    const json = page.getByRole("textbox", { name: "Condition as JSON" });
    await json.fill(`{"all":[{"event":"order_created"},{"segment":"nowhere"}]}`);
    const leaf = page.getByRole("group", { name: "in segment nowhere" });
    await leaf.getByRole("alert").getByText(/nowhere/).waitFor();
    await json.fill(`{"all":[{"event":"order_created","within":"900d"}]}`);
    await page.getByRole("alert").getByText(/Within must be a duration/).waitFor();
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByText("Name is required").waitFor();
  });

  await t.step("on a phone, with every menu free of findings", async () => {
    await resizeWindow(page, phone);
    await addCondition(page, "Group");
    await page.getByRole("button", { name: "Add condition" }).first().click();
    await page.getByRole("menuitem", { name: "Topic" }).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    assert.ok(width <= phone.width, `${width} pixels`);
    await resizeWindow(page, { width: 1440, height: 900 });
  });

  await t.step("what was typed is there again after a reload", async () => {
    await page.getByRole("textbox", { name: "Name" }).fill("Half done");
    await page.reload();
    await page.locator('input[value="Half done"]').waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Segments" }).waitFor();
  });

  await t.step("explains part by part why a customer is in it", async () => {
    await page.getByRole("row", { name: /Buyers/ }).getByRole("link").click();
    await page.getByRole("tab", { name: "Explain" }).click();
    const { pathname } = new URL(page.url());
    await page.goto(`${pathname}?tab=explain&customer_id=${data.customerId}`);
    const tree = page.getByRole("list", { name: "Explained condition" });
    await tree.getByText(/^Found: /).first().waitFor();
  });

  await t.step("a static one is filled from a file, and exported", async () => {
    await page.goto(`${workspace}/segments/new`);
    await page.getByRole("textbox", { name: "Name" }).fill("Regulars");
    const condition = page.getByRole("heading", { name: "Condition", exact: true });
    await condition.waitFor();
    await page.getByText("Customers join and leave as they change.").waitFor();
    await page.getByRole("radio", { name: "Static", exact: true }).check();
    await condition.waitFor({ state: "detached" });
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("button", { name: "Create segment" }).click();
    await page.getByRole("button", { name: "Import CSV" }).click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("dialog").getByRole("button", { name: "CSV file" }).click();
    await using file = await makeFile("email\nperson1@example.com\nnobody@example.com\n");
    await (await chooser).setFiles(file.path);
    await page.getByRole("button", { name: "Add 2 customers" }).click();
    await page.getByRole("dialog").getByText("1 customer added").waitFor();
    await page.getByRole("dialog").getByText("nobody@example.com").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    const members = await exportCsv(page, "Export");
    assert.match(members, /^id,external_id,/);
    assert.match(members, /person1@example\.com/);
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByRole("table", { name: "Changes" }).getByText("Entered").waitFor();
    assert.match(await exportCsv(page, "Export changes"), /,entered,/);
  });
});

/** Downloads a list as CSV, with the button of that name. */
async function exportCsv(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
  return readFile(await (await download).path(), "utf8");
}

async function addCondition(page: Page, kind: string): Promise<void> {
  await page.getByRole("button", { name: "Add condition" }).last().click();
  await page.getByRole("menuitem", { name: kind, exact: true }).click();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).last().click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Waits until the field with this label has the focus. */
async function focused(page: Page, label: string): Promise<void> {
  await page.locator(`[aria-label="${label}"]:focus`).waitFor();
}

/** A CSV file that is deleted after its use. */
async function makeFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), "members-"));
  const path = join(folder, "members.csv");
  await writeFile(path, text);
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
