import assert from "node:assert/strict";
import { pressUntilFocused, reach } from "../../testing/browser/keyboard.ts";
import { addUp, button, field, list, open, type Story, track } from "./automation_story.ts";

/** Customers of the story: three with a name, and as many as a campaign needs. */
export const people = {
  /** In the club, with an address. */
  ada: { external_id: "ada", email: "ada@example.com", first_name: "Ada", plan: "pro" },
  /** Not in the club. */
  grace: { external_id: "grace", email: "grace@example.com", first_name: "Grace", plan: "free" },
  /** In the club, without an address. */
  alan: { external_id: "alan", first_name: "Alan", plan: "pro" },
};

/** Recipients of the campaign, Ada among them. */
export const recipients = 501;

/** HTML of the mail. @param shop address of its link */
function makeMail(shop: string): string {
  return `<p>Hello {{ customer.first_name }}</p><p><a href="${shop}">See the shop</a></p>` +
    '<p><a href="{{ unsubscribe_url }}">Leave</a></p>';
}

/** Sends the customers, and an event of the past for the rehearsal. */
export async function addPeople(story: Story): Promise<void> {
  const identify = ({ plan, ...person }: { external_id: string; plan: string }) => ({
    type: "identify",
    ...person,
    attributes: { plan },
  });
  const crowd = Array.from({ length: recipients - 1 }, (_, n) => ({
    external_id: `member-${n}`,
    email: `member-${n}@example.com`,
    first_name: "Member",
    plan: "pro",
  }));
  const half = crowd.length / 2;
  await track(story, crowd.slice(0, half).map(identify));
  await track(story, crowd.slice(half).map(identify));
  await track(story, [
    ...Object.values(people).map(identify),
    { external_id: people.grace.external_id, name: "signed_up", properties: {} },
  ]);
  await addUp(story);
}

/** Builds a segment of the customers with a plan, with their count while editing. */
export async function buildSegment(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Segments");
  await hands.press(page.getByRole("link", { name: "New segment" }).first());
  await page.getByRole("heading", { level: 1, name: "New segment" }).waitFor();
  await hands.type(field(page, "Name"), "Club");
  await hands.press(button(page, "Add condition"));
  await hands.press(page.getByRole("menuitem", { name: "Field or attribute" }));
  await hands.type(list(page, "Field"), "attributes.plan");
  await hands.type(list(page, "Value"), "pro");
  await page.getByRole("heading", { name: `${recipients + 1} customers` }).waitFor();
  const preview = page.getByRole("region", { name: "Preview" });
  assert.equal(await preview.getByRole("link").count(), 10);
  await hands.press(button(page, "Create segment"));
  await page.getByRole("heading", { level: 1, name: /Club/ }).waitFor();
  await page.getByText("Ready", { exact: true }).waitFor();
}

/** Creates a topic that everybody gets who did not leave it. */
export async function buildTopic(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Topics");
  await hands.press(button(page, "New topic").first());
  const dialog = page.getByRole("dialog", { name: "New topic" });
  await hands.type(field(dialog, "Name"), "News");
  await hands.type(field(dialog, "Key"), "news");
  await hands.choose(list(dialog, "Default"), /^Opt-out/);
  await hands.press(button(dialog, "Create topic"));
  await page.getByRole("table", { name: "Topics" }).getByText("News", { exact: true }).waitFor();
}

/** Creates a sender to the local inbox. */
export async function buildSender(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Senders");
  await hands.press(button(page, "New sender").first());
  const dialog = page.getByRole("dialog", { name: "New sender" });
  await hands.type(field(dialog, "Name"), "Shop");
  await hands.type(field(dialog, "From"), "Shop <shop@example.com>");
  // The local stack's own inbox is chosen already.
  assert.equal(await list(dialog, "Provider").inputValue(), "Local inbox");
  await hands.press(button(dialog, "Create sender"));
  await page.getByRole("heading", { level: 1, name: /Shop/ }).waitFor();
}

/** Writes a template with a link and a link to unsubscribe. */
export async function buildTemplate(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Templates");
  await hands.press(button(page, "New template").first());
  const dialog = page.getByRole("dialog", { name: "New template" });
  await hands.type(field(dialog, "Name"), "Welcome");
  await hands.press(button(dialog, "Create template"));
  await page.getByRole("heading", { level: 1, name: "Welcome" }).waitFor();
  await page.frameLocator("iframe[title='Preview of the email']").getByText("Hello").waitFor();
  await hands.type(page.getByLabel("Subject"), "Hello {{ customer.first_name }}");
  await hands.type(
    page.getByRole("textbox", { name: "Body" }),
    makeMail(`${story.world.info.base_url}/inbox`),
  );
  // Tab indents in the body, and leaves it after Escape. The first one closes the completions.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Tab");
  await hands.press(button(page, "Save as a new version"));
  await page.getByText("Version 2").waitFor();
}

/** Builds the journey: a wait, a branch by the segment, a split, and a send on both of its ways. */
export async function buildJourney(story: Story): Promise<void> {
  const { page, hands } = story;
  await open(story, "Journeys");
  await hands.press(button(page, "New journey").first());
  const dialog = page.getByRole("dialog", { name: "New journey" });
  await hands.type(field(dialog, "Name"), "Welcome");
  await hands.type(dialog.getByLabel(/^Event/), "signed_up");
  await hands.press(button(dialog, "Create journey"));
  const panel = page.getByRole("complementary", { name: "Details" });

  await addStep(story, {
    after: "@entry",
    way: "Add a step after the trigger",
    kind: /^Wait For a/,
  });
  await hands.type(field(panel, "Time"), "1");
  await hands.choose(list(panel, "Time, unit"), "hours");

  await addStep(story, { after: "wait", way: "Add a step after wait", kind: /^Branch/ });
  await hands.press(button(panel, "Add condition"));
  await hands.press(page.getByRole("menuitem", { name: "Segment" }));
  await hands.choose(list(panel, "Segment"), "Club");

  await addStep(story, { after: "branch", way: /^Add a step after branch, if/, kind: /^Split/ });
  await addStep(story, { after: "split", way: "Add a step after split, 50%", kind: /^Send email/ });
  await hands.choose(list(panel, "Template"), "Welcome");
  await hands.choose(list(panel, "Sender"), "Shop");
  await hands.choose(list(panel, "Topic"), "News");

  await openStep(story, "split");
  await hands.choose(list(panel, "Way 2 goes to"), /^send:/);
  await addStep(story, { after: "send", way: "Add a step after send", kind: /^Wait For a/ });
  await hands.type(field(panel, "Time"), "2");
  await page.getByText("Draft saved").waitFor();
}

interface NewStep {
  /** Step before the new one. */
  after: string;
  /** Name of the button on the way between them. */
  way: string | RegExp;
  kind: RegExp;
}

/** Adds a step: by the mouse with the button on a way, by the keyboard with "+" on a step. */
async function addStep(story: Story, { after, way, kind }: NewStep): Promise<void> {
  const { page, hands } = story;
  if (hands.name === "mouse") {
    // The canvas brings the ways of the open step into view.
    await openStep(story, after);
    await page.locator(`[data-step="${after}"][data-selected]`).waitFor();
    await hands.press(button(page, way).first());
  } else {
    await focusStep(story, after);
    await page.keyboard.press("+");
  }
  const dialog = page.getByRole("dialog", { name: "Add a step" });
  // The dialog takes the focus, also from a button that has it already.
  await dialog.locator(":focus").waitFor();
  await hands.press(button(dialog, kind));
  await dialog.waitFor({ state: "detached" });
}

/** Milliseconds until a click that did not reach its step is repeated, and how many there are. */
const clickMs = 5_000;
const mostClicks = 5;

/** Opens a step of the canvas. */
export async function openStep(story: Story, step: string): Promise<void> {
  const { page, hands } = story;
  if (hands.name === "mouse") {
    const target = page.locator(`[data-step="${step}"]`);
    const opened = target.and(page.locator("[aria-current=step]"));
    // As a person would: another click if one did not reach the step, because the canvas moved.
    let isOpen = false;
    for (let clicks = 0; clicks < mostClicks && !isOpen; clicks++) {
      await hands.press(target);
      isOpen = await opened.waitFor({ timeout: clickMs }).then(() => true, () => false);
    }
  } else {
    await focusStep(story, step);
    await page.keyboard.press("Enter");
  }
}

/** Goes to a step with Tab and the arrows: back to the trigger, then along the first ways. */
async function focusStep({ page }: Story, step: string): Promise<void> {
  await reach(page, page.locator('.journey-canvas [data-step][tabindex="0"]'));
  const key = "ArrowLeft";
  await pressUntilFocused(page, { target: page.locator('[data-step="@entry"]'), key });
  const target = page.locator(`[data-step="${step}"]`);
  await pressUntilFocused(page, { target, key: "ArrowRight" });
}

/** Follows one customer through the draft, and reads the mail that they would get. */
export async function simulate(story: Story): Promise<void> {
  const { page, hands } = story;
  const panel = page.getByRole("complementary", { name: "Details" });
  await hands.press(button(page, "Test"));
  await chooseCustomer(story, people.ada.email);
  await hands.press(button(panel, "Run the test"));
  await page.locator('[data-step="send"][data-on-path]').waitFor();
  await hands.press(button(panel, /Show “Hello Ada/));
  await page.frameLocator("iframe").getByText("Hello Ada").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Finds a customer by a text. */
export async function chooseCustomer({ page, hands }: Story, text: string): Promise<void> {
  const customer = list(page, "Customer");
  if (hands.name === "mouse") await customer.click();
  else await reach(page, customer);
  await page.keyboard.insertText(text);
  const found = page.getByRole("option", { name: text });
  await found.waitFor();
  if (hands.name === "mouse") return await found.click();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** Runs the draft over past events: one customer would have entered. */
export async function rehearse(story: Story): Promise<void> {
  const { page, hands } = story;
  await hands.press(page.getByRole("tab", { name: "Rehearse" }));
  await hands.press(button(page, "Rehearse"));
  await page.getByText("Would have entered").waitFor();
  await page.getByRole("heading", { name: "Examples" }).waitFor();
}

/** Publishes the first version. */
export async function publish(story: Story): Promise<void> {
  const { page, hands } = story;
  await hands.press(button(page, "Publish"));
  const dialog = page.getByRole("dialog", { name: "Publish version 1" });
  await dialog.getByText("Customers begin to enter").waitFor();
  await hands.press(button(dialog, "Publish"));
  await page.getByText("Running", { exact: true }).waitFor();
}
