import assert from "node:assert/strict";
import type { Locator, Page, Route } from "playwright-core";
import postgres from "postgres";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";

const newPassword = "a new and longer one";

Deno.test("settings are one place, by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const settings = page.getByRole("navigation", { name: "Settings" });
  const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
  const check = async () => assert.equal((await findProblems(page)).join("\n"), "");

  await t.step("links lead to every page, also by keyboard", async () => {
    await page.getByRole("link", { name: "Settings", exact: true }).click();
    await heading("Workspace settings");
    for (const name of ["API keys", "Team", "Usage", "Audit log", "Account"]) {
      await settings.getByRole("link", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
      await heading(name);
      assert.equal(
        await settings.locator('[aria-current="page"]').innerText(),
        name,
      );
    }
  });

  await t.step("former addresses lead to the new ones, with their filters", async () => {
    for (const path of ["/api-keys", "/team", "/usage?range=7d"]) {
      await page.goto(`${workspace}${path}`);
      await page.waitForURL((url) => `${url.pathname}${url.search}`.endsWith(`/settings${path}`));
    }
    await page.goto(`${workspace}/audit-log?action=destination.create`);
    await page.waitForURL(/\/settings\/audit-log\?action=destination\.create$/);
    await heading("Audit log");
  });

  await t.step("a key starts from a preset of scopes, which can be changed", async () => {
    await page.goto(`${workspace}/settings/api-keys`);
    await page.getByRole("button", { name: "New key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    // The input of a preset has no size.
    const preset = (name: string, checked: boolean) =>
      dialog.getByRole("radio", { name, checked }).waitFor({ state: "attached" });
    const scope = (name: string, checked: boolean) =>
      dialog.getByRole("checkbox", { name, checked }).waitFor();
    await preset("Send events", true);
    await dialog.getByRole("radio", { name: "Send events" }).focus();
    await page.keyboard.press("ArrowRight");
    await preset("Read only", true);
    await scope("Read events", true);
    await scope("Send events", false);
    await dialog.getByText("Everything", { exact: true }).click();
    await dialog.getByRole("group", { name: /^Scopes: (\d+) of \1$/ }).waitFor();
    await dialog.getByRole("checkbox", { name: "Change views" }).uncheck();
    await preset("Everything", false);
    await check();
    await dialog.getByLabel("Name").fill("Back office");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog", { name: "API key created" })
      .getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /Back office/ }).getByText("customers:read").waitFor();
  });

  await t.step("an entry of the audit log opens with the values before and after", async () => {
    await page.goto(`${workspace}/destinations/${data.destinationId}`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Depot");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.goto(`${workspace}/settings/audit-log`);
    await resizeWindow(page, { width: 1440, height: 900 });
    const row = page.getByRole("row", { name: /Changed a destination/ }).first();
    await row.waitFor();
    const target = await page.getByRole("columnheader", { name: "Target" }).boundingBox();
    assert.ok(target!.width >= 160, `${target!.width} pixels`);
    // The target stands beside what was done, so that its name is not repeated.
    const created = page.getByRole("row", { name: /Created a source/ }).first();
    assert.equal((await created.innerText()).split("Billing").length, 2);
    await row.getByRole("button").focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Changed a destination" });
    const title = drawer.getByRole("heading", { name: "Changed a destination" });
    assert.equal(await weightOf(title), await weightOf(page.getByRole("heading", { level: 1 })));
    const changes = drawer.getByRole("table", { name: "Before and after" });
    await changes.getByRole("columnheader", { name: "After" }).waitFor();
    assert.equal(await changes.locator("ins").first().innerText(), "Depot");
    assert.notEqual(await changes.locator("del").first().innerText(), "Depot");
    await check();
    // The address leads back to the entry, also when the list does not show it.
    const { searchParams } = new URL(page.url());
    await page.goto(
      `${workspace}/settings/audit-log?action=member.remove&entry=${searchParams.get("entry")}`,
    );
    await changes.locator("ins", { hasText: "Depot" }).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await page.waitForURL(/audit-log\?action=member\.remove$/);
    await page.goto(`${workspace}/settings/audit-log`);
  });

  await t.step("an entry leads to its target, to its other changes and to its person", async () => {
    const row = page.getByRole("row", { name: /Changed a destination/ }).first();
    const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
    assert.match(await row.innerText(), new RegExp(`^${world.info.user.email}`));
    assert.match(await row.innerText(), /\d+ \w{3} \d{4}, \d\d:\d\d/);
    await row.getByRole("button").click();
    const drawer = page.getByRole("dialog", { name: "Changed a destination" });
    const link = drawer.getByRole("link", { name: "Depot" });
    assert.match(await link.getAttribute("href") ?? "", /\/destinations\/[0-9a-f-]+$/);
    await drawer.getByRole("link", { name: "All changes of this target" }).click();
    await page.waitForURL(new RegExp(`entity_id=${data.destinationId}$`));
    await drawer.waitFor({ state: "detached" });
    assert.equal(await page.getByRole("combobox", { name: "Target" }).inputValue(), "Depot");
    await page.getByRole("row", { name: /Created a source/ }).waitFor({ state: "detached" });
    for (const text of (await rows.allInnerTexts()).slice(1)) assert.match(text, /Depot/);
    await check();
    await page.getByRole("combobox", { name: "Target" }).fill("Depo");
    await page.getByRole("option", { name: "Depot" }).first().waitFor();
    await page.goto(`${workspace}/settings/audit-log`);
    await row.getByRole("button").click();
    await drawer.getByRole("link", { name: "All changes by this person" }).click();
    await page.waitForURL(/actor_id=[0-9a-f-]+$/);
    await page.getByRole("row", { name: /Created a source/ }).waitFor({ state: "detached" });
    for (const text of (await rows.allInnerTexts()).slice(1)) {
      assert.ok(text.startsWith(world.info.user.email), text);
    }
  });

  await t.step("saves of a draft are one row, which a key unfolds", async () => {
    const api = createSampleApi(world.info);
    const draft = (event: string) => ({
      trigger: { event },
      start: "end",
      steps: { end: { exit: {} } },
    });
    const { id } = await api.call("POST /journeys", {
      body: { name: "Drafted", definition: draft("a") },
    });
    for (const event of ["b", "c", "d"]) {
      await api.call("PATCH /journeys/{id}", {
        params: { id },
        body: { definition: draft(event) },
      });
    }
    await page.goto(`${workspace}/settings/audit-log`);
    const group = page.getByRole("button", { name: /Changed a journey .*3 changes/ });
    const saves = page.getByRole("row", { name: /Changed a journey/ });
    await group.waitFor();
    assert.equal(await saves.count(), 1);
    await group.focus();
    await page.keyboard.press("Enter");
    await saves.nth(3).waitFor();
    assert.equal(await group.getAttribute("aria-expanded"), "true");
    await check();
    await page.keyboard.press("Enter");
    await saves.nth(1).waitFor({ state: "detached" });
  });

  await t.step("headings sort a list, and the address keeps the order", async () => {
    const when = page.getByRole("columnheader", { name: "When" });
    assert.equal(await when.getAttribute("aria-sort"), "descending");
    await when.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=oldest/);
    assert.equal(await when.getAttribute("aria-sort"), "ascending");
    await page.goto(`${workspace}/destinations`);
    const read = page.waitForResponse(/\/destinations\?.*sort=name/);
    await page.getByRole("columnheader", { name: "Destination" }).getByRole("button").click();
    await read;
    const column = page.locator('th[aria-sort="ascending"]', { hasText: "Destination" });
    await column.waitFor();
    await check();
  });

  await t.step("usage shows throttled requests by caller", async () => {
    await page.goto(`${workspace}/settings/usage`);
    await page.getByText("None were refused in this period").waitFor();
    await throttle(world, data.sourceId);
    await page.reload();
    await page.getByText("56 were refused in this period").waitFor();
    const table = page.getByRole("table", { name: "Callers of throttled requests" });
    await table.getByRole("row", { name: /Billing.*Events per second.*1,234/ }).waitFor();
    await check();
  });

  await t.step("usage that cannot be read shows no figures", async () => {
    const usage = /\/api\/usage/;
    await page.route(usage, (route) => route.abort());
    await page.reload();
    await page.getByText("Bursts of up to").first().waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    assert.equal(await page.getByText("The busiest").count(), 0);
    await page.unroute(usage);
  });

  await t.step("the account lists sessions and ends the others", async () => {
    const other = await world.openPage();
    await signIn(other, world.info.user);
    await page.goto(`${workspace}/settings/account`);
    await page.getByText("This one").waitFor();
    const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
    // The test data was made with one more.
    assert.equal(await rows.count(), 3);
    assert.equal(await rows.filter({ hasText: "Active now" }).count(), 1);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("2 other sessions end immediately").waitFor();
    await check();
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await rows.count(), 1);
    await other.reload();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await other.context().close();
  });

  await t.step("no code is asked for that Auth could not send", async () => {
    const { password } = world.info.user;
    await page.route(/\/auth\/v1\/user$/, (route) => refuse(route, "reauthentication_needed"));
    await page.route(/\/reauthenticate$/, (route) => refuse(route, "over_request_rate_limit"));
    await changePassword(page, { current: password, next: newPassword });
    await page.getByRole("alert").getByText("Too many attempts").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Code" }).count(), 0);
    await page.unrouteAll();
  });

  await t.step("the password changes with the current one, and other sessions end", async () => {
    const { email, password } = world.info.user;
    const other = await world.openPage();
    await signIn(other, world.info.user);
    await changePassword(page, { current: "not the password", next: newPassword });
    await page.getByRole("alert").getByText("The current password is wrong").waitFor();
    await changePassword(page, { current: password, next: newPassword });
    await page.getByText("Password changed").waitFor();
    await other.reload();
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(other, { email, password: newPassword });
    await other.goto("/account");
    await other.getByRole("heading", { level: 1, name: "Account" }).waitFor();
    await page.reload();
    await heading("Account");
  });

  await t.step("a change says that other sessions may not have ended", async () => {
    await page.route(/\/logout\?scope=others/, (route) => refuse(route, "unexpected_failure"));
    await changePassword(page, { current: newPassword, next: `${newPassword} one` });
    await page.getByRole("alert").getByText("you may still be signed in elsewhere").waitFor();
  });
});

/** Responds to a call of Auth with an error. */
async function refuse(route: Route, code: string): Promise<void> {
  await route.fulfill({ status: 400, json: { code, error_code: code, msg: code } });
}

/** Fills in the form by keyboard. */
async function changePassword(
  page: Page,
  { current, next }: { current: string; next: string },
): Promise<void> {
  await page.getByRole("textbox", { name: "Current password" }).fill(current);
  await page.getByRole("textbox", { name: "New password" }).fill(next);
  await page.keyboard.press("Enter");
}

/** Counts requests of a source as refused. */
async function throttle({ info }: DashboardWorld, sourceId: string): Promise<void> {
  const sql = postgres(info.db_url, { max: 1, onnotice: () => {} });
  await sql`
    insert into public.throttle_stats
    select workspace_id, date_trunc('hour', now(), 'UTC'), b.bucket, 'rate', 'source', id, b.requests
    from public.inbound_sources
    cross join (values ('ingest', 1234), ('api', 56)) as b (bucket, requests)
    where id = ${sourceId}`;
  await sql.end();
}

/** Returns the weight of an element's text. */
function weightOf(element: Locator): Promise<string> {
  return element.evaluate((node: unknown) =>
    (globalThis as unknown as { getComputedStyle(node: unknown): { fontWeight: string } })
      .getComputedStyle(node).fontWeight
  );
}
