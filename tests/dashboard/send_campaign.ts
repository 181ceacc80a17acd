import { recipients } from "./automation_building.ts";
import { button, field, list, open, type Story } from "./automation_story.ts";

/** Sends a campaign slowly, pauses it, lets it run without a limit, and reads its results. */
export async function sendCampaign(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Campaigns");
  await hands.press(page.getByRole("link", { name: "New campaign" }).first());
  await hands.type(field(page, "Name"), "Spring sale");
  await hands.choose(list(page, "Segment"), /^Club/);
  await hands.choose(list(page, "Template"), "Welcome");
  await hands.choose(list(page, "Sender"), "Shop");
  await hands.choose(list(page, "Topic"), "News");
  await hands.type(field(page, "Emails per minute"), "60");
  await hands.press(button(page, "Continue to review"));

  const table = page.getByRole("table", { name: "Who gets it" });
  await table.getByRole("row", { name: `Audience ${recipients}` }).waitFor();
  await table.getByRole("row", { name: "Without an email address −1" }).waitFor();
  await table.getByRole("row", { name: "Not subscribed to the topic −1" }).waitFor();
  await page.getByText(`This campaign will go to ${recipients - 1} people.`).waitFor();
  await hands.press(button(page, "Send now"));
  await hands.press(button(page.getByRole("dialog"), `Send to ${recipients - 1} people`));

  const progress = page.getByText(new RegExp(`of ${recipients} recipients, \\d+ waiting`));
  await progress.waitFor();
  await hands.press(button(page, "Pause"));
  await page.getByText(/^Paused by /).waitFor();

  await hands.press(page.getByRole("link", { name: "Edit", exact: true }));
  await hands.type(field(page, "Emails per minute"), "");
  await hands.press(button(page, "Save"));
  await hands.press(button(page, "Resume"));
  await hands.press(button(page.getByRole("dialog"), "Resume"));
  // A machine that is too busy to render a mail in time tries it again within a minute.
  await page.getByText("Completed", { exact: true }).waitFor({ timeout: 120_000 });
  await page.getByText(`Sent to ${recipients - 1} of ${recipients} recipients`).waitFor();
  await page.getByRole("link", { name: new RegExp(`Sent ${recipients - 1}`) }).waitFor();
  await page.getByText("The address was not subscribed to the topic").waitFor();
}
