import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import postgres from "postgres";
import type { StackInfo } from "../../local/stack.ts";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { checkLooks } from "../../testing/browser/check_pages.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { type Hands, makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard, reach } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { waitUntilTrue } from "../../testing/browser/wait_for.ts";

const definition = {
  trigger: { event: "order_created" },
  start: "answer",
  steps: {
    answer: { wait_for: { event: "paid", timeout: "2d" }, next: "tag", on_timeout: "end" },
    tag: { update: { attributes: { paid: true } }, next: "end" },
    end: { exit: {} },
  },
};

Deno.test("a step of a rehearsal opens, by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id } = await api.call("POST /journeys", { body: { name: "Reminder", definition } });
  await addCustomer(world.info);
  await insertRehearsal(world.info, id);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const panel = page.getByRole("complementary", { name: "Details" });
  const close = panel.getByRole("button", { name: "Close the step" });
  const openPage = async () => {
    await page.goto(`${workspace}/journeys/${id}?tab=rehearse`);
    await page.locator('[data-step="answer"]').waitFor();
  };

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(`it says who came and which way they went, with the ${hands.name}`, async () => {
      await openPage();
      await openStep(page, hands);
      await panel.getByText("10 customers").waitFor();
      await panel.locator("h2:focus").getByText("Wait for event").waitFor();
      await panel.getByRole("listitem").filter({ hasText: "Still here" }).getByText("2").first()
        .waitFor();
      const ways = panel.getByRole("table", { name: "Ways" }).getByRole("row");
      await ways.filter({ hasText: "Update customer: Sets paid" }).getByText("50%").waitFor();
      await ways.filter({ hasText: "not within 2 days" }).getByText("30%").waitFor();
      await panel.getByText("Continued to Update customer: Sets paid").waitFor();
      await checkLooks(page);
    });

    await t.step(`its examples lead to the customers, with the ${hands.name}`, async () => {
      await openPage();
      await openStep(page, hands);
      await hands.press(panel.getByRole("link", { name: "Ada" }));
      await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
    });

    await t.step(`closing it returns the focus to the step, with the ${hands.name}`, async () => {
      await openPage();
      await openStep(page, hands);
      await hands.press(close);
      await panel.waitFor({ state: "detached" });
      await page.locator('[data-step="answer"]:focus').waitFor();
    });
  }

  await t.step(
    "all steps stay in sight beside the panel, on a canvas as high as the editor's",
    async () => {
      await openPage();
      await waitUntilTrue(page, showsAll);
      const { height } = (await page.locator(".journey-canvas").boundingBox())!;
      await openStep(page, makeMouse(page));
      await panel.waitFor();
      await waitUntilTrue(page, showsAll);
      await close.click();
      await panel.waitFor({ state: "detached" });
      await waitUntilTrue(page, showsAll);
      await page.getByRole("tab", { name: "Draft" }).click();
      await page.getByRole("button", { name: "Undo" }).waitFor();
      await page.locator('[data-step="answer"]').waitFor();
      assert.equal((await page.locator(".journey-canvas").boundingBox())!.height, height);
      await openPage();
      await openStep(page, makeMouse(page));
      await panel.waitFor();
      await close.click();
      await page.locator('[data-step="answer"]:focus').waitFor();
    },
  );

  await t.step("arrows show the next step and keep the focus on the canvas", async () => {
    await page.keyboard.press("ArrowLeft");
    await panel.getByText("would have entered").waitFor();
    await panel.getByText("Not entered: condition").waitFor();
    await page.locator('[data-step="@entry"]:focus').waitFor();
  });

  await t.step("a change of the draft makes it outdated, and publishing does not", async () => {
    const outdated = page.getByText("The draft was changed after this rehearsal.");
    await api.call("POST /journeys/{id}/publish", { params: { id }, body: {} });
    await openPage();
    await page.getByText(/^The draft with the events from/).waitFor();
    assert.equal(await outdated.count(), 0);
    await page.getByText("6 had already entered, 4 did not meet the entry condition").waitFor();
    await page.getByText(
      "use today’s profiles, consent, suppressions and segments, because their history is not " +
        "recorded. The rehearsal ignores caps and quiet hours.",
    ).waitFor();
    const changed = { ...definition, trigger: { event: "order_paid" } };
    await api.call("PATCH /journeys/{id}", { params: { id }, body: { definition: changed } });
    await openPage();
    await outdated.waitFor();
  });

  await t.step("neither the rehearsal nor the steps show a goal that there is not", async () => {
    const goal = page.getByText("Reached the goal");
    await page.getByText("Would have entered", { exact: true }).waitFor();
    assert.equal(await goal.count(), 0);
    await page.goto(`${workspace}/journeys/${id}?tab=live`);
    await page.getByText("Inside now").waitFor();
    assert.equal(await goal.count(), 0);
    const steps = page.getByRole("table", { name: "Steps" });
    await steps.getByRole("columnheader", { name: "Reached" }).waitFor();
    assert.equal(await steps.getByRole("columnheader", { name: "Goal" }).count(), 0);
  });

  await t.step("the open step of the draft stays in sight in a narrower window", async () => {
    await page.goto(`${workspace}/journeys/${id}?tab=draft`);
    const last = page.locator('[data-step="end"]');
    await last.click();
    await panel.waitFor();
    await resizeWindow(page, { width: 1010, height: 900 });
    await waitUntilTrue(page, showsLast);
  });

  await t.step("on a phone, it opens over the page", async () => {
    await resizeWindow(page, { width: 390, height: 844 });
    await openPage();
    await page.locator('[data-step="answer"]').click();
    const drawer = page.getByRole("dialog", { name: "Details" });
    await drawer.getByText("10 customers").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });
});

/** Runs in the page. Returns whether the canvas has all steps between its sides. */
const showsAll = `(() => {
  const canvas = document.querySelector(".journey-canvas").getBoundingClientRect();
  return [...document.querySelectorAll("[data-step]")].every((step) => {
    const { left, right } = step.getBoundingClientRect();
    return left >= canvas.left && right <= canvas.right;
  });
})()`;

/** Runs in the page. Returns whether the last step is on the canvas. */
const showsLast = `(() => {
  const { left, right } = document.querySelector(".journey-canvas").getBoundingClientRect();
  const step = document.querySelector('[data-step="end"]').getBoundingClientRect();
  return right < 800 && step.left >= left && step.right <= right;
})()`;

/** Opens the first step. Tab comes to the trigger only, and arrows lead on. */
async function openStep(page: Page, { name, press }: Hands): Promise<void> {
  if (name === "mouse") return await press(page.locator('[data-step="answer"]'));
  await reach(page, page.locator('[data-step="@entry"]'));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
}

async function addCustomer({ base_url, api_key }: StackInfo): Promise<void> {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "identify", external_id: "ada", first_name: "Ada" }),
  });
  assert.ok(response.ok, await response.text());
}

/** Stores a rehearsal that is done, with one example. */
async function insertRehearsal({ db_url }: StackInfo, journeyId: string): Promise<void> {
  const counts = [
    { step: "", kind: "entered", count: 10 },
    { step: "", kind: "not_entered:entered_before", count: 6 },
    { step: "", kind: "not_entered:condition", count: 4 },
    { step: "answer", kind: "came", count: 10 },
    { step: "answer", kind: "waiting", count: 2 },
    { step: "answer", kind: "left:next", count: 5 },
    { step: "answer", kind: "left:timeout", count: 3 },
    { step: "tag", kind: "came", count: 5 },
    { step: "tag", kind: "left:next", count: 5 },
    { step: "end", kind: "came", count: 8 },
  ];
  const path = [{
    visit: 1,
    step: "answer",
    kind: "wait_for",
    at: new Date(Date.now() - 86_400_000).toISOString(),
    outcome: { way: "next", to: "tag" },
  }];
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  try {
    const [ada] = await sql`select id from public.customers limit 1`;
    const example = {
      customer_id: ada!.id,
      entered_at: path[0]!.at,
      state: "ended",
      reason: "completed",
      step: null,
      wake_at: null,
      goal_at: null,
      path,
    };
    await sql`
      insert into public.rehearsals (
        workspace_id, journey_id, definition, since, until, state, finished_at, counts, examples
      )
      select workspace_id, id, definition, now() - interval '7 days', now(), 'done', now(),
        ${JSON.stringify(counts)}::text::jsonb, ${JSON.stringify([example])}::text::jsonb
      from public.journeys where id = ${journeyId}`;
  } finally {
    await sql.end();
  }
}
