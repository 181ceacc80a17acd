import assert from "node:assert/strict";
import { type ApiClient, createApiClient } from "../../supabase/functions/api/contract/client.ts";
import type { StackInfo } from "../../local/stack.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { checkLooks } from "../../testing/browser/check_pages.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

const params = { id: "welcome" };

Deno.test("publishing shows names with links, by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const journeyId = await addRun(world.info, api);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const dialog = page.getByRole("dialog", { name: "Publish version 2" });

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(
      `steps, customers and what is used have names, with the ${hands.name}`,
      async () => {
        await page.goto(`${workspace}/journeys/${journeyId}?tab=draft`);
        await page.locator('[data-step="later"]').waitFor();
        await hands.press(page.getByRole("button", { name: "Publish" }));
        const uses = dialog.getByRole("region", { name: "What it uses" });
        for (const name of ["Hello", "Shop", "Offers", "Regulars"]) {
          await uses.getByRole("link", { name }).waitFor();
        }
        const row = dialog.getByRole("table", { name: "Runs inside" })
          .getByRole("row", { name: /Wait: For 2 days/ });
        await row.getByRole("link", { name: "Ada" }).waitFor();
        await hands.check(dialog.getByRole("radio", { name: "Move to the new version" }));
        await row.getByText("Update customer: Sets onboarded").waitFor();
        assert.equal((await findProblems(page)).join("\n"), "");
      },
    );

    await t.step(`the links lead there, with the ${hands.name}`, async () => {
      await hands.press(dialog.getByRole("link", { name: "Ada" }));
      await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor();
    });
  }

  for (const [n, hands] of [makeMouse(page), makeKeyboard(page)].entries()) {
    await t.step(`the dialog says what publishing changes, with the ${hands.name}`, async () => {
      const key = `reminder-${n}`;
      const id = await addReminder(api, key);
      const changes = page.getByRole("dialog", { name: "Publish version 2" })
        .getByRole("region", { name: "Changes since version 1" });
      await page.goto(`${workspace}/journeys/${id}?tab=draft`);
      await page.locator('[data-step="tag"]').waitFor();
      const publish = page.getByRole("button", { name: "Publish" });
      const inviting = publish.and(page.locator('[data-variant="filled"]'));
      await page.getByText("3 changes since version 1").waitFor();
      await inviting.waitFor();
      await page.getByText("Version 1 · 0 active runs · Unpublished changes").waitFor();
      await hands.press(page.getByRole("button", { name: "Publish" }));
      const rows = changes.getByRole("listitem");
      await rows.filter({ hasText: "Changed" }).filter({ hasText: "Goal: paid" }).waitFor();
      const pause = rows.filter({ hasText: "Wait: For 2 days" });
      await pause.locator("del", { hasText: "1 day" }).waitFor();
      await pause.locator("ins", { hasText: "2 days" }).waitFor();
      await pause.locator("del", { hasText: "the end" }).waitFor();
      await rows.filter({ hasText: "Added" }).getByText("Update customer: Sets onboarded")
        .waitFor();
      assert.equal(await rows.count(), 3);
      await checkLooks(page);
      await hands.press(page.getByRole("dialog").getByRole("button", { name: "Publish" }));
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const focused = page.locator(":focus").and(page.getByRole("button", { name: "Publish" }));
      await focused.waitFor();
      await inviting.waitFor({ state: "detached" });
      await page.getByText("Version 2 · 0 active runs · Nothing to publish").waitFor();
      await publish.hover();
      await page.getByRole("tooltip", { name: "Nothing to publish: the draft is version 2" })
        .waitFor();
      assert.equal(await publish.getAttribute("aria-disabled"), "true");
      await publish.press("Enter");
      assert.equal(await page.getByRole("dialog").count(), 0);
      assert.equal((await api.call("GET /journeys/{id}", { params: { id } })).version, 2);
    });
  }

  await t.step("the list of runs names the step as the canvas does", async () => {
    await page.goto(`${workspace}/journeys/${journeyId}?tab=runs`);
    const row = page.getByRole("table", { name: "Runs" }).getByRole("row", { name: /Ada/ });
    await row.getByText("Wait: For 2 days").filter({ visible: true }).waitFor();
    await row.getByText("pause", { exact: true }).waitFor();
  });

  await t.step("so does the outline that shows until the canvas has loaded", async () => {
    const canvas = /\/assets\/journey_canvas-[^/]*\.js$/;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(canvas, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${workspace}/journeys/${journeyId}?tab=draft`);
    const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
    const first = steps.filter({ hasText: "1. Send email: Hello" });
    await first.getByText("greet", { exact: true }).waitFor();
    release();
    await page.locator('[data-step="greet"]').waitFor();
    await page.unroute(canvas);
  });

  await t.step("so do the journeys of a customer, also on a phone", async () => {
    const { data: [run] } = await api.call("GET /journeys/{id}/runs", { params });
    for (const width of [1440, 390]) {
      await resizeWindow(page, { width, height: 900 });
      await page.goto(`${workspace}/customers/${run!.customer_id}?tab=journeys`);
      const row = page.getByRole("table", { name: "Journeys" }).getByRole("row", {
        name: /Welcome/,
      });
      await row.getByText("Wait: For 2 days").filter({ visible: true }).waitFor();
      await row.getByText("pause", { exact: true }).filter({ visible: true }).waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
    }
    await resizeWindow(page, { width: 1440, height: 900 });
  });

  await t.step("a draft that is the version of everyone inside is nothing to publish", async () => {
    await api.call("PUT /journeys/{id}", { params, body: makeJourney("hello") });
    await page.goto(`${workspace}/journeys/${journeyId}?tab=draft`);
    await page.getByText("1 active run · Nothing to publish").waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    const empty = page.getByRole("dialog", { name: "Nothing to publish" });
    await empty.getByText("The draft is the same as version 1, and everyone inside").waitFor();
    assert.ok(await empty.getByRole("button", { name: "Publish" }).isDisabled());
    assert.equal(await empty.getByRole("radio").count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("the first version shows what it uses, and no changes", async () => {
    const { id } = await api.call("POST /journeys", { body: makeReminder("1d", {}) });
    await page.goto(`${workspace}/journeys/${id}?tab=draft`);
    await page.getByRole("button", { name: "Publish" }).click();
    const first = page.getByRole("dialog", { name: "Publish version 1" });
    await first.getByText("Customers begin to enter").waitFor();
    assert.equal(await first.getByText("Changes since").count(), 0);
  });

  await t.step("a problem is shown below the name of its step", async () => {
    await api.call("PUT /journeys/{id}", { params, body: makeJourney("unknown") });
    await page.goto(`${workspace}/journeys/${journeyId}?tab=draft`);
    await page.getByRole("button", { name: "Publish" }).click();
    const problem = dialog.getByRole("listitem").filter({ hasText: "Send email: unknown" });
    await problem.getByText(/^send.template must name a template/).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a journey with customers inside is stopped before it is deleted", async () => {
    await page.goto(`${workspace}/journeys/${journeyId}`);
    const askToDelete = async () => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
    };
    await askToDelete();
    const first = page.getByRole("dialog", { name: "Stop this journey first" });
    await first.getByText("1 active run").waitFor();
    assert.deepEqual(await findProblems(page), []);
    await first.getByRole("button", { name: "Stop journey…" }).click();
    const stop = page.getByRole("dialog", { name: "Stop this journey?" });
    await stop.getByRole("textbox").fill("Welcome");
    await stop.getByRole("button", { name: "Stop journey" }).click();
    await stop.waitFor({ state: "detached" });
    await page.getByText("0 active runs").waitFor();
    await askToDelete();
    const last = page.getByRole("dialog", { name: "Delete this journey?" });
    await last.getByRole("textbox").fill("Welcome");
    await last.getByRole("button", { name: "Delete journey" }).click();
    await page.getByRole("heading", { level: 1, name: "Journeys" }).waitFor();
  });
});

/** Publishes a journey that waits for a day, and drafts one that waits longer and then tags. */
async function addReminder(api: ApiClient, key: string): Promise<string> {
  const params = { id: key };
  const { id } = await api.call("PUT /journeys/{id}", { params, body: makeReminder("1d", {}) });
  await api.call("POST /journeys/{id}/publish", { params, body: {} });
  const changes = { goal: { event: "paid" } };
  await api.call("PUT /journeys/{id}", { params, body: makeReminder("2d", changes) });
  return id;
}

function makeReminder(length: string, changes: { goal?: { event: string } }) {
  const tag = { update: { attributes: { onboarded: true } } };
  const pause = { wait: { for: length } };
  const hasTag = changes.goal !== undefined;
  return {
    name: "Reminder",
    definition: {
      trigger: { event: "signed_up" },
      start: "pause",
      steps: hasTag ? { pause: { ...pause, next: "tag" }, tag } : { pause },
      ...changes,
    },
  };
}

/** Lets a customer wait in a journey, whose draft lacks the step since; returns its id. */
async function addRun(info: StackInfo, api: ApiClient): Promise<string> {
  await api.call("POST /templates", {
    body: {
      key: "hello",
      name: "Hello",
      subject: "Hello",
      html: '<a href="{{ unsubscribe_url }}">Unsubscribe</a>',
    },
  });
  await api.call("POST /senders", {
    body: { key: "shop", name: "Shop", provider: "inbox", from: "Shop <shop@example.com>" },
  });
  await api.call("POST /topics", {
    body: { key: "offers", name: "Offers", default: "subscribed" },
  });
  await api.call("POST /segments", {
    body: { key: "regulars", name: "Regulars", kind: "static" },
  });
  const { id } = await api.call("PUT /journeys/{id}", { params, body: makeJourney("hello") });
  await api.call("POST /journeys/{id}/publish", { params, body: {} });
  const body = { external_id: "ada", first_name: "Ada", email: "ada@example.com" };
  await track(info, { type: "identify", ...body });
  await track(info, { external_id: "ada", name: "signed_up" });
  await waitFor(async () => {
    const { data } = await api.call("GET /journeys/{id}/runs", { params });
    return data.find(({ step }) => step === "pause");
  });
  await api.call("PUT /journeys/{id}", { params, body: makeJourney("hello", "later") });
  return id;
}

async function track({ base_url, api_key }: StackInfo, entry: object): Promise<void> {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify(entry),
  });
  assert.ok(response.ok, await response.text());
}

/** A journey that greets, waits and tags. */
function makeJourney(template: string, wait = "pause") {
  return {
    name: "Welcome",
    definition: {
      trigger: { event: "signed_up" },
      entry: { when: { not: { segment: "regulars" } } },
      start: "greet",
      steps: {
        greet: { send: { template, sender: "shop", topic: "offers" }, next: wait },
        [wait]: { wait: { for: "2d" }, next: "tag" },
        tag: { update: { attributes: { onboarded: true } } },
      },
    },
  };
}
