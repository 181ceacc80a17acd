import assert from "node:assert/strict";
import postgres from "postgres";
import {
  fillCredentials,
  goTo,
  openDashboardWorld,
  signOut,
  signUp,
  testPassword,
} from "../../testing/browser/dashboard_world.ts";

const owner = "ada@example.com";
const guest = "grace@example.com";
/** A workspace name that tries to mislead the invited person. */
const hostile = "<img src=x onerror=alert(1)> Your account is locked: \u202egro.live@troppus";

Deno.test("invitations are shown, accepted, declined and withdrawn safely", async (t) => {
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
    await page.getByLabel("Email").fill(guest);
    await page.getByRole("dialog").getByText(
      "See everything except keys and the audit log, edit customers, segments and templates, and resend messages",
    )
      .waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: new RegExp(`${guest} Invited`) }).waitFor();
  };

  await t.step("a workspace page shows the number of invitations, and no names", async () => {
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

  await t.step("the invitations page shows the inviter, and the name as text", async () => {
    await theirs.getByRole("link", { name: "Invitations 1" }).click();
    await card.getByText(`${owner} invites you`).waitFor();
    assert.equal(await card.locator("bdi").innerText(), hostile);
    assert.equal(await card.locator("img, a").count(), 0);
    await card.getByText("Your role: member").waitFor();
  });

  await t.step("a declined invitation disappears, and the team page shows it", async () => {
    await card.getByRole("button", { name: "Decline" }).click();
    await theirs.getByText("No open invitations").waitFor();
    const empty = (await theirs.getByText("No open invitations").boundingBox())!;
    const link = (await theirs.getByRole("link", { name: "Go to your workspaces" }).boundingBox())!;
    const middles = [empty, link].map(({ x, width }) => x + width / 2);
    assert.ok(Math.abs(middles[0]! - middles[1]!) <= 1, `${middles}`);
    await page.reload();
    await page.getByRole("row", { name: new RegExp(`${guest} Declined`) }).waitFor();
  });

  await t.step("a withdrawn invitation cannot be accepted", async () => {
    await page.getByRole("button", { name: `Actions for ${guest}` }).click();
    await page.getByRole("menuitem", { name: "Remove" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: /Withdraw|Viewer/i }).count(), 0);
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

  await t.step("a user without a workspace joins from the first page", async () => {
    await sql`
      delete from public.workspaces where id = ${own.split("/").at(-1)!}`;
    await invite();
    await theirs.goto("/");
    await theirs.getByText("You are not in a workspace yet").waitFor();
    await theirs.getByText("Accept only invitations you expect").waitFor();
    await card.getByText("Expires in 30d").waitFor();
    await signOut(theirs);
    await fillCredentials(theirs, { email: guest, password: testPassword });
    await theirs.getByRole("button", { name: "Sign in" }).click();
    await card.getByRole("button", { name: "Accept" }).click();
    await theirs.waitForURL(new RegExp(workspace));
    await page.reload();
    await page.getByRole("row", { name: new RegExp(guest) }).waitFor();
    assert.equal(await page.getByText("Invited", { exact: true }).count(), 0);
  });
});
