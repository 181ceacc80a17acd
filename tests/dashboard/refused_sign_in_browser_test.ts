import assert from "node:assert/strict";
import { fillCredentials, openDashboardWorld } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";

Deno.test("a refused sign-in leads on to a new password or an account", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const email = "nobody@example.com";
  const alert = page.getByRole("alert");

  await t.step("the error leads to a reset of the password of this address", async () => {
    await page.goto("/sign-in?next=%2Fw");
    await fillCredentials(page, { email, password: "a wrong password" });
    await page.getByRole("button", { name: "Sign in" }).click();
    await alert.getByText("Email or password is wrong", { exact: true }).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await alert.getByRole("link", { name: "Reset the password" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    assert.equal(await page.getByLabel("Email").inputValue(), email);
  });

  await t.step(
    "the error leads to a new account, and then to the page that was asked for",
    async () => {
      await page.goto("/sign-in?next=%2Fw");
      await fillCredentials(page, { email, password: "a wrong password" });
      await page.getByRole("button", { name: "Sign in" }).click();
      await alert.getByRole("link", { name: "Create an account" }).click();
      await page.waitForURL(/\/sign-up\?next=%2Fw$/);
      await page.getByRole("heading", { name: "Create your account" }).waitFor();
    },
  );
});
