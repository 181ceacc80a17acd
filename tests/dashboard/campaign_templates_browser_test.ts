import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

Deno.test("the review of a campaign names variables that are empty for everybody", async () => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const segment = await api.call("POST /segments", { body: { name: "All", kind: "static" } });
  const makeTemplate = (name: string, html: string) =>
    api.call("POST /templates", { body: { name, subject: "Sale", html } });
  const order = await makeTemplate("Order", "<p>{{ trigger.order }} {{ custommer.email }}</p>");
  const sale = await makeTemplate("Sale", "<p>{{ customer.first_name }}</p>");
  const makeCampaign = (template: string) =>
    api.call("POST /campaigns", {
      body: { name: "News", segment: segment.id, template, sender: "inbox" },
    });
  const bad = await makeCampaign(order.id);
  const good = await makeCampaign(sale.id);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  await page.goto(`${workspace}/campaigns/${bad.id}`);
  const warning = page.getByRole("list", { name: "Before you send" }).getByRole("listitem")
    .filter({ hasText: "Check the template Order" });
  await warning
    .getByText("Empty for everybody, because a campaign has no trigger: trigger.order.")
    .waitFor();
  await warning
    .getByText('Variable "custommer.email" is always empty: did you mean "customer.email"?')
    .waitFor();
  await page.goto(`${workspace}/campaigns/${good.id}`);
  await page.getByText("The template Sale has no warnings").waitFor();
  assert.equal(await warning.count(), 0);
});

Deno.test("the form of a campaign chooses the only sender, and marks a missing template at its own field", async () => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  await api.call("POST /segments", { body: { name: "All", kind: "static" } });
  await api.call("POST /templates", {
    body: { key: "sale", name: "Sale", subject: "Sale", html: "<p>Sale</p>" },
  });
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  await page.goto(`${workspace}/campaigns/new`);
  const panel = page.getByRole("heading", { name: "Email" });
  const section = page.getByRole("group", { name: "Email" }).locator("legend");
  assert.equal(await readFont(section), await readFont(panel));
  const readError = async (name: string) => {
    const field = page.getByRole("combobox", { name, exact: true });
    await page.locator('[role="combobox"][aria-invalid="true"]').first().waitFor();
    // The field gets another id when it is replaced by one whose list has loaded.
    const { text } = await waitFor(async () => {
      const id = await field.getAttribute("aria-describedby");
      if (id === null) return { text: null };
      const error = page.locator(`[id="${id}"]`);
      return await error.count() === 0 ? undefined : { text: await error.innerText() };
    });
    return text;
  };
  const submit = page.getByRole("button", { name: "Continue to review" });

  const [only, ...others] = (await api.call("GET /senders", {})).data;
  assert.deepEqual(others, []);
  const sender = page.getByRole("combobox", { name: "Sender", exact: true });
  await waitFor(async () => await sender.inputValue() === only!.name ? true : undefined);
  // Nobody chose it, so the page has no draft that leaving it would lose.
  const drafts = await page.evaluate(() =>
    Object.keys(sessionStorage).filter((key) => key.startsWith("signalpost-draft:"))
  );
  assert.deepEqual(drafts, []);
  await page.getByLabel("Name").fill("News");
  await submit.click();
  await page.getByText("Segment is required").waitFor();
  const first = page.getByRole("combobox", { name: "Segment", exact: true });
  await page.locator('[role="combobox"][aria-invalid="true"]:focus').waitFor();
  assert.equal(await first.and(page.locator(":focus")).count(), 1);
  // A list would cover the errors.
  assert.equal(await page.getByRole("listbox").count(), 0);
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "All" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await readError("Segment"), "Segment is required");
  assert.equal(await readError("Template"), "Choose a template, or compare several");
  assert.equal(await readError("Sender"), null);
  await page.getByText("Choose a topic, or “None” for a transactional email").waitFor();

  await page.getByRole("switch", { name: "Compare several templates (A/B)" }).press("Space");
  await page.getByRole("combobox", { name: "Template B", exact: true }).click();
  await page.getByRole("option", { name: "Sale" }).click();
  await submit.click();
  await page.getByText("Choose a template", { exact: true }).waitFor();
  assert.equal(await readError("Template A"), "Choose a template");
  assert.equal(await readError("Template B"), null);
});

interface PageWindow {
  getComputedStyle: (
    element: unknown,
  ) => { fontSize: string; fontWeight: string; lineHeight: string };
}

function readFont(text: Locator): Promise<string> {
  return text.evaluate((element) => {
    const { getComputedStyle } = globalThis as unknown as PageWindow;
    const { fontSize, fontWeight, lineHeight } = getComputedStyle(element);
    return [fontSize, fontWeight, lineHeight].join(" ");
  });
}
