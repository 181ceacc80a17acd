import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { type Hands, makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard, reach } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";

Deno.test("a version is restored into the draft, by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const params = { id: "reminder" };
  for (const length of ["2d", "3d"]) {
    await api.call("PUT /journeys/{id}", { params, body: makeJourney(length) });
    await api.call("POST /journeys/{id}/publish", { params, body: {} });
  }
  const { id } = await api.call("GET /journeys/{id}", { params });
  const readLength = async () => {
    const { definition } = await api.call("GET /journeys/{id}", { params });
    return definition.steps.pause;
  };
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const pause = page.locator('[data-step="pause"]');
  const saved = page.getByText("Draft saved");

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(`an older version replaces the draft, with the ${hands.name}`, async () => {
      await page.goto(`${workspace}/journeys/${id}?tab=versions`);
      const dialog = await openQuestion(page, { hands, version: 1 });
      await dialog.getByText("The draft differs from version 1.").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await hands.press(dialog.getByRole("button", { name: "Restore" }));
      await pause.getByText("For 2 days").waitFor();
      await page.locator('[role="tab"]:focus').getByText("Draft").waitFor();
      await saved.waitFor();
      assert.deepEqual(await readLength(), makeJourney("2d").definition.steps.pause);
    });

    await t.step(`undo brings the draft back, with the ${hands.name}`, async () => {
      await hands.press(page.getByRole("tab", { name: "Versions" }));
      await hands.press(page.getByRole("tab", { name: "Draft" }));
      await hands.press(page.getByRole("button", { name: "Undo" }));
      await pause.getByText("For 3 days").waitFor();
      await saved.waitFor();
      assert.deepEqual(await readLength(), makeJourney("3d").definition.steps.pause);
    });

    await t.step(`changes that are not saved are asked about, with the ${hands.name}`, async () => {
      await openFirst(page, hands);
      const time = page.getByRole("textbox", { name: "Time", exact: true });
      await hands.type(time, "0");
      await page.getByText(/^Not saved: fix \d+ problems?$/).waitFor();
      await hands.press(page.getByRole("tab", { name: "Versions" }));
      const dialog = await openQuestion(page, { hands, version: 2 });
      await dialog.getByText("The draft has changes that are not saved.").waitFor();
      await hands.press(dialog.getByRole("button", { name: "Cancel" }));
      await dialog.waitFor({ state: "detached" });
      await openQuestion(page, { hands, version: 2 });
      await hands.press(dialog.getByRole("button", { name: "Restore" }));
      await pause.getByText("For 3 days").waitFor();
      await saved.waitFor();
      assert.equal(await page.getByText("We restored your unsaved changes.").count(), 0);
    });

    await t.step(
      `the version that the draft is needs no question, with the ${hands.name}`,
      async () => {
        await hands.press(page.getByRole("tab", { name: "Versions" }));
        await hands.press(restoreButton(page, 2));
        await pause.getByText("For 3 days").waitFor();
        assert.equal(await page.getByRole("dialog").count(), 0);
      },
    );
  }

  await t.step("a version names the member who published it", async () => {
    await api.call("PUT /journeys/{id}", { params, body: makeJourney("4d") });
    await page.goto(`${workspace}/journeys/${id}?tab=draft`);
    await pause.getByText("For 4 days").waitFor();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog", { name: "Publish version 3" })
      .getByRole("button", { name: "Publish" }).click();
    await page.getByRole("tab", { name: "Versions" }).click();
    const version = (n: number) =>
      page.getByRole("listitem").filter({ hasText: new RegExp(`^Version ${n}`) });
    await version(3).getByText(`by ${user.email}`).waitFor();
    await version(2).getByText("Changed Wait: For 3 days").waitFor();
    assert.equal(await version(2).getByText(/ by /).count(), 0);
    await resizeWindow(page, { width: 390, height: 844 });
    await page.goto(`${workspace}/journeys/${id}?tab=versions`);
    await restoreButton(page, 1).waitFor();
    const left = async (n: number) => (await restoreButton(page, n).locator("..").boundingBox())!.x;
    assert.equal(await left(1), await left(3));
    assert.equal((await findProblems(page)).join("\n"), "");
  });
});

function makeJourney(length: string) {
  return {
    name: "Reminder",
    definition: {
      trigger: { event: "signed_up" },
      start: "pause",
      steps: { pause: { wait: { for: length }, next: "end" }, end: { exit: {} } },
    },
  };
}

/** Opens the first step. Tab comes to the trigger only, and arrows lead on. */
async function openFirst(page: Page, { name, press }: Hands): Promise<void> {
  if (name === "mouse") return await press(page.locator('[data-step="pause"]'));
  await reach(page, page.locator('[data-step="@entry"]'));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
}

function restoreButton(page: Page, version: number) {
  return page.getByRole("button", { name: `Restore into the draft: version ${version}` });
}

async function openQuestion(page: Page, { hands, version }: { hands: Hands; version: number }) {
  await hands.press(restoreButton(page, version));
  const dialog = page.getByRole("dialog", {
    name: `Restore version ${version} into the draft?`,
  });
  await dialog.waitFor();
  return dialog;
}
