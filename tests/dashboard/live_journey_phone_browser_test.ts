import assert from "node:assert/strict";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";

const definition = {
  trigger: { api: true as const },
  start: "where",
  steps: {
    where: {
      branch: [{
        when: { field: "attributes.plan", op: "eq", value: "pro" },
        next: "pause",
      }],
      else: "leave",
    },
    pause: { wait: { for: "2d" } },
    leave: { exit: {} },
  },
};

Deno.test("a phone shows a live journey as a list of its steps with the figures", async (t) => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  const { id } = await api.call("POST /journeys", {
    body: { name: "Welcome", definition },
  });
  await api.call("POST /journeys/{id}/publish", { params: { id }, body: {} });
  for (const [external_id, plan] of [["ada", "pro"], ["bob", "pro"], ["cy", "free"]]) {
    await sendEntries(world.info, [{ type: "identify", external_id, attributes: { plan } }]);
    await api.call("POST /journeys/{id}/enter", { params: { id }, body: { external_id } });
  }
  const phone = { width: 390, height: 844 };
  const page = await world.openPage({ viewport: phone });
  const workspace = await signIn(page, world.info.user);
  const steps = page.getByRole("list", { name: "Steps with figures" });
  const items = steps.getByRole("listitem");
  const canvas = page.getByRole("group", { name: /^Canvas/ });

  await t.step("each step has its figures, and each way its name", async () => {
    await page.goto(`${workspace}/journeys/${id}`);
    await items.filter({ hasText: "2 here now · 2 reached" }).waitFor();
    const shown = (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
    assert.deepEqual(shown, [
      "Trigger: Only through the API 3 entered then → 1. Branch: If plan is pro 3",
      "1. Branch: If plan is pro 3 reached " +
      "if plan is pro → 2. Wait: For 2 days 2 otherwise → 3. Exit: The run ends 1",
      "2. Wait: For 2 days 2 here now · 2 reached then → the end 0",
      "3. Exit: The run ends 1 reached",
    ]);
    assert.equal(await canvas.count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a step opens the runs that wait at it", async () => {
    await items.nth(2).getByRole("button").click();
    await page.waitForURL(/step=pause/);
    await items.and(page.locator("[data-selected]")).waitFor();
  });

  await t.step("a wide window shows the canvas", async () => {
    await resizeWindow(page, { width: 1440, height: 900 });
    await canvas.waitFor();
    assert.equal(await steps.count(), 0);
  });
});
