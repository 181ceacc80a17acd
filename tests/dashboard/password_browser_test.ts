import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import postgres from "postgres";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
  signOut,
  signUp,
  testPassword,
} from "../../testing/browser/dashboard_world.ts";

const memberEmail = "ada@example.com";
const strangerEmail = "nobody@example.com";
const newPassword = "a new and longer one";
const refused = "This code is wrong, expired or already used. Check for a newer email";

Deno.test("a forgotten password is reset with an emailed code only", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const addresses = watchAddresses(page);
  const workspace = await signUp(page, memberEmail);
  await signOut(page);
  let code = "";

  await t.step("an unknown email address looks exactly like a known one", async () => {
    const stranger = await world.openPage();
    const seen = [await askForCode(stranger, strangerEmail), await askForCode(page, memberEmail)];
    assert.deepEqual(seen[0], seen[1]);
    await stranger.context().close();
  });

  await t.step("the stack prints the email as a line with a code and no link", async () => {
    const mail = await world.readMail(memberEmail);
    code = /: Reset your password with this code: (\d{6})$/.exec(mail)?.[1] ?? "";
    assert.notEqual(code, "", mail);
    assert.doesNotMatch(world.printed(), /verify\?|token=|nobody@example\.com/);
  });

  await t.step("a wrong code is reported and the form stays", async () => {
    await enterCode(page, { code: code.replace(/./, (digit) => `${(Number(digit) + 1) % 10}`) });
    await page.getByRole("alert").getByText(refused).waitFor();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
  });

  await t.step("a refused password does not use up the code", async () => {
    await enterCode(page, { code, password: "short" });
    await page.getByText("Use at least 8 characters").waitFor();
  });

  await t.step("the code and a new password open the workspace", async () => {
    await enterCode(page, { code });
    await page.waitForURL(new RegExp(`${workspace}$`));
  });

  await t.step("only the new password works", async () => {
    await signOut(page);
    await page.getByLabel("Email").fill(memberEmail);
    await page.getByRole("textbox", { name: "Password" }).fill(testPassword);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await signIn(page, { email: memberEmail, password: newPassword }), workspace);
    await signOut(page);
  });

  await t.step("a used code is refused, and a new one can be requested", async () => {
    await askForCode(page, memberEmail);
    await enterCode(page, { code });
    await page.getByRole("alert").getByText(refused).waitFor();
    await page.getByRole("button", { name: "Get a new code" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  });

  await t.step("an expired code is refused", async () => {
    const latest = /\d{6}$/.exec(await world.readMail(memberEmail))?.[0] ?? "";
    await askForCode(page, memberEmail);
    const mailed = /\d{6}$/.exec(await world.readMail(memberEmail))?.[0] ?? "";
    assert.notEqual(mailed, latest);
    await age(world);
    await enterCode(page, { code: mailed });
    await page.getByRole("alert").getByText(refused).waitFor();
  });

  await t.step("neither a code nor a token was ever in an address", () => {
    assert.ok(addresses.length > 10);
    for (const address of addresses) {
      assert.doesNotMatch(address, /token=|code=|eyJ/);
      assert.ok(!address.includes(code), address);
    }
  });
});

/** Collects the addresses of all requests and navigations of a page. */
function watchAddresses(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  page.on("framenavigated", (frame) => addresses.push(frame.url()));
  return addresses;
}

/** Requests a code. Returns the response and the text of the page, without the email address. */
async function askForCode(page: Page, email: string) {
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(email);
  const [response] = await Promise.all([
    page.waitForResponse(/\/auth\/v1\/recover/),
    page.getByRole("button", { name: "Send code" }).click(),
  ]);
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  const says = await page.getByRole("main").innerText();
  return {
    status: response.status(),
    body: await response.text(),
    says: says.replaceAll(email, "…"),
  };
}

async function enterCode(
  page: Page,
  { code, password = newPassword }: { code: string; password?: string },
): Promise<void> {
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await page.getByRole("textbox", { name: "New password" }).fill(password);
  await page.getByRole("button", { name: "Save and continue" }).click();
}

/** Makes the email a day older. */
async function age({ info }: DashboardWorld): Promise<void> {
  const sql = postgres(info.db_url, { max: 1, onnotice: () => {} });
  await sql`
    update auth.users set recovery_sent_at = recovery_sent_at - interval '1 day'
    where email = ${memberEmail}`;
  await sql.end();
}
