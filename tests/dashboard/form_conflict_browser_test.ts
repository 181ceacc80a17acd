import assert from "node:assert/strict";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";

/** Runs in the page. */
// deno-lint-ignore no-explicit-any
function isInView(element: any): boolean {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < element.ownerDocument.defaultView.innerHeight;
}

const condition = { all: [{ field: "country", op: "eq", value: "IT" }] } as const;

Deno.test("two people who change one thing overwrite nothing of each other", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id } = await api.call("POST /segments", {
    body: { name: "First", kind: "live", condition },
  });
  const params = { id };
  const saveElsewhere = (body: { name?: string; description?: string | null }) =>
    api.call("PATCH /segments/{id}", { params, body });
  const read = async () => {
    const { name, description } = await api.call("GET /segments/{id}", { params });
    return { name, description };
  };
  const page = await world.openPage();
  const workspace = await signIn(page, user);
  const name = page.getByRole("textbox", { name: "Name" });
  const description = page.getByRole("textbox", { name: "Description" });
  const save = page.getByRole("button", { name: "Save" });
  const question = page.getByRole("alert").filter({
    hasText: "Somebody else has changed this too",
  });
  const focused = page.locator(":focus");
  const open = async () => {
    await page.goto(`${workspace}/segments/${id}/edit`);
    await name.waitFor();
  };
  const opened = (title: string) => page.getByRole("heading", { level: 1, name: title }).waitFor();

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(`my change is kept beside theirs, with the ${hands.name}`, async () => {
      await saveElsewhere({ name: "First", description: null });
      await open();
      await hands.type(name, "Mine");
      await saveElsewhere({ name: "Theirs", description: "Their text" });
      await hands.press(save);
      await question.getByText("Name: now “Theirs”").waitFor();
      await focused.filter({ hasText: "Both of you changed" }).waitFor();
      assert.ok(await question.evaluate(isInView));
      assert.equal(await question.getByText("Description").count(), 0);
      assert.equal((await findProblems(page)).join("\n"), "");
      assert.deepEqual(await read(), { name: "Theirs", description: "Their text" });
      await hands.press(question.getByRole("button", { name: "Keep my changes" }));
      await question.waitFor({ state: "detached" });
      assert.equal(await page.evaluate<string>("document.activeElement.value"), "Mine");
      assert.deepEqual([await name.inputValue(), await description.inputValue()], [
        "Mine",
        "Their text",
      ]);
      await hands.press(save);
      await opened("Mine");
      assert.deepEqual(await read(), { name: "Mine", description: "Their text" });
    });

    await t.step(`my change is discarded for theirs, with the ${hands.name}`, async () => {
      await saveElsewhere({ name: "First" });
      await open();
      await hands.type(name, "Mine again");
      await saveElsewhere({ name: "Theirs again" });
      await hands.press(save);
      await hands.press(question.getByRole("button", { name: "Discard my changes" }));
      await question.waitFor({ state: "detached" });
      assert.equal(await name.inputValue(), "Theirs again");
      await hands.press(save);
      await opened("Theirs again");
      assert.equal((await read()).name, "Theirs again");
    });
  }

  await t.step("changes of different fields are both saved without a question", async () => {
    await saveElsewhere({ name: "First", description: null });
    await open();
    await name.fill("Second");
    await saveElsewhere({ description: "Of theirs" });
    await save.click();
    await opened("Second");
    assert.deepEqual(await read(), { name: "Second", description: "Of theirs" });
  });

  await t.step("the question says a condition in words, and names what it refers to", async () => {
    await saveElsewhere({ name: "First", description: null });
    const other = await api.call("POST /segments", {
      body: { name: "Big spenders", kind: "static" },
    });
    await open();
    await page.getByRole("combobox", { name: "Value", exact: true }).fill("FR");
    await api.call("PATCH /segments/{id}", {
      params,
      body: { condition: { all: [{ segment: other.id }] } },
    });
    await save.click();
    await question.getByText("Condition: now “in segment Big spenders”").waitFor();
    await question.getByRole("button", { name: "Discard my changes" }).click();
    await api.call("PATCH /segments/{id}", { params, body: { condition } });
  });

  await t.step("changes of others before a reload are asked about after it", async () => {
    await open();
    await name.fill("Third");
    await saveElsewhere({ name: "Fourth" });
    await page.reload();
    await question.getByText("Name: now “Fourth”").waitFor();
    assert.equal(await name.inputValue(), "Third");
    await question.getByRole("button", { name: "Keep my changes" }).click();
    await save.click();
    await opened("Third");
  });

  await t.step("a template keeps the version of others until somebody decides", async () => {
    const made = await api.call("POST /templates", {
      body: { key: "news", name: "News", subject: "One", html: "<p>Hello</p>" },
    });
    const template = { id: made.id };
    await page.goto(`${workspace}/templates/${made.id}`);
    const subject = page.getByRole("textbox", { name: "Subject" });
    await subject.fill("Two");
    await api.call("PATCH /templates/{id}", { params: template, body: { subject: "Three" } });
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await question.getByText("Subject: now “Three”").waitFor();
    assert.equal((await api.call("GET /templates/{id}", { params: template })).version, 2);
    await question.getByRole("button", { name: "Keep my changes" }).click();
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Version 3").waitFor();
    await focused.filter({ hasText: "Save as a new version" }).waitFor();
    assert.equal((await api.call("GET /templates/{id}", { params: template })).subject, "Two");
    await subject.fill("Four");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Version 4").waitFor();
    assert.equal(await question.count(), 0);
  });

  await t.step("a dialog asks, too", async () => {
    const topic = await api.call("POST /topics", {
      body: { key: "offers", name: "Offers", default: "subscribed" },
    });
    await page.goto(`${workspace}/topics`);
    await page.getByRole("button", { name: "Offers" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit topic" });
    await dialog.getByLabel("Name").fill("Sales");
    const elsewhere = { params: { id: topic.id }, body: { name: "Deals" } };
    await api.call("PATCH /topics/{id}", elsewhere);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Name: now “Deals”").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await dialog.getByRole("button", { name: "Keep my changes" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sales" }).waitFor();
  });
});
