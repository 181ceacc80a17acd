import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { startReceiver } from "../../testing/receivers/receiver.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

Deno.test("a delivery cannot be sent again while its destination is disabled", async () => {
  await using world = await openDashboardWorld();
  const receiver = await startReceiver({ behaviour: respond(200) });
  await using _receiver = { [Symbol.asyncDispose]: () => receiver.close() };
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id } = await api.call("POST /destinations", {
    body: { name: "Warehouse", url: `http://127.0.0.1:${receiver.port}/hooks`, event_types: ["*"] },
  });
  await api.call("POST /destinations/{id}/test", { params: { id } });
  await receiver.waitForRequests(1);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  await page.goto(`${workspace}/deliveries`);
  await page.getByRole("link", { name: /ping/ }).first().click();
  const resend = page.getByRole("button", { name: "Resend", exact: true });
  await resend.and(page.locator(":enabled")).waitFor();

  await api.call("PATCH /destinations/{id}", { params: { id }, body: { enabled: false } });
  await page.reload();
  await resend.and(page.locator(":disabled")).waitFor();
  const reason = "The destination is disabled. Enable it to resend.";
  await page.getByText(reason).waitFor();
  const reasonId = await resend.getAttribute("aria-describedby");
  assert.equal(await page.locator(`#${reasonId}`).innerText(), reason);
  assert.equal((await findProblems(page)).join("\n"), "");

  await page.getByRole("link", { name: "Enable it" }).click();
  await page.getByRole("heading", { level: 1, name: /Warehouse/ }).waitFor();
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await page.getByRole("button", { name: "Disable" }).waitFor();
  await page.goBack();
  await resend.and(page.locator(":enabled")).waitFor();
  await page.getByText(reason).waitFor({ state: "detached" });
});

Deno.test("a missed message leads to its destination while that is disabled", async () => {
  await using world = await openDashboardWorld();
  const receiver = await startReceiver({ behaviour: respond(200) });
  await using _receiver = { [Symbol.asyncDispose]: () => receiver.close() };
  const api = createSampleApi(world.info);
  const { id } = await api.call("POST /destinations", {
    body: { name: "Warehouse", url: `http://127.0.0.1:${receiver.port}/hooks`, event_types: ["*"] },
  });
  await api.call("PATCH /destinations/{id}", { params: { id }, body: { enabled: false } });
  await sendEntries(world.info, [{ external_id: "ada", name: "order_created" }]);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, world.info.user);
  await page.goto(`${workspace}/messages?state=missed`);
  await page.getByRole("checkbox", { name: /^Select order_created/ }).check();
  const selected = page.getByRole("region", { name: "Selected rows" });
  await selected.getByRole("button", { name: "Cancel delivery" }).waitFor();
  await selected.getByRole("button", { name: "Try now" }).waitFor({ state: "detached" });
  await selected.getByRole("button", { name: "Clear selection" }).click();
  await page.getByRole("button", { name: "order_created" }).first().click();
  const drawer = page.getByRole("dialog");
  const tryNow = drawer.getByRole("button", { name: "Try now" });
  await drawer.getByRole("link", { name: "Enable Warehouse" }).waitFor();
  assert.equal(await tryNow.count(), 0);
  assert.equal(await drawer.getByText("No attempts yet").count(), 0);
  assert.equal((await findProblems(page)).join("\n"), "");

  await drawer.getByRole("link", { name: "Enable Warehouse" }).click();
  await page.getByRole("heading", { level: 1, name: /Warehouse/ }).waitFor();
  await api.call("PATCH /destinations/{id}", { params: { id }, body: { enabled: true } });
  await page.goBack();
  await tryNow.and(page.locator(":enabled")).waitFor();
  const row = drawer.locator(".mantine-Paper-root").filter({ hasText: "Warehouse" }).last();
  const names = await row.getByRole("button").allInnerTexts();
  assert.deepEqual(names, ["Edit and resend", "Try now", "Cancel delivery"]);
  assert.equal(await measureGap(row), 0);
  receiver.use(respond(500));
  await tryNow.and(page.locator(":enabled")).click();
  await receiver.waitForRequests(1);
  await drawer.getByText(/^Tried: 500\. Next automatic attempt (in|due|just) /).waitFor();
  receiver.use(respond(200));
  await tryNow.and(page.locator(":enabled")).click();
  const status = drawer.getByRole("status").filter({ hasText: "Delivered" });
  assert.equal((await findProblems(page)).join("\n"), "");
  await status.getByRole("link", { name: "Show the attempt" }).click();
  await page.getByText("Delivered 200").first().waitFor();
});

/** Returns the pixels by which the last button of a row is further from the edge than its first link. */
async function measureGap(row: Locator): Promise<number> {
  const outer = (await row.boundingBox())!;
  const link = (await row.getByRole("link").first().boundingBox())!;
  const button = (await row.getByRole("button").last().boundingBox())!;
  return Math.round(outer.x + outer.width - button.x - button.width - (link.x - outer.x));
}
