import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";

Deno.test("views are saved, opened, changed, renamed and deleted", async (t) => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  await api.call("POST /views", { body: { list: "sends", name: "Taken" } });
  const page = await world.openPage({ viewport: { width: 1280, height: 800 } });
  const workspace = await signIn(page, world.info.user);
  const views = page.getByRole("button", { name: /^Views/ });
  const dialog = page.getByRole("dialog");
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  const isGivenBack = async () =>
    await page.waitForFunction(
      (button) => button === (button as unknown as Focused).ownerDocument.activeElement,
      await views.elementHandle(),
    );
  const readViews = async () => {
    const { data } = await api.call("GET /views", { query: { list: "sends" } });
    return data.map(({ name, filters }) => [name, filters]);
  };

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    const choose = async (name: string) => {
      await hands.press(views);
      await hands.press(item(name));
    };

    await t.step(`a view is saved and opened, with the ${hands.name}`, async () => {
      await page.goto(`${workspace}/sends?engagement=opened`);
      await choose("Save this view…");
      await hands.type(dialog.getByLabel("Name"), "taken");
      await hands.press(dialog.getByRole("button", { name: "Save view" }));
      await dialog.getByText("This list has a view with this name").waitFor();
      await hands.type(dialog.getByLabel("Name"), "x".repeat(201));
      await hands.press(dialog.getByRole("button", { name: "Save view" }));
      await dialog.getByText("Name must be 1 to 200 characters long").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await hands.type(dialog.getByLabel("Name"), "Read mail");
      await hands.press(dialog.getByRole("button", { name: "Save view" }));
      await dialog.waitFor({ state: "detached" });
      await isGivenBack();
      await choose("Taken");
      await page.waitForURL(/\/sends$/);
      await isGivenBack();
      await choose("Read mail");
      await page.waitForURL(/\?engagement=opened$/);
      await page.getByRole("button", { name: "Views: Read mail", exact: true }).waitFor();
      await isGivenBack();
    });

    await t.step(`a view gets the filters of the page, with the ${hands.name}`, async () => {
      await hands.press(views);
      assert.equal(await item("Read mail").getAttribute("aria-current"), "true");
      assert.equal(await item("Save changes").count(), 0);
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.keyboard.press("Escape");
      await hands.choose(page.getByRole("combobox", { name: "State" }), "Clicked");
      // The open view is known after a reload too.
      await page.reload();
      await choose("Save changes");
      await page.getByText("View saved").first().waitFor();
      await isGivenBack();
      assert.deepEqual(await readViews(), [
        ["Read mail", { engagement: "clicked" }],
        ["Taken", {}],
      ]);
    });

    await t.step(`a view is renamed, with the ${hands.name}`, async () => {
      await choose("Rename…");
      assert.equal(await dialog.getByLabel("Name").inputValue(), "Read mail");
      await hands.type(dialog.getByLabel("Name"), "TAKEN");
      await hands.press(dialog.getByRole("button", { name: "Rename view" }));
      await dialog.getByText("This list has a view with this name").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
      await page.reload();
      await dialog.getByText("We restored your unsaved changes").waitFor();
      assert.equal(await dialog.getByLabel("Name").inputValue(), "TAKEN");
      await hands.type(dialog.getByLabel("Name"), "Clicked mail");
      await hands.press(dialog.getByRole("button", { name: "Rename view" }));
      await dialog.waitFor({ state: "detached" });
      await isGivenBack();
      await hands.press(views);
      await item("Clicked mail").waitFor();
      await page.keyboard.press("Escape");
    });

    await t.step(
      `a dialog that is closed gives the focus back, with the ${hands.name}`,
      async () => {
        for (const name of ["Save this view…", "Rename…", "Delete…"]) {
          await choose(name);
          await dialog.waitFor();
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
          await isGivenBack();
        }
      },
    );

    await t.step(`a view is deleted, with the ${hands.name}`, async () => {
      await choose("Delete…");
      assert.equal((await findProblems(page)).join("\n"), "");
      await hands.press(dialog.getByRole("button", { name: "Delete view" }));
      await dialog.waitFor({ state: "detached" });
      await isGivenBack();
      assert.deepEqual(await readViews(), [["Taken", {}]]);
    });
  }

  await t.step("a long name ends early, and the sign of the open view stays in sight", async () => {
    const name = "Everyone who clicked a link in the newsletter of the last week of spring";
    const { id } = await api.call("POST /views", {
      body: { list: "sends", name, filters: { state: "failed" } },
    });
    await page.goto(`${workspace}/sends?state=failed`);
    await views.click();
    const opened = item(name);
    const menu = await readBox(page.getByRole("menu"));
    for (const part of [opened, opened.locator("svg"), item("Rename…"), item("Delete…")]) {
      const { x, width } = await readBox(part);
      assert.ok(x >= menu.x && x + width <= menu.x + menu.width, `${x} + ${width}`);
    }
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    await api.call("DELETE /views/{id}", { params: { id } });
  });

  await t.step(
    "a value that the list refuses is not saved, and its filter is cleared",
    async () => {
      await page.goto(`${workspace}/sends?campaign_id=spring`);
      await page.getByRole("button", { name: "Clear filters" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Try again" }).count(), 0);
      assert.equal((await findProblems(page)).join("\n"), "");
      await views.click();
      await item("Save this view…").click();
      await dialog.getByLabel("Name").fill("Spring");
      await dialog.getByRole("button", { name: "Save view" }).click();
      await dialog.getByText('"filters.campaign_id" must be a UUID').waitFor();
      await dialog.getByLabel("Name").fill("");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      assert.deepEqual(await readViews(), [["Taken", {}]]);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.waitForURL(/\/sends$/);
      await page.getByText("Nothing sent yet").waitFor();
    },
  );

  await t.step("a viewer opens views, and changes none", async () => {
    await makeViewer(world.info);
    await page.goto(`${workspace}/sends`);
    await views.click();
    await item("Taken").waitFor();
    assert.equal(await page.getByRole("menuitem").count(), 1);
  });
});

async function readBox(part: Locator) {
  await part.waitFor();
  const box = await part.boundingBox();
  assert.ok(box);
  return box;
}

/** The part of the browser's types that the test uses. */
interface Focused {
  ownerDocument: { activeElement: unknown };
}
