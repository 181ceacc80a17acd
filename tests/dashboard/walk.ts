import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type DashboardWorld, settingsPages } from "../../testing/browser/dashboard_world.ts";
import type { Hands } from "../../testing/browser/hands.ts";
import type { Receiver } from "../../testing/receivers/receiver.ts";

/** A person at work: a new account, and a receiver for its webhooks. */
export interface Walk {
  world: DashboardWorld;
  page: Page;
  hands: Hands;
  receiver: Receiver;
  /** Key that sends events, once the person has created it. */
  key: string;
}

/** Opens a page from the navigation. */
export async function open({ page, hands }: Walk, name: string): Promise<void> {
  const link = (navigation: string, label: string) =>
    page.getByRole("navigation", { name: navigation })
      .getByRole("link", { name: label, exact: true });
  if (settingsPages.includes(name)) {
    await hands.press(link("Main", "Settings"));
    await hands.press(link("Settings", name));
  } else await hands.press(link("Main", name));
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

/** Opens the destination of the walk. */
export async function openWarehouse(walk: Walk): Promise<void> {
  await open(walk, "Destinations");
  await walk.hands.press(walk.page.getByRole("link", { name: /Warehouse/ }));
  await walk.page.getByRole("heading", { level: 1, name: /Warehouse/ }).waitFor();
}

/** Waits for the response in a dialog, and closes it. */
export async function closeDialog({ hands }: Walk, dialog: Locator): Promise<void> {
  await dialog.getByText("Delivered 200").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Close this dialog" }));
  await dialog.waitFor({ state: "detached" });
}

/** Sends an entry, or several, with the key of the walk. */
export async function track({ world, key }: Walk, body: object): Promise<void> {
  const response = await fetch(`${world.info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, await response.text());
}
