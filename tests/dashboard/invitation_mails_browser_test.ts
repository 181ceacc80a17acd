import assert from "node:assert/strict";
import { goTo, openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";

const guest = "grace@example.com";

Deno.test("an invitation is emailed as soon as the workspace has a sender, and the page says so", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  await signIn(page, world.info.user);
  const api = createSampleApi(world.info);
  const [sender] = (await api.call("GET /senders", {})).data;
  const enable = (enabled: boolean) =>
    api.call("PATCH /senders/{id}", { params: { id: sender!.id }, body: { enabled } });
  await enable(false);
  const dialog = page.getByRole("dialog", { name: "Invite to the team" });
  const invite = async (email: string) => {
    await goTo(page, "Team");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Invite" }).click();
  };

  await t.step(
    "without a sender there is a link, and a hint that a sender would email it",
    async () => {
      await invite("first@example.com");
      await dialog.getByText("Not emailed").waitFor();
      await dialog.getByRole("link", { name: "Add a sender" }).waitFor();
      await dialog.getByText(/\/sign-up\?email=first%40example.com/).waitFor();
      assert.deepEqual(await findProblems(page), []);
      await dialog.getByRole("button", { name: "Done" }).click();
      const row = page.getByRole("row", { name: /first@example.com Invited/ });
      await row.getByRole("button", { name: "Copy link" }).waitFor();
      assert.equal(await row.getByRole("button", { name: "Resend" }).count(), 0);
    },
  );

  await t.step("with a sender it is emailed, and the email leads to the sign-up", async () => {
    await enable(true);
    await page.reload();
    await invite(guest);
    await dialog.getByText("Invitation emailed").waitFor();
    await dialog.getByText(`It goes to ${guest}.`).waitFor();
    assert.deepEqual(await findProblems(page), []);
    await dialog.getByRole("button", { name: "Done" }).click();
    const response = await fetch(`${world.info.base_url}/inbox/api/mails?to=${guest}&wait=30`);
    const [mail] = (await response.json()).data;
    assert.equal(mail.subject, `${world.info.user.email} invites you to Demo on Signalpost`);
    const { text } = await (await fetch(`${world.info.base_url}/inbox/api/mails/${mail.id}`))
      .json();
    const link = `${world.info.base_url}/sign-up?email=grace%40example.com&next=%2Finvitations`;
    assert.ok(text.includes(link), text);
  });

  await t.step("an open invitation is emailed again from its row", async () => {
    const row = page.getByRole("row", { name: /first@example.com Invited/ });
    await row.getByText("Not emailed").waitFor();
    await row.getByRole("button", { name: "Resend" }).click();
    await page.getByText("Invitation emailed to first@example.com").waitFor();
    await row.getByRole("link").waitFor();
    assert.equal(await row.getByText("Not emailed").count(), 0);
    await page.getByRole("definition").filter({ hasText: "resend messages" }).waitFor();
  });
});
