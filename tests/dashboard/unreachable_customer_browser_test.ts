import assert from "node:assert/strict";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

const definition = {
  trigger: { api: true as const },
  start: "hello",
  steps: { hello: { send: { template: "hello", sender: "inbox" } } },
};

Deno.test("what is known of a customer without an address is shown", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => headers,
  });
  const entry = {
    type: "identify",
    external_id: "mona",
    attributes: { name: "Mona", country: "Atlantis" },
  };
  const stored = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers,
    body: JSON.stringify(entry),
  });
  assert.equal(stored.status, 200, await stored.text());
  await api.call("POST /templates", {
    body: { key: "hello", name: "Hello", subject: "Hello", html: "<p>Hello</p>" },
  });
  const { id } = await api.call("POST /journeys", { body: { name: "Welcome", definition } });
  const params = { id };
  await api.call("POST /journeys/{id}/publish", { params, body: {} });
  const entered = await api.call("POST /journeys/{id}/enter", {
    params,
    body: { external_id: "mona" },
  });
  assert.ok("run_id" in entered);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);

  await t.step("the run says why its email was not sent, and leads to it", async () => {
    await page.goto(`${workspace}/journeys/${id}?tab=runs&run=${entered.run_id}`);
    const run = page.getByRole("dialog", { name: "Run" });
    const send = run.getByRole("link", { name: "Not sent: the customer had no address" });
    await send.waitFor();
    await run.getByText("Completed", { exact: true }).waitFor();
    const next = run.locator(".field", { has: page.getByText("Next", { exact: true }) });
    assert.equal(await next.count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    await send.click();
    await page.waitForURL(/\/sends\/[0-9a-f-]{36}/);
    await page.getByText("The customer had no address.").waitFor();
  });

  await t.step("the list and the profile show a country of the attributes", async () => {
    await page.goto(`${workspace}/customers`);
    await page.getByRole("row", { name: /Mona/ }).getByText("Atlantis").waitFor();
    await page.getByRole("link", { name: /Mona/ }).click();
    const country = page.locator(".field", { has: page.getByText("Country", { exact: true }) });
    await country.getByRole("link", { name: "Atlantis" }).click();
    await page.waitForURL(/\/customers\?.*attributes\.country/);
    await page.getByRole("row", { name: /Mona/ }).waitFor();
  });
});
