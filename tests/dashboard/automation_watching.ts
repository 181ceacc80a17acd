import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openStep, people } from "./automation_building.ts";
import {
  addUp,
  button,
  field,
  letTimePass,
  list,
  open,
  type Story,
  track,
} from "./automation_story.ts";

/** Lets three customers enter, and sees them at the first wait, and later behind it. */
export async function watchPeoplePass(story: Story): Promise<void> {
  const { page, hands } = story;
  const names = Object.values(people).map(({ external_id }) => external_id);
  await track(story, names.map((external_id) => ({ external_id, name: "signed_up" })));
  await addUp(story);
  await hands.press(page.getByRole("tab", { name: "Live" }));
  await page.locator('[data-step="wait"]').getByText("3 here now").or(
    page.getByText("3 here now"),
  ).first().waitFor();
  await openStep(story, "wait");
  const table = page.getByRole("table", { name: /^Runs at Wait: / });
  await table.getByText("Ada").waitFor();
  await letTimePass(story, "1 hour");
  // Grace ended; Ada and Alan wait behind the send.
  await table.waitFor({ state: "detached" });
  await addUp(story);
  await page.getByText("2 here now").waitFor();
  await page.getByText("1 completed").waitFor();
}

/** Opens the mail in the inbox, follows its link, and unsubscribes. */
export async function readMail(story: Story): Promise<void> {
  const { page, hands, world } = story;
  const { email } = people.ada;
  // Arrives within a moment; the page of the inbox itself has no script.
  await fetch(`${world.info.base_url}/inbox/api/mails?to=${email}&wait=30`)
    .then((response) => response.body?.cancel());
  await letTimePass(story, "1 minute");
  await open(story, "Senders");
  await hands.press(page.getByRole("link", { name: /Shop/ }));
  const inbox = await follow(
    page,
    () => hands.press(page.getByRole("link", { name: "Open the inbox" })),
  );
  const reader = story.makeHands(inbox);
  await reader.press(inbox.getByRole("link", { name: "Hello Ada" }).first());
  const mail = inbox.frameLocator("iframe[title='HTML of the email']");
  await mail.getByText("Hello Ada").waitFor();
  const shop = await follow(
    inbox,
    () => reader.press(mail.getByRole("link", { name: "See the shop" })),
  );
  await shop.getByRole("heading", { name: "Inbox" }).waitFor();
  await shop.close();
  const leave = await follow(inbox, () => reader.press(mail.getByRole("link", { name: "Leave" })));
  await story.makeHands(leave).press(button(leave, "Unsubscribe"));
  await leave.getByText("You are unsubscribed.").waitFor();
  await leave.close();
  await inbox.close();
}

async function follow(page: Page, act: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent("page"), act()]);
  return opened;
}

/** Finds what became of Ada's mail, and why Alan got nothing. */
export async function findReason(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Sends");
  const table = page.getByRole("table", { name: "Sends" });
  await table.getByRole("row", { name: /ada@example\.com.*Unsubscribed/ }).waitFor();
  await hands.press(table.getByRole("link", { name: /Alan|No address/ }));
  await page.getByText("The customer had no address").filter({ visible: true }).first().waitFor();
  await hands.press(page.getByRole("link", { name: "See everything that was checked" }));
  await page.getByRole("heading", { level: 1, name: "Why wasn’t it sent?" }).waitFor();
  await page.getByText("The customer entered version 1 of the journey").waitFor();
  await page.getByText("Not sent: the customer had no address").first().waitFor();
}

/** Changes the journey while two are inside, and moves them to the new version. */
export async function editAndPublish(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Journeys");
  await hands.press(page.getByRole("link", { name: /Welcome/ }));
  await hands.press(page.getByRole("tab", { name: "Draft" }));
  // The canvas of the tab before has the same steps.
  await page.getByText("Draft saved").waitFor();
  await openStep(story, "wait-2");
  const panel = page.getByRole("complementary", { name: "Details" });
  await hands.type(field(panel, "Time"), "3");
  // At once: the dialog itself waits until the draft is saved.
  await hands.press(button(page, "Publish"));
  const dialog = page.getByRole("dialog", { name: "Publish version 2" });
  const inside = dialog.getByRole("table", { name: "Runs inside" });
  const waiting = inside.getByRole("row").filter({ hasText: "wait-2" });
  await waiting.getByRole("link", { name: "Alan" }).waitFor();
  await waiting.getByRole("link").nth(1).waitFor();
  await hands.check(dialog.getByRole("radio", { name: "Move to the new version" }));
  await waiting.getByRole("cell").nth(3).getByText("wait-2").waitFor();
  await hands.press(button(dialog, "Publish"));
  await page.getByText(/^Version 2 · /).waitFor();
  await hands.press(page.getByRole("tab", { name: "Versions" }));
  await hands.press(button(page, "Changes of version 2"));
  await page.getByText("Wait:", { exact: true }).waitFor();
  await hands.press(page.getByRole("tab", { name: "Live" }));
  await openStep(story, "wait-2");
  await page.getByRole("table", { name: /^Runs at Wait: / }).getByText("Alan").waitFor();
}

/** Stops the journey by its name, and disables the sender. */
export async function stopEverything(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Journeys");
  await hands.press(page.getByRole("link", { name: /Welcome/ }));
  await hands.press(button(page, "More actions"));
  await hands.press(page.getByRole("menuitem", { name: "Stop" }));
  const dialog = page.getByRole("dialog", { name: "Stop this journey?" });
  await hands.type(field(dialog, "Type its name to confirm"), "Welcome");
  await hands.press(button(dialog, "Stop journey"));
  await page.getByText("Stopped", { exact: true }).waitFor();
  await hands.press(page.getByRole("tab", { name: "Runs" }));
  await hands.choose(list(page, "State"), "Inside");
  await page.getByText("No matching runs").waitFor();
  await open(story, "Senders");
  await hands.press(page.getByRole("link", { name: /Shop/ }));
  await hands.press(button(page, "Disable"));
  await button(page, "Enable").waitFor();
  assert.equal(await button(page, "Disable").count(), 0);
}
