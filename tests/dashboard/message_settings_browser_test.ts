import assert from "node:assert/strict";
import postgres from "postgres";
import { openDashboardWorld, signUp } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

Deno.test("an owner changes the settings of emails, and others see them", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signUp(page, "ada@example.com");
  const form = page.locator("form").filter({ has: page.getByLabel("Quiet from") });
  const save = form.getByRole("button", { name: "Save" });
  const open = async () => {
    await page.goto(`${workspace}/settings`);
    await form.getByRole("combobox", { name: "Time zone" }).waitFor();
  };
  const store = async () => {
    const answer = page.waitForResponse((response) => response.request().method() === "PATCH");
    await save.click();
    assert.equal((await answer).status(), 200);
  };
  await open();

  await t.step("a wrong time is refused with the field that is wrong", async () => {
    const [from, until] = [form.getByLabel("Quiet from"), form.getByLabel("Quiet until")];
    const isWrong = (field: typeof from) => field.getAttribute("aria-invalid");
    const cases = [
      ["9 pm", "8:00", "Use 24-hour time, such as 21:00", ["true", null]],
      ["21:00", "", "Fill in both times, or neither", [null, "true"]],
      ["", "8:00", "Fill in both times, or neither", ["true", null]],
    ] as const;
    for (const [first, second, text, wrong] of cases) {
      await from.fill(first);
      await until.fill(second);
      await save.click();
      await form.getByText(text).waitFor();
      assert.deepEqual([await isWrong(from), await isWrong(until)], wrong);
      assert.deepEqual(await findProblems(page), []);
    }
  });

  await t.step("what is saved is there after a reload", async () => {
    await form.getByRole("combobox", { name: "Time zone" }).fill("Europe/Berlin");
    await form.getByLabel("Quiet from").fill("21:00");
    await form.getByLabel("Quiet until").fill("8:00");
    await form.getByRole("button", { name: "Add cap" }).click();
    await form.getByLabel("At most").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("0");
    assert.equal(await form.getByLabel("At most").inputValue(), "0");
    await save.click();
    await form.getByText("1 to 1,000").waitFor();
    await form.getByLabel("At most").fill("2");
    await form.getByRole("textbox", { name: "Within" }).fill("3");
    await form.getByLabel("Track opens").click();
    await store();
    await page.getByRole("alert").filter({ hasText: "Email settings saved" }).waitFor();
    await save.and(page.locator(":focus")).waitFor();
    assert.equal(await save.getAttribute("aria-disabled"), "true");
    await open();
    assert.equal(await form.getByLabel("Quiet from").inputValue(), "21:00");
    assert.equal(await form.getByLabel("At most").inputValue(), "2");
    const zone = form.getByRole("combobox", { name: "Time zone" });
    assert.equal(await zone.inputValue(), "Europe/Berlin");
  });

  const read = async () => {
    await using sql = connect(world.info.db_url);
    const [row] = await sql.run`
      select w.timezone, s.caps, s.quiet_hours, s.track_opens, s.track_clicks
      from public.workspaces as w
      join public.send_settings as s on s.workspace_id = w.id
      where w.id = ${workspace.split("/")[2]!}`;
    return { ...row };
  };

  await t.step("the api holds the same", async () => {
    assert.deepEqual(await read(), {
      timezone: "Europe/Berlin",
      caps: [{ max: 2, per: "3d" }],
      quiet_hours: { from: "21:00", to: "08:00" },
      track_opens: false,
      track_clicks: true,
    });
  });

  await t.step("another tab that saves something else takes nothing back", async () => {
    const other = await page.context().newPage();
    await other.goto(`${workspace}/settings`);
    await other.getByLabel("Track clicks").click();
    await form.getByLabel("Quiet until").fill("07:00");
    await store();
    const answer = other.waitForResponse((response) => response.request().method() === "PATCH");
    await other.getByRole("button", { name: "Save" }).click();
    assert.equal((await answer).status(), 200);
    const { quiet_hours, track_clicks } = await read();
    assert.deepEqual(quiet_hours, { from: "21:00", to: "07:00" });
    assert.equal(track_clicks, false);
    await other.close();
  });

  await t.step("a cap is removed, and empty hours end the quiet ones", async () => {
    await form.getByRole("button", { name: "Remove cap 1" }).click();
    await form.getByLabel("Quiet from").fill("");
    await form.getByLabel("Quiet until").fill("");
    await store();
    const { caps, quiet_hours } = await read();
    assert.deepEqual({ caps, quiet_hours }, { caps: [], quiet_hours: null });
  });

  await t.step("a member without the right sees them, and no button", async () => {
    await using sql = connect(world.info.db_url);
    await sql.run`
      with owner as (
        insert into auth.users (id, email) values (gen_random_uuid(), 'owner@example.com')
        returning id
      )
      insert into public.workspace_members (workspace_id, user_id, role)
      select ${workspace.split("/")[2]!}, o.id, 'owner' from owner as o`;
    await sql.run`
      update public.workspace_members as m set role = 'viewer'
      from auth.users as u where u.id = m.user_id and u.email = 'ada@example.com'
        and m.workspace_id = ${workspace.split("/")[2]!}`;
    await page.goto(`${workspace}/settings`);
    await page.getByText("Only owners can rename or delete this workspace").waitFor();
    await page.getByText("Europe/Berlin").waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  });
});

function connect(dbUrl: string): { run: postgres.Sql } & AsyncDisposable {
  const run = postgres(dbUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  return { run, [Symbol.asyncDispose]: () => run.end() };
}
