import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import postgres from "postgres";
import { type DashboardData, fillDashboard } from "../../testing/browser/dashboard_data.ts";
import {
  expireToken,
  fillCredentials,
  goTo,
  openDashboardWorld,
  reopenExpired,
  signIn,
  signOut,
  signUp,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

const typed = "Typed, not saved";

Deno.test("nothing that is typed is lost without a question", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const dialog = page.getByRole("dialog");
  const asked: string[] = [];
  page.on("dialog", (question) => {
    asked.push(question.type());
    void question.accept();
  });

  await t.step("a page with a changed form asks before it is left", async () => {
    await page.goto(`${workspace}/destinations/new`);
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill(typed);
    await followLink(page, "Customers");
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    assert.equal((await findProblems(page)).join("\n"), "");
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await name.inputValue(), typed);
    await followLink(page, "Customers");
    await question.getByRole("button", { name: "Leave" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
    await page.evaluate("history.back()");
    await name.waitFor();
    assert.equal(await name.inputValue(), "");
  });

  await t.step("a changed dialog asks before it closes, also by keyboard", async () => {
    await goTo(page, "Customers");
    await page.getByRole("link", { name: /Ada Lovelace/ }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const field = dialog.getByLabel("First name");
    const saved = await field.inputValue();
    await field.fill(typed);
    await page.keyboard.press("Escape");
    await dialog.getByText("Discard your changes?").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.keyboard.press("Escape");
    assert.ok(await isFocused(field));
    await page.evaluate("history.back()");
    await page.getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Keep editing" }).press("Tab");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    assert.equal(await field.inputValue(), saved);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await t.step("a changed entry in a drawer asks before it closes", async () => {
    await page.goto(`${workspace}/rejected`);
    await openEntry(page);
    const drawer = page.getByRole("dialog", { name: "Rejected entry" });
    const field = drawer.getByRole("textbox", { name: "Entry" });
    await field.fill(typed);
    await page.keyboard.press("Escape");
    await drawer.getByText("Discard your changes?").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await drawer.getByRole("button", { name: "Keep editing" }).click();
    assert.equal(await field.inputValue(), typed);
    await drawer.getByRole("button", { name: "Close entry" }).click();
    await drawer.getByRole("button", { name: "Discard", exact: true }).click();
    await drawer.waitFor({ state: "detached" });
    assert.deepEqual(await readDrafts(page), []);
  });

  for (const form of listForms(page, data)) {
    await t.step(`${form.name} is as it was after a reload without a question`, async () => {
      await page.goto(`${workspace}${form.path}`);
      await form.open?.();
      await form.field.fill(typed);
      await page.reload();
      await page.getByText("We restored your unsaved changes.").waitFor();
      assert.equal(await form.field.inputValue(), typed);
      await page.reload();
      await page.getByText("We restored your unsaved changes.").waitFor();
      assert.deepEqual(asked.splice(0), []);
      await page.getByRole("button", { name: "Discard changes" }).click();
      await page.getByText("We restored your unsaved changes.").waitFor({ state: "detached" });
      assert.notEqual(await form.field.inputValue(), typed);
      assert.deepEqual(await readDrafts(page), []);
      if (await dialog.count() > 0) await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await goTo(page, "Live events");
    });
  }

  await t.step("a draft that is not stored yet is stored when the page is reloaded", async () => {
    for (const path of ["/campaigns/new", "/settings"]) {
      await page.goto(`${workspace}${path}`);
      const name = page.getByRole("textbox", { name: "Name", exact: true });
      await name.fill(typed);
      await removeDrafts(page);
      await page.reload();
      await page.getByText("We restored your unsaved changes.").waitFor();
      assert.equal(await name.inputValue(), typed);
      assert.deepEqual(asked.splice(0), []);
      await page.getByRole("button", { name: "Discard changes" }).click();
    }
    assert.deepEqual(await readDrafts(page), []);
  });

  await t.step("a dialog of a page that was left waits until it is opened", async () => {
    await page.goto(`${workspace}/journeys`);
    const open = page.getByRole("button", { name: "New journey" }).first();
    const name = dialog.getByRole("textbox", { name: "Name" });
    await open.click();
    await name.fill(typed);
    await page.goto(`${workspace}/templates`);
    await goTo(page, "Journeys");
    await open.waitFor();
    assert.equal(await dialog.count(), 0);
    await open.click();
    assert.equal(await name.inputValue(), typed);
    await page.reload();
    assert.equal(await name.inputValue(), typed);
    await dialog.getByRole("button", { name: "Discard changes" }).click();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await readDrafts(page), []);
  });

  await t.step("a filter that is being built is as it was after a reload", async () => {
    await page.goto(`${workspace}/customers`);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await dialog.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("menuitem", { name: "Event", exact: true }).click();
    const event = dialog.getByRole("combobox", { name: "Event name" });
    await event.fill("order_created");
    await page.reload();
    assert.equal(await event.inputValue(), "order_created");
    await dialog.getByRole("button", { name: "Close filter" }).click();
    await dialog.getByRole("button", { name: "Discard", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await readDrafts(page), []);
  });

  await t.step("credentials are asked about, and never stored", async () => {
    await goTo(page, "Senders");
    await page.getByRole("button", { name: "New sender" }).first().click();
    const sender = page.getByRole("dialog", { name: "New sender" });
    await sender.getByRole("textbox", { name: "Name" }).fill("Shop");
    await sender.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "Resend" }).click();
    await sender.getByRole("textbox", { name: "API key" }).fill("re_very_secret");
    await page.keyboard.press("Escape");
    await sender.getByText("Discard your changes?").waitFor();
    const [draft = ""] = await readDrafts(page);
    assert.match(draft, /Shop/);
    assert.doesNotMatch(await readStorage(page), /re_very_secret/);
    await page.reload();
    assert.deepEqual(asked.splice(0), ["beforeunload"]);
    assert.equal(await sender.getByRole("textbox", { name: "Name" }).inputValue(), "Shop");
    assert.equal(await sender.getByRole("textbox", { name: "API key" }).inputValue(), "");
    await sender.getByRole("button", { name: "Discard changes" }).click();
    await page.keyboard.press("Escape");
    await sender.waitFor({ state: "detached" });
  });

  await t.step("a session that ends while a dialog is saved leads back to it", async () => {
    await goTo(page, "Topics");
    await page.getByRole("button", { name: "New topic" }).click();
    await dialog.getByLabel("Name").fill("Offers");
    await dialog.getByLabel("Key").fill("offers");
    await endSessions(world.info.db_url);
    await expireToken(page);
    await dialog.getByRole("button", { name: "Create topic" }).click();
    await page.getByText(
      "Your session has ended. Your unsaved changes are kept. Sign in to continue where you left off.",
    ).waitFor();
    await fillCredentials(page, world.info.user);
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal(await dialog.getByLabel("Key").inputValue(), "offers");
    await dialog.getByRole("button", { name: "Create topic" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /Offers/ }).waitFor();
    assert.deepEqual(await readDrafts(page), []);
  });

  await t.step("signing out asks, and leaves no draft to the next user", async () => {
    await page.goto(`${workspace}/segments/new`);
    await page.getByRole("textbox", { name: "Name" }).fill(typed);
    await page.getByRole("button", { name: /sign out/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    assert.equal((await readDrafts(page)).length, 1);
    await page.getByRole("button", { name: /sign out/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.deepEqual(await readDrafts(page), []);
    assert.equal(new URL(page.url()).search, "");
  });

  await t.step("another user who signs in after a lost session finds nothing", async () => {
    await signIn(page, world.info.user);
    await page.goto(`${workspace}/segments/new`);
    await page.getByRole("textbox", { name: "Name" }).fill(typed);
    await endSessions(world.info.db_url);
    await reopenExpired(page);
    await page.getByText("Your session has ended. Your unsaved changes are kept.").waitFor();
    assert.equal((await readDrafts(page)).length, 1);
    await signUp(page, "grace@example.com");
    assert.deepEqual(await readDrafts(page), []);
    await signOut(page);
  });
});

interface Form {
  name: string;
  path: string;
  open?: () => Promise<void>;
  field: Locator;
}

/** Forms of each kind: on pages, in dialogs of pages and of lists, in drawers and editors. */
function listForms(page: Page, data: DashboardData): Form[] {
  const press = (name: string) => () =>
    page.getByRole("button", { name, exact: true }).first().click();
  const choose = (button: string, item: string) => async () => {
    await press(button)();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const field = (label: string) => page.getByRole("textbox", { name: label, exact: true });
  return [
    { name: "a new source", path: "/sources/new?sender=github", field: field("Name") },
    { name: "a new campaign", path: "/campaigns/new", field: field("Name") },
    {
      name: "a destination that is edited",
      path: `/destinations/${data.destinationId}`,
      open: press("Edit"),
      field: field("Name"),
    },
    {
      name: "an invitation",
      path: "/team",
      open: press("Invite"),
      field: field("Email"),
    },
    { name: "a new key", path: "/api-keys", open: press("New key"), field: field("Name") },
    {
      name: "a topic that is edited in a list",
      path: "/topics",
      open: () => page.getByRole("button", { name: /newsletter/ }).click(),
      field: field("Name"),
    },
    {
      name: "a view",
      path: "/customers",
      open: choose("Views", "Save this view…"),
      field: field("Name"),
    },
    {
      name: "the description of an event",
      path: "/catalogue/event?name=order_created",
      open: press("Describe"),
      field: field("Description"),
    },
    {
      name: "a template",
      path: `/templates/${data.templateId}`,
      field: field("Subject"),
    },
    {
      name: "a rejected entry",
      path: "/rejected",
      open: () => openEntry(page),
      field: field("Entry"),
    },
    { name: "the name of the workspace", path: "/settings", field: field("Name") },
  ];
}

/** Opens the first entry of the list of rejected entries. */
async function openEntry(page: Page): Promise<void> {
  await page.getByRole("table", { name: "Rejected entries" }).getByRole("row").nth(1)
    .getByRole("button").click();
}

async function followLink(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true })
    .click();
}

function isFocused(field: Locator): Promise<boolean> {
  // deno-lint-ignore no-explicit-any
  return field.evaluate((element: any) => element === element.ownerDocument.activeElement);
}

/** Reads the drafts that the tab has kept. */
function readDrafts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.entries(sessionStorage)
      .filter(([key]) => key.startsWith("signalpost-draft:"))
      .map(([, value]) => String(value))
  );
}

/** Takes the drafts away that the tab has kept, as if it had not stored them yet. */
async function removeDrafts(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith("signalpost-draft:")) sessionStorage.removeItem(key);
    }
  });
}

function readStorage(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
}

/** Ends all sessions, as an administrator would. */
async function endSessions(dbUrl: string): Promise<void> {
  const sql = postgres(dbUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await sql`delete from auth.refresh_tokens`;
    await sql`delete from auth.sessions`;
  } finally {
    await sql.end();
  }
}
