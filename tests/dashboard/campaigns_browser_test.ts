import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import postgres from "postgres";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { checkLooks } from "../../testing/browser/check_pages.ts";
import {
  type DashboardWorld,
  goTo,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";

const people = 12;
const desktop = { width: 1440, height: 900 };

Deno.test("a campaign is made, reviewed, sent and read by mouse and keyboard", async (t) => {
  await using world = await openDashboardWorld();
  await addAudience(world);
  const page = await world.openPage({ viewport: desktop });
  await signIn(page, world.info.user);

  await t.step("a sender is created, and a test email goes out", async () => {
    await goTo(page, "Senders");
    await checkLooks(page);
    await page.getByRole("button", { name: "New sender" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New sender" });
    await choose(page, "Provider", "SMTP");
    await dialog.getByLabel("Host").waitFor();
    await checkLooks(page);
    await choose(page, "Provider", "Local inbox");
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByLabel("From").fill("Shop <shop@example.com>");
    await dialog.getByRole("button", { name: "Create sender" }).click();
    await page.getByRole("heading", { level: 1, name: /Shop/ }).waitFor();
    await page.getByRole("button", { name: "Send test email" }).click();
    const test = page.getByRole("dialog", { name: "Test Shop" });
    await test.getByLabel("To").fill("me@example.com");
    await page.keyboard.press("Enter");
    await test.getByText("The provider took the email").waitFor();
    await page.keyboard.press("Escape");
    await test.waitFor({ state: "detached" });
    await checkLooks(page);
  });

  await t.step("a template is edited beside its preview, and checked", async () => {
    await goTo(page, "Templates");
    await page.getByRole("link", { name: "Sale" }).click();
    const mail = page.frameLocator("iframe[title='Preview of the email']");
    await mail.getByText(/^Hello Ada \d+/).waitFor();
    await checkLooks(page);
    await page.getByRole("combobox", { name: "Customer" }).fill("person-2@example.com");
    await page.getByRole("option", { name: /Ada 2/ }).click();
    await mail.getByText("Hello Ada 2").waitFor();
    const body = page.getByRole("textbox", { name: "Body" });
    await body.fill((await body.innerText()).replace("Hello", "Good morning"));
    await mail.getByText("Good morning Ada 2").waitFor();
    await body.fill(`${await body.innerText()}<img src="https://example.com/a.png">`);
    await page.getByText("1 of 1 have no alt attribute").waitFor();
    await body.fill(
      (await body.innerText()).replace(/<img.*/, "").replace("Good morning", "Hello"),
    );
    await page.getByLabel("Subject").fill("News for {{ customer.first_name }}");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Version 2").waitFor();
    await page.getByText("Phone", { exact: true }).click();
    assert.match(await page.locator("iframe").getAttribute("style") ?? "", /width: 375px/);
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Restore" }).waitFor();
    await checkLooks(page);
  });

  await t.step("a campaign is filled in, and says what is missing", async () => {
    await goTo(page, "Campaigns");
    await checkLooks(page);
    await page.getByRole("link", { name: "New campaign" }).first().click();
    await page.getByRole("button", { name: "Continue to review" }).click();
    await page.getByText("Name is required").waitFor();
    await page.getByLabel("Name").fill("Spring sale");
    await choose(page, "Segment", /^Everybody/);
    await choose(page, "Template", "Sale");
    await page.frameLocator("iframe[title='The email']").getByText("Hello").waitFor();
    await choose(page, "Sender", "Shop");
    await page.getByText(`${people} customers with an address.`).waitFor();
    await page.getByRole("button", { name: "Continue to review" }).click();
    await page.getByText("Choose a topic, or “None” for a transactional email").waitFor();
    await choose(page, "Topic", /^None: a transactional email/);
    await page.getByText("Everyone gets it except suppressed addresses").waitFor();
    await choose(page, "Topic", "News");
    await page.getByText(`${people} customers with an address, subscribed to the topic.`).waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Continue to review" }).click();
  });

  await t.step("the review counts recipients, and others by reason", async () => {
    const table = page.getByRole("table", { name: "Who gets it" });
    await table.getByRole("row", { name: `Audience ${people}` }).waitFor();
    await table.getByRole("row", { name: "Suppressed addresses −1" }).waitFor();
    await table.getByRole("row", { name: `Will get it ${people - 1}` }).waitFor();
    await page.getByText(`This campaign will go to ${people - 1} people.`).waitFor();
    await checkLooks(page);
  });

  await t.step("the email is rendered for a member of the segment", async () => {
    const mail = page.frameLocator("iframe[title='The email']");
    await mail.getByText(/^Hello Ada \d+$/).waitFor();
    await page.getByText(/^News for Ada \d+$/).waitFor();
    await page.getByText("Shop <shop@example.com>").waitFor();
    await page.getByText(/^Rendered for Ada \d+, a member of the segment\.$/).waitFor();
  });

  await t.step("the review says what to do before sending, and a test email is sent", async () => {
    const checks = page.getByRole("list", { name: "Before you send" });
    await checks.getByText("The sender Shop has sent nothing yet").waitFor();
    await checks.getByText("The template Sale has no warnings").waitFor();
    await checks.getByText("Only subscribers of News get it").waitFor();
    await checks.getByText("No test email was sent").waitFor();
    await checks.getByRole("button", { name: "Send a test email" }).first().click();
    const test = page.getByRole("dialog", { name: "Send test email" });
    await test.getByRole("combobox", { name: "To", exact: true }).fill("me@example.com");
    await page.keyboard.press("Enter");
    await test.getByRole("button", { name: "Send", exact: true }).click();
    await test.getByText("On its way").waitFor();
    await page.keyboard.press("Escape");
    await test.waitFor({ state: "detached" });
    await checks.getByText("A test email was sent").waitFor({ timeout: 60_000 });
    await checks.getByText("The sender Shop works").waitFor();
  });

  await t.step("the keyboard sends it, and it completes", async () => {
    await page.getByRole("button", { name: "Send now" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Send this campaign now?" });
    await dialog.getByText(`${people - 1} people will get it.`).waitFor();
    await dialog.getByText(/^News for Ada \d+$/).waitFor();
    for (const fact of ["Shop <shop@example.com>", "Everybody", "News"]) {
      await dialog.getByText(fact, { exact: true }).waitFor();
    }
    await checkLooks(page);
    await dialog.getByRole("button", { name: `Send to ${people - 1} people` }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Completed", { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText(`Sent to ${people - 1} of ${people} recipients`).waitFor({
      timeout: 5_000,
    });
    // The figures account for the same recipients.
    assert.equal(await page.getByRole("link", { name: `Sent ${people - 1}` }).count(), 1);
    await page.getByText("This sender reports no deliveries").waitFor();
    await page.getByRole("table", { name: "Not sent" }).getByRole("link").waitFor();
    await page.getByRole("link", { name: "See the emails", exact: true }).waitFor();
    await checkLooks(page);
  });

  await t.step("the log says why one got nothing, and shows what another got", async () => {
    await page.getByRole("link", { name: "See the emails that were not sent" }).click();
    await page.getByRole("heading", { level: 1, name: "Sends" }).waitFor();
    await page.getByText("The address was suppressed").filter({ visible: true }).waitFor();
    const totals = page.getByRole("list", { name: "Totals" });
    await totals.getByRole("link", { name: `${people - 1} sent`, exact: true }).click();
    await page.getByRole("link", { name: "person-2@example.com" }).waitFor();
    await totals.getByRole("link", { name: "1 not sent", exact: true }).click();
    await page.getByRole("link", { name: "person-2@example.com" }).waitFor({ state: "detached" });
    await checkLooks(page);
    await page.getByRole("link", { name: "person-1@example.com" }).click();
    await page.getByText("The address is suppressed: added manually").waitFor();
    await page.getByRole("heading", { name: "What would have been sent" }).waitFor();
    await page.frameLocator("iframe[title='The email']").getByText("Hello Ada 1").waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "See everything that was checked" }).click();
    await page.getByRole("heading", { level: 1, name: "Why wasn’t it sent?" }).waitFor();
    await page.getByText(/suppressed/).first().waitFor();
    await checkLooks(page);
    await goTo(page, "Sends");
    const person = page.getByRole("link", { name: "person-2@example.com" });
    await person.waitFor();
    await page.getByRole("combobox", { name: "Time range" }).click();
    await page.getByRole("option", { name: "Last 24 hours" }).click();
    await page.waitForURL(/range=24h/);
    await person.waitFor();
    await page.goto(`${page.url().replace(/\?.*/, "")}?state=sent&until=2026-01-01T00:00:00.000Z`);
    await page.getByText("No matching emails").waitFor();
    await checkLooks(page);
    await goTo(page, "Sends");
    await person.click();
    const mail = page.frameLocator("iframe[title='The email']");
    await mail.getByText("Hello Ada 2").waitFor();
    await page.getByRole("tab", { name: "Text" }).click();
    await page.getByText("Hello Ada 2").first().waitFor();
    await checkLooks(page);
  });

  await t.step("the list shows what was sent, and finds a campaign by its name", async () => {
    await goTo(page, "Campaigns");
    const row = page.getByRole("row", { name: /Spring sale/ });
    await row.getByText("Everybody").waitFor();
    await row.getByRole("cell", { name: `${people - 1} 91.7%` }).waitFor();
    await row.getByRole("cell", { name: "1 8.3%" }).waitFor();
    await page.getByRole("combobox", { name: "Find a campaign" }).fill("spring");
    await page.getByRole("option", { name: "Spring sale Completed" }).waitFor();
    await checkLooks(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /Spring sale/ }).waitFor();
  });

  await t.step(
    "the results show the email, and the links that were followed over time",
    async () => {
      await page.getByText(/^As sent to Ada \d+\.$/).waitFor();
      await page.frameLocator("iframe[title='The email']").getByText(/^Hello Ada \d+$/).waitFor();
      assert.equal(await page.getByRole("table", { name: "Clicks by link" }).count(), 0);
      await readMail(world);
      await page.reload();
      const link = page.getByRole("table", { name: "Clicks by link" }).getByRole("row");
      await link.filter({ hasText: "shop.example.com/sale" }).filter({ hasText: "1 9.1%" })
        .waitFor();
      assert.equal(await page.getByText("Opens and clicks by hour").count(), 0);
      await beginEarlier(world, "Spring sale");
      await page.reload();
      await page.getByRole("heading", { name: "Opens and clicks by hour" }).waitFor();
      await page.getByText("Opens and clicks by hour over time").waitFor({ state: "attached" });
      await checkLooks(page);
    },
  );

  await t.step("a large audience needs its number", async () => {
    await goTo(page, "Campaigns");
    await page.getByRole("link", { name: /Spring sale/ }).waitFor();
    const id = await createLarge(world);
    await page.goto(`${new URL(page.url()).pathname}/${id}`);
    await page.getByRole("button", { name: "Send now" }).click();
    const dialog = page.getByRole("dialog", { name: "Send this campaign now?" });
    const confirm = dialog.getByRole("button", { name: `Send to ${people - 1} people` });
    const number = dialog.getByLabel("Type the number of people to confirm");
    await number.fill(String(people));
    assert.equal(await confirm.isDisabled(), true);
    await number.fill(String(people - 1));
    await dialog.getByText("People who unsubscribed get it too").waitFor();
    await confirm.click();
    await page.getByText("Completed", { exact: true }).waitFor({ timeout: 60_000 });
  });
});

/** People in a segment, one of them suppressed, a template and a topic. */
async function addAudience(world: DashboardWorld): Promise<void> {
  const api = clientOf(world);
  const emails = Array.from({ length: people }, (_, n) => `person-${n + 1}@example.com`);
  await fetch(`${world.info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.info.api_key}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      events: emails.map((email, index) => ({
        type: "identify",
        external_id: `person-${index + 1}`,
        email,
        first_name: `Ada ${index + 1}`,
      })),
    }),
  }).then((response) => response.json());
  const segment = await api.call("POST /segments", {
    body: { key: "everybody", name: "Everybody", kind: "static" },
  });
  await api.call("PUT /segments/{id}/customers", { params: { id: segment.id }, body: { emails } });
  await api.call("POST /templates", {
    body: {
      key: "sale",
      name: "Sale",
      subject: "Hello {{ customer.first_name }}",
      html:
        '<h1 style="color: #123456">Hello {{ customer.first_name }}</h1><a href="https://shop.example.com/sale">Shop</a><a href="{{ unsubscribe_url }}">Leave</a>',
    },
  });
  await api.call("POST /topics", { body: { key: "news", name: "News", default: "subscribed" } });
  await api.call("POST /suppressions", { body: { email: emails[0]! } });
}

/** Follows the link of one mail, as a person does who reads it a while after it was sent. */
async function readMail({ info: { base_url } }: DashboardWorld): Promise<void> {
  const mails = `${base_url}/inbox/api/mails`;
  const { data } = await (await fetch(mails)).json();
  const { id } = data.find(({ to }: { to: unknown }) => JSON.stringify(to).includes("person-3@"));
  const { html } = await (await fetch(`${mails}/${id}`)).json();
  const [, url] = /href="([^"]+\/c\/[^"]+)"/.exec(html) ?? [];
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0 Safari/537.36" };
  const response = await fetch(url!.replaceAll("&amp;", "&"), { headers, redirect: "manual" });
  await response.body?.cancel();
}

/** Moves the start of a campaign two hours back. */
async function beginEarlier({ info }: DashboardWorld, name: string): Promise<void> {
  const sql = postgres(info.db_url, { max: 1, fetch_types: false });
  await sql`
    update public.campaigns set started_at = started_at - interval '2 hours'
    where name = ${name}`;
  await sql.end();
}

async function createLarge(world: DashboardWorld): Promise<string> {
  const api = clientOf(world);
  const { db_url, workspace_id } = world.info;
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  await sql`
    insert into public.send_settings (workspace_id, campaign_confirm_above)
    values (${workspace_id}, ${people - 1})
    on conflict (workspace_id) do update
    set campaign_confirm_above = excluded.campaign_confirm_above`;
  await sql.end();
  const campaign = await api.call("POST /campaigns", {
    body: {
      name: "To many",
      segment: "everybody",
      template: "sale",
      sender: "inbox",
    },
  });
  return campaign.id;
}

function clientOf({ info }: DashboardWorld) {
  return createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
}

/** Chooses an option of a field by its label. */
async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}
