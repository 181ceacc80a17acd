import assert from "node:assert/strict";
import postgres from "postgres";
import { findProblems } from "../../testing/browser/find_problems.ts";
import {
  goTo,
  openDashboardWorld,
  reopenExpired,
  signIn,
  signOut,
  signUp,
  switchWorkspace,
  testPassword,
} from "../../testing/browser/dashboard_world.ts";

const email = "ada@example.com";
const colleague = "grace@example.com";
const storageKey = "signalpost-auth";

Deno.test("the dashboard follows changes of a session, a role and an account", async (t) => {
  await using world = await openDashboardWorld();
  await using sql = connect(world.info.db_url);
  const page = await world.openPage();
  const workspace = await signUp(page, email);

  await t.step(
    "signing out in one tab signs out the others, and signing in brings them back",
    async () => {
      await goTo(page, "Customers");
      const other = await page.context().newPage();
      await other.goto(workspace);
      await signOut(other);
      await page.getByText("Sign in to continue where you left off.").waitFor();
      // The news of another tab can arrive before its change of the storage.
      await page.waitForFunction((key) => localStorage.getItem(key) === null, storageKey);
      await signIn(other, { email: email, password: testPassword });
      await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
      await other.close();
    },
  );

  await t.step("an expired session is renewed unnoticed", async () => {
    // By then, the news from the other tab is stored.
    await page.reload();
    await page.getByText("No customers yet").waitFor();
    await reopenExpired(page);
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
    await page.getByText("No customers yet").waitFor();
    // A token that is renewed within one second can have the same text.
    await page.waitForFunction(
      (key) => JSON.parse(localStorage.getItem(key) ?? "{}").expires_at > 1,
      storageKey,
    );
  });

  await t.step(
    "a session ended elsewhere leads to the sign-in page and back",
    async () => {
      await goTo(page, "Messages");
      await sql.run`delete from auth.refresh_tokens`;
      await sql.run`delete from auth.sessions`;
      await reopenExpired(page);
      const reason = "Your session has ended. Sign in to continue where you left off.";
      await page.getByText(reason).waitFor();
      await page.getByLabel("Email").fill(email);
      await page.getByRole("textbox", { name: "Password" }).fill(testPassword);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { level: 1, name: "Messages" }).waitFor();
    },
  );

  await t.step("signing out leaves nothing for the next user", async () => {
    await signOut(page);
    await page.getByText("Welcome back.").waitFor();
    assert.equal(new URL(page.url()).search, "");
    await signIn(page, { email: email, password: testPassword });
  });

  const theirs = await world.openPage();
  const own = await signUp(theirs, colleague);
  const change = (role: string) =>
    sql.run`
      update public.workspace_members as m set role = ${role}
      from auth.users as u
      where u.id = m.user_id and u.email = ${colleague} and m.workspace_id = ${idOf(workspace)}`;

  await t.step("an accepted invitation adds the workspace to the switcher", async () => {
    await goTo(page, "Team");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Email").fill(colleague);
    await page.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: /Admin/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByText(`Send this link to ${colleague}`).waitFor();
    const mail = await page.getByRole("link", { name: "Open in your email app" }).getAttribute(
      "href",
    );
    assert.ok(decodeURIComponent(mail ?? "").startsWith(`mailto:${colleague}?subject=`), mail!);
    assert.match(decodeURIComponent(mail ?? ""), /accept:\n\nhttp\S+\/sign-up\?email=/);
    const own = theirs.url();
    await theirs.goto("/invitations");
    await theirs.getByRole("button", { name: "Accept" }).click();
    await theirs.waitForURL(new RegExp(workspace));
    await theirs.goto(own);
    await switchWorkspace(theirs, "ada's workspace");
    assert(theirs.url().includes(workspace));
  });

  await t.step(
    "a lesser role shows at the next refused call and limits the page",
    async () => {
      await goTo(theirs, "API keys");
      await theirs.getByRole("button", { name: "New key" }).first().click();
      await theirs.getByLabel("Name").fill("Late");
      await change("viewer");
      await theirs.getByRole("button", { name: "Create key" }).click();
      await theirs.getByText("Your role in this workspace is now viewer.").waitFor();
      await theirs.getByRole("button", { name: /Viewer Switch workspace/i }).waitFor();
      await theirs.getByText("Your role can’t manage API keys").waitFor();
    },
  );

  await t.step("a removed member sees an error and returns to their own workspace", async () => {
    await sql.run`
      delete from public.workspace_members as m using auth.users as u
      where u.id = m.user_id and u.email = ${colleague} and m.workspace_id = ${idOf(workspace)}`;
    await theirs.goto(`${workspace}/customers`);
    await theirs.getByText("Page not found").waitFor();
    await theirs.getByRole("link", { name: "Back to start" }).click();
    await theirs.waitForURL(new RegExp(own));
  });

  await t.step("a deleted account is signed out", async () => {
    await sql.run`delete from auth.users where email = ${colleague}`;
    await theirs.goto(`${own}/customers`);
    await theirs.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});

Deno.test("an invitation is withdrawn, expires and is renewed on the team page", async () => {
  await using world = await openDashboardWorld();
  await using sql = connect(world.info.db_url);
  const page = await world.openPage();
  const workspace = await signUp(page, email);
  await sql.run`
    insert into public.invitations (workspace_id, email, role, expires_at)
    values
      (${idOf(workspace)}, 'open@example.com', 'viewer', now() + interval '1 day'),
      (${idOf(workspace)}, 'over@example.com', 'viewer', now() - interval '1 day')`;
  await goTo(page, "Team");
  await page.getByRole("row", { name: /over@example.com Invitation expired/ }).waitFor();
  await page.getByRole("button", { name: "Actions for over@example.com" }).click();
  await page.getByRole("menuitem", { name: "Invite again" }).click();
  await page.getByRole("row", { name: /over@example.com Invited/ }).waitFor();
  const renewed = page.getByRole("row", { name: /over@example.com Invited/ });
  await renewed.getByText(`By ${email}, sent`).waitFor();
  await renewed.getByRole("cell", { name: "in 30d" }).waitFor();
  await renewed.getByText("Not emailed").waitFor();
  await renewed.getByRole("button", { name: "Copy link" }).waitFor();
  await page.getByRole("columnheader", { name: "Last active" }).waitFor();
  const own = page.getByRole("row", { name: new RegExp(`${email} You Owner`, "i") });
  await own.getByText("Active now").waitFor();
  await own.locator("time").waitFor();
  assert.equal((await findProblems(page)).join("\n"), "");
  await page.getByRole("button", { name: "Actions for open@example.com" }).click();
  await page.getByRole("menuitem", { name: /Admin.*manage campaigns/is }).waitFor();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await page.getByText("can no longer use this invitation to join").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("row", { name: /open@example.com/ }).waitFor({ state: "detached" });
});

Deno.test("a user who deletes their only workspace lands on the first page", async () => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  await signUp(page, email);
  await goTo(page, "Settings");
  await page.getByRole("button", { name: "Delete workspace" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Type its name to confirm").fill("ada's workspace");
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await page.getByText("ada's workspace deleted").waitFor();
  await page.getByText("You are not in a workspace yet").waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
});

function connect(url: string) {
  const run = postgres(url, { max: 1, onnotice: () => {} });
  return { run, [Symbol.asyncDispose]: () => run.end() };
}

function idOf(workspace: string): string {
  return workspace.split("/").at(-1) ?? "";
}
