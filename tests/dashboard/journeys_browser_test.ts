import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import {
  type DashboardWorld,
  goTo,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { readPageWidth, resizeWindow } from "../../testing/browser/resize.ts";
import { waitUntilTrue } from "../../testing/browser/wait_for.ts";
import { makeLongDefinition, shortDefinition } from "../../testing/data/journeys.ts";

const mail = `<html><head><style>.big { font-size: 31px }</style></head>
<body style="background: #fafafa"><h1 class="big" style="color: rgb(1, 2, 3)">Hello {{ customer.first_name }}</h1>
<img src="https://images.example.com/a.png" alt="A picture"></body></html>`;

/** Runs on the page: the named steps lie within the canvas, no text is below 11 pixels, and no label is cut. */
const isReadable = `((whole) => {
  const canvas = document.querySelector(".journey-canvas").getBoundingClientRect();
  const steps = [...document.querySelectorAll("[data-step]")];
  const texts = [...document.querySelectorAll(".node-label, .node-text, .node-figure, .way-text")];
  const labels = [...document.querySelectorAll(".way-text")];
  const zoom = steps[0].getBoundingClientRect().width / steps[0].offsetWidth;
  return texts.every((text) => parseFloat(getComputedStyle(text).fontSize) * zoom >= 11) &&
    labels.every((text) => text.scrollHeight <= text.clientHeight + 1) &&
    steps.filter(({ dataset }) => whole.includes(dataset.step))
      .map((step) => step.getBoundingClientRect()).every(({ left, right, top, bottom }) =>
      left >= canvas.left && right <= canvas.right && top >= canvas.top && bottom <= canvas.bottom
    );
})`;

/** Runs on the page: notes in each frame where the steps that can be seen lie within the canvas. */
const watchSteps = `(() => {
  const places = globalThis.placesOfSteps = {};
  const look = () => {
    const canvas = document.querySelector(".journey-canvas")?.getBoundingClientRect();
    for (const step of document.querySelectorAll("[data-step]")) {
      if (!step.checkVisibility({ visibilityProperty: true })) continue;
      const { left, top } = step.getBoundingClientRect();
      const place = [left - canvas.left, top - canvas.top].map(Math.round).join(" ");
      places[step.dataset.step] = [...new Set([...places[step.dataset.step] ?? [], place])];
    }
    requestAnimationFrame(look);
  };
  look();
})()`;

Deno.test("a journey is built, tested, published and watched", async (t) => {
  await using world = await openDashboardWorld();
  const api = clientOf(world);
  await addResources(world);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const violations = await watchPolicy(page);
  const workspace = await signIn(page, world.info.user);

  await t.step("a new journey opens its draft on a canvas", async () => {
    await goTo(page, "Journeys");
    await page.getByRole("button", { name: "New journey" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New journey" });
    await dialog.getByLabel("Name").fill("Welcome");
    await dialog.getByRole("button", { name: "Create journey" }).click();
    await dialog.getByText("Choose an event").waitFor();
    await dialog.getByLabel(/^Event/).fill("signed_up");
    await dialog.getByText("Choose an event").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Create journey" }).click();
    await node(page, "@entry").waitFor();
    await node(page, "end").waitFor();
  });

  await t.step("the mouse adds a step on a way, and the draft is saved", async () => {
    await page.getByRole("button", { name: "Add a step after the trigger" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /Send email/ }).click();
    await page.getByText(/^Not saved: fix \d+ problems?$/).waitFor();
    await choose(page, "Template", "Hello");
    await choose(page, "Sender", "Shop");
    await page.getByText("Draft saved").waitFor();
  });

  await t.step("the keyboard adds, undoes, copies and pastes steps", async () => {
    await node(page, "send").focus();
    await page.keyboard.press("+");
    const dialog = page.getByRole("dialog");
    // The dialog takes the focus, also from a button that has it already.
    await dialog.locator(":focus").waitFor();
    await dialog.getByRole("button", { name: /^Wait For a time/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Wait" }).waitFor();
    await node(page, "wait").focus();
    await page.keyboard.press("Control+z");
    await node(page, "wait").waitFor({ state: "detached" });
    await node(page, "@entry").focus();
    await page.keyboard.press("Control+Shift+z");
    await node(page, "wait").waitFor();
    await node(page, "@entry").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focusedStep(page), "wait");
    await page.keyboard.press("Control+c");
    await page.keyboard.press("Control+v");
    await node(page, "wait-2").waitFor();
    await node(page, "wait-2").focus();
    await page.keyboard.press("Delete");
    await node(page, "wait-2").waitFor({ state: "detached" });
    await page.getByText("Draft saved").waitFor();
  });

  await t.step("a problem is shown at its step and its field", async () => {
    await node(page, "wait").click();
    const time = page.getByRole("textbox", { name: "Time", exact: true });
    await time.fill("0");
    await node(page, "wait").getByText("1 problem").waitFor();
    await page.getByText("Enter a whole number from 1, up to 400 days").waitFor();
    assert.equal(await page.getByText("wait.for must be").count(), 0);
    await refusesToPublish(page);
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.reload();
    await refusesToPublish(page);
    await page.getByRole("tab", { name: "Draft" }).click();
    await node(page, "wait").click();
    assert.equal(await time.inputValue(), "0");
    await time.fill("2");
    await page.getByText("Draft saved").waitFor();
    await page.getByRole("button", { name: "Close the step" }).click();
    await page.locator('[data-step="wait"]:focus').waitFor();
  });

  await t.step("a second click on a step leaves the focus in its fields", async () => {
    const time = page.getByRole("textbox", { name: "Time", exact: true });
    await node(page, "wait").click();
    await time.waitFor();
    await node(page, "wait").click();
    await choose(page, "Time, unit", "seconds");
    await time.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    assert.equal(await time.inputValue(), "");
    await page.keyboard.type("12");
    assert.equal(await time.inputValue(), "12");
    await node(page, "wait").getByText("For 12 seconds").waitFor();
    await time.fill("2");
    await choose(page, "Time, unit", "days");
    await node(page, "wait").getByText("For 2 days").waitFor();
    await page.getByText("Draft saved").waitFor();
    await page.getByRole("button", { name: "Close the step" }).click();
  });

  await t.step("the list edits the same journey on a phone", () => editOnPhone(page));

  await t.step("a test shows the path of a customer, and the rendered mail", async () => {
    await page.getByRole("button", { name: "Test", exact: true }).click();
    const panel = page.getByRole("complementary", { name: "Details" });
    await panel.getByRole("combobox", { name: "Customer" }).click();
    await page.getByRole("option", { name: /Ada/ }).click();
    await panel.getByRole("button", { name: "Run the test" }).click();
    await page.locator('[data-step="send"][data-on-path]').waitFor();
    await panel.getByRole("button", { name: /Show “Hello/ }).click();
    const frame = page.frameLocator("iframe");
    const title = frame.getByRole("heading", { name: "Hello Ada" });
    await title.waitFor();
    assert.deepEqual(await title.evaluate(readStyle), ["rgb(1, 2, 3)", "31px"]);
    await checkAccessibility(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Test", exact: true }).click();
  });

  await t.step("publishing starts it, and a customer who signs up is seen at a step", async () => {
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish version 1" });
    await dialog.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Running", { exact: true }).waitFor();
    await track(world, { external_id: "ada", name: "signed_up" });
    await page.getByRole("tab", { name: "Live" }).click();
    const waiting = page.locator('[data-step="wait"]');
    await waiting.click();
    await page.getByRole("table", { name: /^Runs at Wait: / }).getByText("Inside").waitFor();
    await node(page, "@entry").locator("..").getByText("1 entered").waitFor();
    await checkAccessibility(page);
  });

  await t.step("a run shows its log, and can be removed", async () => {
    await page.getByRole("table", { name: /^Runs at Wait: / }).getByRole("button").first().click();
    const drawer = page.getByRole("dialog", { name: "Run" });
    await drawer.getByText(/^Continued to Wait: /).waitFor();
    await drawer.getByRole("button", { name: "Remove from the journey" }).click();
    await page.getByRole("dialog", { name: "Remove this run?" })
      .getByRole("button", { name: "Remove" }).click();
    await drawer.getByText("Removed", { exact: true }).waitFor();
    await page.getByRole("dialog", { name: "Remove this run?" }).waitFor({ state: "detached" });
    await drawer.getByRole("button", { name: "Close run" }).click();
    await drawer.waitFor({ state: "detached" });
  });

  await t.step("a rehearsal counts who would have entered", async () => {
    await page.getByRole("tab", { name: "Rehearse" }).click();
    await page.getByRole("button", { name: "Rehearse" }).click();
    await page.getByText("Would have entered").waitFor();
    await page.reload();
    await page.getByText("Would have entered").waitFor();
    await page.getByRole("heading", { name: "Examples" }).waitFor();
    await node(page, "wait").getByText("For 2 days").waitFor();
    await node(page, "@entry").locator("..").getByText(/^\d+ entered$/).waitFor();
    await goTo(page, "Journeys");
    await page.getByRole("link", { name: "Welcome" }).click();
    await page.getByRole("tab", { name: "Rehearse" }).click();
    await page.getByText("Would have entered").waitFor();
    await checkAccessibility(page);
  });

  await t.step("versions show a difference, and stop asks for the name", async () => {
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByText("The draft is the same as version 1.").waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await checkAccessibility(page);
    await page.getByRole("menuitem", { name: "Stop" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop this journey?" });
    await dialog.getByLabel("Type its name to confirm").fill("Welcome");
    await dialog.getByRole("button", { name: "Stop journey" }).click();
    await page.getByText("Stopped", { exact: true }).waitFor();
  });

  await t.step("a journey of 60 steps is drawn whole", async () => {
    const { id } = await api.call("POST /journeys", {
      body: { name: "Long", definition: makeLongDefinition(60) },
    });
    await page.goto(`${workspace}/journeys/${id}?tab=draft`);
    await node(page, "step-59").waitFor({ state: "attached" });
    assert.equal(await page.locator("[data-step]").count(), 61);
    await page.getByRole("img", { name: "Map of the journey" }).waitFor();
    await checkAccessibility(page);
  });

  await t.step("the steps of a journey show once they are where they stay", async () => {
    const { id } = await api.call("POST /journeys", {
      body: { name: "Placed", definition: shortDefinition },
    });
    const opened = await page.context().newPage();
    await opened.addInitScript(watchSteps);
    await opened.goto(`${workspace}/journeys/${id}?tab=draft`);
    await node(opened, "hello").waitFor();
    await opened.getByRole("img", { name: "Map of the journey" }).waitFor();
    const places = await opened.evaluate<Record<string, string[]>>("placesOfSteps");
    assert.deepEqual(Object.values(places).map((each) => each.length), Array(7).fill(1));
    await opened.close();
  });

  await t.step("a journey opens with text that can be read: whole, or from its start", async () => {
    const first = ["@entry", "hello", "pause", "plan"];
    const steps = { ...shortDefinition.steps, pause: { wait: { for: "2d" }, next: "end" } };
    const { hello, pause, end } = steps;
    for (
      const [name, definition, shown] of [
        ["Short", { ...shortDefinition, steps: { hello, pause, end } }, [...first, "end"]],
        ["Six steps", shortDefinition, first],
      ] as const
    ) {
      const { id } = await api.call("POST /journeys", { body: { name, definition } });
      await api.call("POST /journeys/{id}/publish", { params: { id }, body: {} });
      for (const tab of ["draft", "live"]) {
        await page.goto(`${workspace}/journeys/${id}?tab=${tab}`);
        await node(page, "end").waitFor();
        await waitUntilTrue(page, `${isReadable}(${JSON.stringify(shown)})`);
        const maps = await page.getByRole("img", { name: "Map of the journey" }).count();
        assert.equal(maps, name === "Six steps" && tab === "draft" ? 1 : 0);
        await checkAccessibility(page);
      }
      await page.getByText("0 reached").first().waitFor();
    }
  });
  assert.deepEqual(violations, []);
});

function clientOf({ info }: DashboardWorld) {
  return createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
}

async function addResources(world: DashboardWorld): Promise<void> {
  const api = clientOf(world);
  await api.call("POST /templates", {
    body: { name: "Hello", key: "hello", subject: "Hello {{ customer.first_name }}", html: mail },
  });
  await api.call("POST /senders", {
    body: {
      name: "Shop",
      key: "shop",
      provider: "inbox",
      from: "Shop <shop@example.com>",
    },
  });
  await track(world, {
    type: "identify",
    external_id: "ada",
    email: "ada@example.com",
    first_name: "Ada",
  });
}

async function track({ info }: DashboardWorld, entry: object): Promise<void> {
  const response = await fetch(`${info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${info.api_key}`, "content-type": "application/json" },
    body: JSON.stringify(entry),
  });
  assert.ok(response.ok, await response.text());
}

function node(page: Page, step: string) {
  return page.locator(`[data-step="${step}"]`);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

/** Sees that a draft which only this tab has cannot be published. */
async function refusesToPublish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByText("The draft is not saved").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Publish" }).isDisabled());
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Returns the step of the canvas that has the focus. */
async function focusedStep(page: Page): Promise<string> {
  return await page.evaluate<string>("document.activeElement.dataset.step");
}

/** Renames, moves and deletes with the list alone, at the width of a phone. */
async function editOnPhone(page: Page): Promise<void> {
  const desktop = page.viewportSize()!;
  await resizeWindow(page, { width: 390, height: 844 });
  await page.getByRole("button", { name: "List" }).click();
  const list = page.getByRole("list", { name: "Steps" });
  await checkAccessibility(page);
  assert.ok(await readPageWidth(page) <= 390);
  await list.getByRole("button", { name: "Add a step: wait, then → 3. Exit: The run ends" })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: /^Branch/ }).click();
  const panel = page.getByRole("dialog", { name: "Details" });
  await panel.getByLabel("Name").fill("vip");
  await panel.getByLabel("Name").press("Enter");
  await panel.getByRole("group", { name: "If" }).first().waitFor();
  await checkAccessibility(page);
  await panel.getByRole("button", { name: "Close the step" }).click();
  await list.getByRole("button", { name: /^4\. Exit/ }).waitFor();
  await list.getByRole("button", { name: "Delete vip" }).click();
  await list.getByRole("button", { name: /^3\. Exit/ }).waitFor();
  await page.getByText("Draft saved").waitFor();
  await resizeWindow(page, desktop);
  await page.getByRole("button", { name: "Canvas", exact: true }).click();
}

/** Runs in the frame, whose types are not known here. */
function readStyle(element: unknown): string[] {
  const { ownerDocument } = element as {
    ownerDocument: {
      defaultView: { getComputedStyle(of: unknown): { color: string; fontSize: string } };
    };
  };
  const { color, fontSize } = ownerDocument.defaultView.getComputedStyle(element);
  return [color, fontSize];
}

async function checkAccessibility(page: Page): Promise<void> {
  const problems = await findProblems(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  problems.push(...await findProblems(page, { runOnly: ["color-contrast"] }));
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(problems.join("\n"), "");
}

/** Collects violations of the page's policy, and exceptions. */
async function watchPolicy(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.exposeFunction("reportViolation", (text: string) => found.push(text));
  await page.addInitScript(`addEventListener("securitypolicyviolation", (event) =>
    reportViolation(event.violatedDirective + " " + event.sample + " " + event.blockedURI))`);
  page.on("pageerror", (error) => found.push(error.message));
  return found;
}
