import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import postgres from "postgres";
import type { StackInfo } from "../../local/stack.ts";
import { addAutomation } from "../../testing/browser/automation_data.ts";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

Deno.test("the list of sent messages answers where a message is", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const api = createSampleApi(world.info);
  const made = await addAutomation({ info: world.info, api, text: "" });
  await open(world.info, made.sendId);
  const page = await world.openPage({ viewport: desktop });
  const workspace = await signIn(page, world.info.user);
  const rows = page.getByRole("table", { name: "Sends" }).locator("tbody tr");
  const filter = (name: string) => page.getByRole("combobox", { name, exact: true });
  const back = (name: string) => page.getByRole("main").getByRole("link", { name, exact: true });

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(
      `messages are found by report and sender, with the ${hands.name}`,
      async () => {
        await resizeWindow(page, desktop);
        await page.goto(`${workspace}/sends`);
        await rows.nth(2).waitFor();
        await hands.choose(filter("State"), "Opened");
        await page.waitForURL(/[?&]engagement=opened/);
        await rows.nth(1).waitFor({ state: "detached" });
        await rows.getByText("person1@example.com").waitFor();
        assert.equal((await findProblems(page)).join("\n"), "");
        await hands.press(page.getByRole("button", { name: "More filters" }));
        await hands.choose(filter("Sender"), "Shop by SMTP");
        await page.getByText("No matching emails").waitFor();
        await page.getByText("Remove a filter to see more.").waitFor();
        const exported = page.waitForRequest(/\/sends\/export\?/);
        await hands.press(page.getByRole("button", { name: "Export" }));
        await hands.press(page.getByRole("menuitem", { name: "NDJSON" }));
        const { searchParams } = new URL((await exported).url());
        assert.equal(searchParams.get("engagement"), "opened");
        assert.equal(searchParams.has("state"), false);
        assert.equal(searchParams.get("sender_id"), made.smtpId);
      },
    );

    await t.step(
      `a message leads to its campaign and journey, with the ${hands.name}`,
      async () => {
        await page.goto(`${workspace}/sends?journey_id=${made.journeyId}`);
        const row = rows.first();
        await row.getByRole("link", { name: "Onboarding" }).waitFor();
        await page.goto(`${workspace}/sends?campaign_id=${made.campaignId}`);
        await page.getByRole("columnheader", { name: "Campaign or journey" }).waitFor();
        await hands.press(row.getByRole("link", { name: "Autumn sale" }));
        await page.waitForURL(new RegExp(`/campaigns/${made.campaignId}$`));
      },
    );

    await t.step(
      `what does not exist stays a filter until removed, with the ${hands.name}`,
      async () => {
        const kinds = ["campaign", "journey", "template", "sender", "customer"];
        const ids = new URLSearchParams(kinds.map((kind) => [`${kind}_id`, crypto.randomUUID()]));
        await page.goto(`${workspace}/sends?${ids}`);
        for (const kind of kinds) {
          const field = filter(kind.charAt(0).toUpperCase() + kind.slice(1));
          await page.waitForFunction(
            ([input, text]) => (input as unknown as { value: string }).value === text,
            [await field.elementHandle(), `Unknown ${kind}`] as const,
          );
          assert.equal((await findProblems(page)).join("\n"), "");
          // An option that is chosen again is not chosen any more.
          await hands.choose(field, `Unknown ${kind}`);
          await page.waitForURL((url) => !url.searchParams.has(`${kind}_id`));
        }
        await rows.nth(2).waitFor();
        await page.goto(`${workspace}/messages?destination_id=${crypto.randomUUID()}`);
        await hands.choose(filter("Destination"), "Unknown destination");
        await page.waitForURL((url) => !url.searchParams.has("destination_id"));
      },
    );

    await t.step(
      `a page leads back to its list as it was filtered, with the ${hands.name}`,
      async () => {
        const lists = [
          ["sends", "Sends", "engagement=opened&sort=oldest"],
          ["deliveries", "Deliveries", "ok=false&range=7d"],
          ["customers", "Customers", "q=person1"],
          ["segments", "Segments", "kind=static"],
        ] as const;
        for (const [path, name, search] of lists) {
          await page.goto(`${workspace}/${path}?${search}`);
          await hands.press(page.locator("tbody a.row-link").first());
          await page.waitForURL(new RegExp(`/${path}/[0-9a-f-]{36}$`));
          // A reload, and a tab, change nothing.
          await page.reload();
          if (path === "customers") await hands.press(page.getByRole("tab", { name: "Topics" }));
          await hands.press(back(name));
          await page.waitForURL((url) => url.pathname.endsWith(`/${path}`));
          assert.equal(new URL(page.url()).search, `?${search}`);
        }
        // Without a list before it, a page leads to the whole list.
        await page.goto(`${workspace}/sends/${made.sendId}`);
        await hands.press(back("Sends"));
        await page.waitForURL(/\/sends$/);
      },
    );
  }

  await t.step("an attempt leads through others back to the list as it was filtered", async () => {
    await page.goto(`${workspace}/messages?state=failed`);
    await page.getByRole("link", { name: "All deliveries" }).click();
    await page.waitForURL(/\/deliveries$/);
    await page.goto(`${workspace}/messages?destination_id=${data.destinationId}`);
    await page.getByRole("link", { name: "All deliveries" }).click();
    await page.locator("tbody a.row-link").first().click();
    await back("Deliveries").click();
    await back("Messages").click();
    await page.waitForURL((url) => url.searchParams.get("destination_id") === data.destinationId);
  });

  await t.step("a message that was not sent shows only facts that it can have", async () => {
    await page.goto(`${workspace}/sends/${made.skippedId}`);
    await page.getByRole("heading", { level: 1, name: "Email not sent", exact: true }).waitFor();
    await page.getByText(/^Offer · To Grace Hopper · /).waitFor();
    assert.equal(await page.title(), "Email not sent: Offer · Signalpost");
    assert.equal(await page.getByRole("heading", { name: "History" }).count(), 0);
    assert.equal(await page.locator("dd").getByText("–", { exact: true }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a message that was not sent has a skeleton until it is rendered", async () => {
    const preview = "**/templates/*/preview";
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(preview, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${workspace}/sends/${made.skippedId}`);
    await page.getByRole("heading", { name: "What would have been sent" }).waitFor();
    const loading = page.getByRole("main").getByRole("status").getByText("Loading", {
      exact: true,
    });
    await loading.waitFor();
    release();
    await loading.waitFor({ state: "detached" });
    await page.getByTitle("The email").waitFor();
    await page.unroute(preview);
  });

  await t.step("a sender's figures stand on one line, above one chart of emails", async () => {
    await page.goto(`${workspace}/senders/${made.senderId}`);
    const figures = page.locator(".stat-grid > * > :nth-child(2)");
    await figures.nth(5).waitFor();
    const tops = await figures.evaluateAll((all) =>
      all.map((each) =>
        Math.round(
          (each as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect()
            .top,
        )
      )
    );
    assert.equal(new Set(tops).size, 1, String(tops));
    const chart = page.getByRole("heading", { name: "Emails over time" });
    await chart.waitFor();
    assert.equal(await page.getByRole("heading", { name: "Outcomes" }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("the copy button of an ID stands in the middle of its line", async () => {
    await page.goto(`${workspace}/sends/${made.skippedId}`);
    const button = page.getByRole("button", { name: "Copy send ID" });
    const id = page.getByText(made.skippedId, { exact: true });
    // The rest of the page may move both while they are measured.
    await waitFor(async () => {
      const boxes = await Promise.all([id.boundingBox(), button.boundingBox()]);
      const [middle, other] = boxes.map((box) => box ? box.y + box.height / 2 : NaN);
      return Math.abs(middle! - other!) <= 2 || undefined;
    });
  });

  await t.step("columns are chosen, and a phone shows rows of the same height", async () => {
    await page.goto(`${workspace}/sends`);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Sender" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Campaign or journey" }).click();
    await page.getByRole("columnheader", { name: "Sender" }).waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "Campaign" }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    await resizeWindow(page, phone);
    await page.goto(`${workspace}/sends?columns=To,State,Campaign,Sender`);
    await rows.nth(1).waitFor();
    assert.equal(await rows.first().locator("td:visible").count(), 2);
    await rows.getByText("Autumn sale").filter({ visible: true }).first().waitFor();
    await rows.getByText(/^[^ ]+@example\.com/).filter({ visible: true }).first().waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Template" }).click();
    await rows.getByText(/Offer/).filter({ visible: true }).first().waitFor();
    await page.keyboard.press("Escape");
    assert.equal((await findProblems(page)).join("\n"), "");
    const heights = await rows.evaluateAll((all) =>
      all.map((row) => (row as unknown as { offsetHeight: number }).offsetHeight)
    );
    // The last one has no line below it.
    assert.ok(Math.max(...heights) - Math.min(...heights) <= 1, String(heights));
    assert.ok(await readWidth(page) <= phone.width);
  });

  await t.step("an erased customer leads back to the list as it was searched", async () => {
    await page.goto(`${workspace}/customers?q=person2`);
    await page.locator("tbody a.row-link").first().click();
    await page.getByRole("button", { name: "Erase" }).click();
    const dialog = page.getByRole("dialog");
    const label = await dialog.getByText(/^Type .+ to confirm$/).innerText();
    await dialog.getByRole("textbox").fill(label.replace(/^Type (.+) to confirm$/, "$1"));
    await dialog.getByRole("button", { name: "Erase permanently" }).click();
    await page.waitForURL((url) => url.pathname.endsWith("/customers"));
    assert.equal(new URL(page.url()).search, "?q=person2");
  });
});

/** Notes that a message was opened. */
async function open({ db_url }: StackInfo, sendId: string): Promise<void> {
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  try {
    await sql`update public.sends set opened_at = now() where id = ${sendId}`;
  } finally {
    await sql.end();
  }
}

function readWidth(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth");
}
