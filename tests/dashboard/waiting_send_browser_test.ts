import assert from "node:assert/strict";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";

Deno.test("an email that waits for a broken sender says so wherever it is asked", async (t) => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  const { results: [{ customer_id }] } = await sendEntries(world.info, [
    { type: "identify", external_id: "kay", email: "kay@example.com", first_name: "Kay" },
  ]);
  const sender = await api.call("POST /senders", {
    body: {
      name: "Dead end",
      provider: "smtp",
      from: "Acme <hello@acme.example>",
      config: { host: "mail.invalid", port: 465, secure: true },
    },
  });
  const template = await api.call("POST /templates", {
    body: { name: "Hello", subject: "Hello", html: "<p>Hello</p>" },
  });
  const page = await world.openPage({ viewport: { width: 390, height: 844 } });
  const workspace = await signIn(page, world.info.user);
  const because = "the mail server was not found (DNS)";

  await t.step("a sender that was never used offers a test", async () => {
    await page.goto(`${workspace}/senders/${sender.id}`);
    const offer = page.getByRole("alert").getByRole("button", { name: "Send a test email" });
    await offer.waitFor();
    const buttons = page.getByRole("button", { name: /^Send (a )?test email$/ });
    const variants = [];
    for (const button of await buttons.all()) {
      variants.push(await button.getAttribute("data-variant"));
    }
    assert.deepEqual(variants, ["default", null]);
    await offer.click();
    await page.getByRole("dialog", { name: "Test Dead end" }).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("the email says what it waits for, and when it is tried next", async () => {
    const { send_id } = await api.call("POST /sends", {
      body: { template: template.id, sender: sender.id, customer_id },
    });
    await page.goto(`${workspace}/sends/${send_id}`);
    const title = `Attempt 1 failed, will be retried: ${because}`;
    const notice = page.getByRole("alert").filter({ hasText: title });
    await notice.getByText("Next attempt:").waitFor();
    await page.getByText("Attempt 2 is due").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await notice.getByRole("link", { name: "See everything that was checked" }).click();
  });

  await t.step("the page of reasons names the sender, and leads to it", async () => {
    await page.getByText(`Waiting: ${because}`).first().waitFor();
    await page.getByText(`The sender "Dead end" is failing: ${because}`).waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await page.getByRole("link", { name: "Open the sender" }).click();
    await page.getByText("The mail server was not found (DNS). Fix the settings").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });
});
