import assert from "node:assert/strict";
import { writeDuration } from "../../dashboard/src/format/duration.ts";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { checkLooks } from "../../testing/browser/check_pages.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { makeDefinition, openPause } from "./pause_journey.ts";

Deno.test("a page says what others did to its draft, by mouse and by keyboard", async (t) => {
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
  await api.call("POST /journeys/{id}/publish", { params, body: {} });
  const saveElsewhere = (length: string) =>
    api.call("PATCH /journeys/{id}", { params, body: { definition: makeDefinition(length) } });
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const saved = page.getByText("Draft saved");
  const time = page.getByRole("textbox", { name: "Time", exact: true });
  const notice = page.getByRole("status").filter({
    hasText: "somebody else has just changed this draft",
  });
  const openDraft = async (length: string) => {
    await saveElsewhere(length);
    await page.goto(`${workspace}/journeys/${id}?tab=draft`);
    await page.locator('[data-step="pause"]').getByText(`For ${writeDuration(length)}`).waitFor();
    await saved.waitFor();
  };

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(
      `a page that follows another's draft says so until it is dismissed, with the ${hands.name}`,
      async () => {
        await openDraft("2d");
        assert.equal(await notice.count(), 0);
        await saveElsewhere("12d");
        await notice.waitFor();
        await hands.press(notice.getByText("What has changed"));
        await notice.locator("del", { hasText: "2 days" }).waitFor();
        await notice.locator("ins", { hasText: "12 days" }).waitFor();
        await checkLooks(page);
        await hands.press(notice.getByRole("button", { name: "Dismiss" }));
        await notice.waitFor({ state: "detached" });
        await page.locator(":focus").and(page.getByRole("button", { name: "Canvas" })).waitFor();
      },
    );

    await t.step(`the notice goes with the first change here, with the ${hands.name}`, async () => {
      await saveElsewhere("13d");
      await notice.waitFor();
      await openPause(page, hands);
      await hands.type(time, "14");
      await notice.waitFor({ state: "detached" });
      await saved.waitFor();
      const { definition } = await api.call("GET /journeys/{id}", { params });
      assert.deepEqual(definition, makeDefinition("14d"));
    });

    await t.step(`all tabs say that the draft conflicts, with the ${hands.name}`, async () => {
      await openDraft("2d");
      await openPause(page, hands);
      await hands.type(time, "0");
      await page.getByText(/^Not saved: fix \d+ problems?$/).waitFor();
      await saveElsewhere("3d");
      await hands.type(time, "4");
      await page.getByText("Somebody else has changed this draft").waitFor();
      const conflict = page.getByRole("alert").filter({
        hasText: "Your draft and another one differ. Choose one on the Draft tab.",
      });
      for (const name of ["Rehearse", "Live", "Runs", "Versions"]) {
        await hands.press(page.getByRole("tab", { name }));
        await conflict.waitFor();
        assert.equal((await findProblems(page)).join("\n"), "", name);
      }
      await checkLooks(page);
      await page.reload();
      await hands.press(conflict.getByRole("button", { name: "Open the draft" }));
      await page.locator('[role="tab"]:focus').getByText("Draft").waitFor();
      await hands.press(page.getByRole("button", { name: "Use the other draft" }));
      await saved.waitFor();
      await hands.press(page.getByRole("tab", { name: "Live" }));
      await page.getByText("Inside now").waitFor();
      assert.equal(await conflict.count(), 0);
    });
  }

  await t.step("on a phone, the notice is above the fields of the step", async () => {
    await openDraft("2d");
    await resizeWindow(page, { width: 390, height: 844 });
    await page.getByRole("button", { name: /Wait/ }).first().click();
    const panel = page.getByRole("dialog");
    await panel.getByRole("textbox", { name: "Time", exact: true }).waitFor();
    await saveElsewhere("5d");
    const dismiss = panel.getByRole("status").getByRole("button", { name: "Dismiss" });
    await dismiss.waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await dismiss.click();
    await panel.locator(":focus").waitFor();
  });
});
