import assert from "node:assert/strict";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

Deno.test("a segment's page begins a campaign to its members", async (t) => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  await api.call("POST /segments", { body: { name: "Others", kind: "static" } });
  const { id } = await api.call("POST /segments", { body: { name: "Club", kind: "static" } });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const send = page.getByRole("link", { name: "Send a campaign" });
  const segment = page.getByRole("combobox", { name: "Segment" });

  await t.step("the form has the segment as its audience, and a reload keeps it", async () => {
    await page.goto(`${workspace}/segments/${id}`);
    await send.click();
    await page.getByRole("heading", { level: 1, name: "New campaign" }).waitFor();
    await page.waitForURL(`**/campaigns/new?segment=${id}`);
    await waitFor(async () => await segment.inputValue() === "Club (0)" || undefined);
    await page.getByLabel("Name").fill("Spring sale");
    await page.reload();
    await page.getByText("We restored your unsaved changes.").waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "Spring sale");
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step(
    "a campaign from the list begins without a segment and without that draft",
    async () => {
      await page.goto(`${workspace}/campaigns/new`);
      await page.getByLabel("Name").waitFor();
      assert.equal(await page.getByLabel("Name").inputValue(), "");
      assert.equal(await segment.inputValue(), "");
    },
  );

  await t.step("a viewer is not offered a campaign", async () => {
    await makeViewer(world.info);
    await page.goto(`${workspace}/segments/${id}`);
    await page.getByRole("button", { name: "Export" }).waitFor();
    assert.equal(await send.count(), 0);
  });
});
