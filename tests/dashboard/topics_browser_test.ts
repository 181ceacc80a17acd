import assert from "node:assert/strict";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

Deno.test("the dialog of a topic keeps the focus, and asks before it deletes", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  await api.call("POST /topics", {
    body: { key: "offers", name: "Offers", default: "subscribed" },
  });
  const page = await world.openPage();
  const workspace = await signIn(page, user);
  const dialog = page.getByRole("dialog", { name: "Edit topic" });
  const open = page.getByRole("button", { name: "Offers" });

  await t.step("after a reload the focus is in the dialog, and then on its topic", async () => {
    await page.goto(`${workspace}/topics`);
    await open.click();
    await dialog.getByLabel("Name").fill("Sales");
    await page.reload();
    await dialog.locator(":focus").first().waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Discard", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await open.and(page.locator(":focus")).waitFor();
  });

  await t.step("the number of subscribers leads to them, also on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("columnheader", { name: "Subscribed" }).waitFor();
    await page.getByRole("link", { name: "Everyone: customers subscribed to Offers" }).click();
    await page.waitForURL(/\/customers\?filter=/);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`${workspace}/topics`);
  });

  await t.step("nothing is deleted before the question is answered", async () => {
    await open.click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: "Delete this topic?" });
    await question.getByText("Deletes Offers").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Delete" }).click();
    await question.getByRole("button", { name: "Delete topic" }).click();
    await page.getByText("No topics yet").waitFor();
    assert.deepEqual((await api.call("GET /topics", {})).data, []);
  });

  await t.step("the name suggests a key, until somebody writes another one", async () => {
    await page.getByRole("button", { name: "New topic" }).first().click();
    const created = page.getByRole("dialog", { name: "New topic" });
    const [name, key] = [created.getByLabel("Name"), created.getByLabel("Key")];
    await name.pressSequentially(" Très chic: news & 2 offers!");
    assert.equal(await key.inputValue(), "tres_chic_news_2_offers");
    await name.fill("ニュース");
    assert.equal(await key.inputValue(), "");
    await name.fill("Product news");
    assert.equal(await key.inputValue(), "product_news");
    await key.fill("products");
    await name.fill("News");
    assert.equal(await key.inputValue(), "products");
    await created.getByRole("button", { name: "Create topic" }).click();
    await created.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "News" }).click();
    const edited = page.getByRole("dialog", { name: "Edit topic" });
    await edited.getByLabel("Name").fill("Products");
    await edited.getByLabel("Name").fill("Letters");
    assert.equal(await edited.getByLabel("Key").inputValue(), "products");
    await page.keyboard.press("Escape");
    await edited.getByRole("button", { name: "Discard", exact: true }).click();
    await edited.waitFor({ state: "detached" });
  });
});
