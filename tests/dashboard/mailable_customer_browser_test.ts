import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";

Deno.test("a customer's page says whether they can be mailed, and leads to what settles it", async (t) => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  const email = "ada@example.com";
  await sendEntries(world.info, [{ type: "identify", external_id: "ada", attributes: {} }]);
  const { data: [customer] } = await api.call("GET /customers", { query: { limit: 1 } });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const address = `${workspace}/customers/${customer!.id}`;
  const line = page.locator(".field", { has: page.getByText("Can be mailed", { exact: true }) });
  const says = (text: string) => line.getByText(text).waitFor();
  const open = async (text: string) => {
    await page.goto(address);
    await says(text);
  };

  await t.step("a customer without an address gets one in the form", async () => {
    await open("No. The customer has no address.");
    await line.getByRole("button", { name: "Add an address" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit customer" });
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Save" }).click();
    await says("Marketing emails: no, the workspace has no topics");
    await line.getByRole("link", { name: "Open the topics" }).click();
    await page.waitForURL(/\/topics$/);
  });

  await t.step("marketing depends on the topics, and the line follows them", async () => {
    for (const key of ["news", "offers"]) {
      await api.call("POST /topics", { body: { key, name: key, default: "unsubscribed" } });
    }
    await open("Marketing emails: no, not subscribed to a topic");
    await line.getByRole("link", { name: "See their topics" }).click();
    await page.getByLabel("news").click();
    await says("Transactional emails: yes");
    await says("Marketing emails: subscribed to 1 of 2 topics");
    await page.getByText(/^Subscribed .* ago$/).waitFor();
    await page.getByText("Not subscribed by default").waitFor();
    await page.getByText("Marketing emails on a topic go only to").waitFor();
    await page.getByLabel("offers").click();
    await says("Yes, transactional and marketing emails");
  });

  await t.step("a suppressed address gets nothing, with the way to its suppression", async () => {
    await api.call("POST /suppressions", { body: { email, reason: "hard_bounce" } });
    await open("No. The address is suppressed: a message to it bounced permanently.");
    await line.getByRole("link", { name: "Open the suppression" }).click();
    await page.waitForURL(/\/suppressions\?email=ada/);
    const row = page.getByRole("row", { name: email });
    await row.waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await row.getByText(/^Hard bounce · .* ago$/).filter({ visible: true }).waitFor();
  });
});
