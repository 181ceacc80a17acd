import assert from "node:assert/strict";
import postgres from "postgres";
import { goTo, openDashboardWorld, signUp } from "../../testing/browser/dashboard_world.ts";

const owner = "ada@example.com";
const guest = "grace@example.com";
/** What a stranger could call a workspace to mislead who is invited. */
const hostile = "<img src=x onerror=alert(1)> Your account is locked: \u202egro.live@troppus";

Deno.test("invitations are shown with care, accepted, declined and withdrawn", async (t) => {
  await using world = await openDashboardWorld();
  const sql = postgres(world.info.db_url, { max: 1, onnotice: () => {} });
  await using _end = { [Symbol.asyncDispose]: () => sql.end() };
  const page = await world.openPage();
  const workspace = await signUp(page, owner);
  const id = workspace.split("/").at(-1)!;
  const theirs = await world.openPage();
  const own = await signUp(theirs, guest);
  const card = theirs.getByRole("listitem");

  const invite = async () => {
    await goTo(page, "Team");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByLabel("E-mail").fill(guest);
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: new RegExp(`${guest} Invited`) }).waitFor();
  };

  await t.step("a page of a workspace tells how many there are, and no name", async () => {
    await invite();
    await sql`update public.workspaces set name = ${hostile} where id = ${id}`;
    await theirs.goto(own);
    await theirs.getByRole("link", { name: "Invitations 1" }).waitFor();
    assert.equal(await theirs.getByText("Your account is locked").count(), 0);
    await theirs.getByRole("button", { name: /Switch workspace/ }).click();
    await theirs.getByRole("menuitem", { name: "New workspace" }).waitFor();
    assert.equal(await theirs.getByText("Your account is locked").count(), 0);
    await theirs.keyboard.press("Escape");
  });

  await t.step("the page says who invites, and shows the name as text", async () => {
    await theirs.getByRole("link", { name: "Invitations 1" }).click();
    await card.getByText(`${owner} invites you`).waitFor();
    assert.equal(await card.locator("bdi").innerText(), hostile);
    assert.equal(await card.locator("img, a").count(), 0);
    await card.getByText("Your role: member").waitFor();
  });

  await t.step("what is declined is gone, and the team page says so", async () => {
    await card.getByRole("button", { name: "Decline" }).click();
    await theirs.getByText("No open invitations").waitFor();
    await page.reload();
    await page.getByRole("row", { name: new RegExp(`${guest} Declined`) }).waitFor();
  });

  await t.step("what is withdrawn meanwhile cannot be accepted", async () => {
    await page.getByRole("button", { name: `Actions for ${guest}` }).click();
    await page.getByRole("menuitem", { name: "Invite again" }).click();
    await page.getByRole("row", { name: new RegExp(`${guest} Invited`) }).waitFor();
    await theirs.reload();
    await card.getByRole("button", { name: "Accept" }).waitFor();
    await page.getByRole("button", { name: `Actions for ${guest}` }).click();
    await page.getByRole("menuitem", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("row", { name: new RegExp(guest) }).waitFor({ state: "detached" });
    await card.getByRole("button", { name: "Accept" }).click();
    await theirs.getByText("No open invitations").waitFor();
  });

  await t.step("a user without a workspace finds it on the first page, and joins", async () => {
    await sql`
      delete from public.workspaces where id = ${own.split("/").at(-1)!}`;
    await invite();
    await theirs.goto("/");
    await theirs.getByText("You are not in a workspace yet").waitFor();
    await card.getByRole("button", { name: "Accept" }).click();
    await theirs.waitForURL(new RegExp(workspace));
    await page.reload();
    await page.getByRole("row", { name: new RegExp(guest) }).waitFor();
    assert.equal(await page.getByText("Invited", { exact: true }).count(), 0);
  });
});
