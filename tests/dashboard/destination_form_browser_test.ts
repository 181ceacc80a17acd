import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

const secret = "s3cret-typed-value";

Deno.test("a destination's headers and filter are set, kept, changed and removed", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const dialog = page.getByRole("dialog");
  const headers = page.getByRole("group", { name: "Request headers" });

  await t.step("a new destination takes both", async () => {
    await page.goto(`${workspace}/destinations/new`);
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "New destination" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Warehouse");
    await page.getByLabel("Endpoint URL").fill("https://warehouse.example.com/hooks");
    await addHeader(page, "Host", "x");
    await page.getByRole("button", { name: "Create destination" }).click();
    await headers.getByText('"Host" must not be set').waitFor();
    await headers.getByRole("button", { name: "Remove Host" }).click();
    await addHeader(page, "X-Env", "späte");
    await page.getByRole("button", { name: "Create destination" }).click();
    await headers.getByText("The value must be 1 to 2000 characters of printable ASCII").waitFor();
    const marked = headers.locator("[aria-invalid=true]");
    assert.equal(await marked.count(), 1);
    assert.equal(await marked.getAttribute("aria-label"), "Value of X-Env");
    await headers.getByRole("button", { name: "Remove X-Env" }).click();
    await addHeader(page, "Authorization", `Bearer ${secret}`);
    await addHeader(page, "X-Env", "prod");
    await addTest(page, "Property of the event", ["Property", "total", "100"]);
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("button", { name: "Create destination" }).click();
    await page.getByText("Signing secret").waitFor();
    const [destination] = await listDestinations(world);
    assert.deepEqual(destination!.header_names, ["Authorization", "X-Env"]);
    assert.deepEqual(destination!.filter, {
      all: [{ property: "total", op: "eq", value: "100" }],
    });
  });

  await t.step("its page shows the names and the filter in words", async () => {
    await page.getByRole("link", { name: "Go to destination" }).click();
    await page.getByText("total is 100").waitFor();
    await page.getByText("Authorization", { exact: true }).waitFor();
  });

  await t.step("Edit is a button, which gets the focus back", async () => {
    await openEdit(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("button:focus").getByText("Edit", { exact: true }).waitFor();
  });

  await t.step("a reload keeps the names that were typed, and no values", async () => {
    await openEdit(page);
    await addHeader(page, "X-New", secret);
    await page.reload();
    await page.getByText("We restored your unsaved changes.").waitFor();
    const value = dialog.getByLabel("Value of X-New", { exact: true });
    assert.equal(await value.inputValue(), "");
    assert.equal(
      JSON.stringify(await page.evaluate(() => ({ ...sessionStorage }))).includes(secret),
      false,
    );
    await value.fill(secret);
    assert.equal(await value.inputValue(), secret);
    await page.getByRole("button", { name: "Discard changes" }).click();
    await value.waitFor({ state: "detached" });
  });

  await t.step(
    "one value is replaced, one header removed, and the filter tests the context",
    async () => {
      await headers.getByRole("button", { name: "Replace" }).first().click();
      await headers.getByLabel("Value of Authorization", { exact: true }).fill("Bearer next");
      await headers.getByRole("button", { name: "Remove X-Env" }).click();
      await addTest(page, "Context of the event", ["Context", "page.path", "/sale"]);
      assert.equal((await findProblems(page)).join("\n"), "");
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const [destination] = await listDestinations(world);
      assert.deepEqual(destination!.header_names, ["Authorization"]);
      assert.deepEqual(destination!.filter, {
        all: [
          { property: "total", op: "eq", value: "100" },
          { field: "context.page.path", op: "eq", value: "/sale" },
        ],
      });
    },
  );

  await t.step(
    "another origin asks for the value again, and a missing part of the filter is named",
    async () => {
      await openEdit(page);
      await dialog.getByLabel("Endpoint URL").fill("https://lake.example.com/hooks");
      await dialog.getByRole("button", { name: "Save" }).click();
      await headers.getByText('"Authorization" must be given again or removed').waitFor();
      await headers.getByRole("button", { name: "Remove Authorization" }).click();
      await addTest(page, "Property of the event", ["Property", "", "1"]);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Choose a property").waitFor();
      await dialog.getByRole("checkbox", { name: "Only events that meet a condition" }).uncheck();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const [destination] = await listDestinations(world);
      assert.deepEqual([destination!.header_names, destination!.filter], [[], null]);
    },
  );

  await t.step("the audit log names the headers", async () => {
    await page.goto(`${workspace}/settings/audit-log`);
    await page.getByRole("row", { name: /Changed a destination/ }).last().click();
    await dialog.getByText("changed Authorization; removed X-Env").waitFor();
    assert.equal((await page.content()).includes("Bearer"), false);
  });
});

async function addHeader(page: Page, name: string, value: string): Promise<void> {
  const headers = page.getByRole("group", { name: "Request headers" });
  await headers.getByRole("button", { name: "Add header" }).click();
  await headers.getByLabel("Header name").last().fill(name);
  await headers.getByLabel(`Value of ${name}`, { exact: true }).fill(value);
}

/** Adds a test to the filter. */
async function addTest(
  page: Page,
  kind: string,
  [label, path, value]: [label: string, path: string, value: string],
): Promise<void> {
  await page.getByRole("checkbox", { name: "Only events that meet a condition" }).check();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("menuitem", { name: kind }).waitFor();
  assert.deepEqual(await page.getByRole("menuitem").allInnerTexts(), [
    "Property of the event",
    "Context of the event",
    "Group",
  ]);
  await page.getByRole("menuitem", { name: kind }).click();
  const filter = page.getByRole("group", { name: "Filter" });
  await filter.getByLabel(label, { exact: true }).last().fill(path);
  // The list opens when something is typed.
  if (path !== "") await page.keyboard.press("Escape");
  await filter.getByLabel("Value", { exact: true }).last().fill(value);
}

async function openEdit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).waitFor();
}

async function listDestinations({ info }: DashboardWorld) {
  const api = createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
  return (await api.call("GET /destinations", { query: {} })).data;
}
