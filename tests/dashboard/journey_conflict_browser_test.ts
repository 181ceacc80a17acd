import assert from "node:assert/strict";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { type Hands, makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { makeDefinition, openPause } from "./pause_journey.ts";

Deno.test("nobody overwrites another's draft without a question", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id } = await api.call("POST /journeys", {
    body: { name: "Reminder", definition: makeDefinition("1d") },
  });
  const params = { id };
  const saveElsewhere = (length: string) =>
    api.call("PATCH /journeys/{id}", { params, body: { definition: makeDefinition(length) } });
  const readSaved = async () => (await api.call("GET /journeys/{id}", { params })).definition;
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const pause = page.locator('[data-step="pause"]');
  const saved = page.getByText("Draft saved");
  const question = page.getByRole("alert").filter({
    hasText: "Somebody else has changed this draft",
  });

  const focusedView = page.locator(":focus").and(page.getByRole("button", { name: "Canvas" }));

  /** Changes the step here after somebody else has, so that both are based on one draft. */
  const changeBoth = async (hands: Hands, { here, elsewhere }: Record<string, string>) => {
    await page.goto(`${workspace}/journeys/${id}?tab=draft`);
    await saved.waitFor();
    await openPause(page, hands);
    const time = page.getByRole("textbox", { name: "Time", exact: true });
    await hands.type(time, "0");
    await page.getByText(/^Not saved: fix \d+ problems?$/).waitFor();
    await saveElsewhere(`${elsewhere}d`);
    await hands.type(time, here!);
    await question.waitFor();
    await page.getByText("Not saved", { exact: true }).waitFor();
    assert.deepEqual(await readSaved(), makeDefinition(`${elsewhere}d`));
  };

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(
      `the other draft is used, and undo brings mine back, with the ${hands.name}`,
      async () => {
        await changeBoth(hands, { here: "3", elsewhere: "2" });
        await hands.press(question.getByText("What is different in the other draft"));
        await question.locator("del", { hasText: "3 days" }).waitFor();
        await question.locator("ins", { hasText: "2 days" }).waitFor();
        assert.equal((await findProblems(page)).join("\n"), "");
        await hands.press(question.getByRole("button", { name: "Use the other draft" }));
        await focusedView.waitFor();
        await pause.getByText("For 2 days").waitFor();
        await saved.waitFor();
        await hands.press(page.getByRole("button", { name: "Undo" }));
        await pause.getByText("For 3 days").waitFor();
        await saved.waitFor();
        assert.deepEqual(await readSaved(), makeDefinition("3d"));
      },
    );

    await t.step(`publishing leads to the question, with the ${hands.name}`, async () => {
      await changeBoth(hands, { here: "15", elsewhere: "14" });
      await hands.press(page.getByRole("tab", { name: "Versions" }));
      await hands.press(page.getByRole("button", { name: "Publish" }));
      const dialog = page.getByRole("dialog", { name: "Publish" });
      await dialog.getByText("Choose one on the Draft tab.").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await hands.press(dialog.getByRole("button", { name: "Open the draft" }));
      await dialog.waitFor({ state: "detached" });
      await question.waitFor();
      await page.locator('[role="tab"]:focus').getByText("Draft").waitFor();
      await hands.press(question.getByRole("button", { name: "Use the other draft" }));
      await saved.waitFor();
    });

    await t.step(`my draft is kept, also after a reload, with the ${hands.name}`, async () => {
      await changeBoth(hands, { here: "5", elsewhere: "4" });
      await page.reload();
      await question.waitFor();
      await hands.press(page.getByRole("tab", { name: "Rehearse" }));
      await page.getByText("Your draft and another one differ.").waitFor();
      await hands.press(page.getByRole("tab", { name: "Draft" }));
      await hands.press(question.getByRole("button", { name: "Keep my draft" }));
      await focusedView.waitFor();
      await saved.waitFor();
      assert.deepEqual(await readSaved(), makeDefinition("5d"));
    });
  }

  await t.step("the question ends when my change is undone", async () => {
    await changeBoth(makeMouse(page), { here: "7", elsewhere: "6" });
    await page.getByRole("button", { name: "Undo" }).click();
    await question.waitFor({ state: "detached" });
    await pause.getByText("For 6 days").waitFor();
    await saved.waitFor();
  });

  await t.step("the same change on both sides needs no question", async () => {
    await openPause(page, makeMouse(page));
    const time = page.getByRole("textbox", { name: "Time", exact: true });
    await time.fill("0");
    await page.getByText(/^Not saved: fix \d+ problems?$/).waitFor();
    await saveElsewhere("8d");
    await time.fill("8");
    await saved.waitFor();
    assert.equal(await question.count(), 0);
  });

  await t.step("a draft that was not seen is not published", async () => {
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish version 1" });
    await dialog.getByText("Customers begin to enter").waitFor();
    await saveElsewhere("9d");
    await dialog.getByRole("button", { name: "Publish" }).click();
    await dialog.getByText("The draft has changed").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await pause.getByText("For 9 days").waitFor();
    assert.equal((await api.call("GET /journeys/{id}", { params })).version, null);
  });

  await t.step("on a phone, the question is above the fields of the step", async () => {
    await resizeWindow(page, { width: 390, height: 844 });
    const time = page.getByRole("textbox", { name: "Time", exact: true });
    await time.fill("0");
    await saveElsewhere("10d");
    await time.fill("11");
    await page.getByRole("dialog").getByRole("button", { name: "Use the other draft" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("dialog").locator("h2:focus").getByText("Wait").waitFor();
    await resizeWindow(page, { width: 1440, height: 900 });
  });

  await t.step("a tab without changes of its own shows what others save", async () => {
    await saveElsewhere("12d");
    await pause.getByText("For 12 days").waitFor();
    assert.equal(await question.count(), 0);
  });
});
