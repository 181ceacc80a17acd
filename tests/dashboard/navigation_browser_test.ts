import assert from "node:assert/strict";
import { fillDashboard } from "../../testing/browser/dashboard_data.ts";
import { goTo, openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { sendEntries } from "../../testing/browser/sample_calls.ts";

Deno.test("navigation, overview and first steps know automation", async (t) => {
  await using world = await openDashboardWorld();
  await using _data = await fillDashboard({ info: world.info, text: "" });
  const page = await world.openPage();
  await signIn(page, world.info.user);
  const navigation = page.getByRole("navigation", { name: "Main" });

  await t.step("the overview shows senders and running journeys", async () => {
    await page.getByRole("heading", { name: "Sending" }).waitFor();
    await page.getByText("0 emails sent in 24 hours").waitFor();
    await page.getByRole("heading", { level: 2, name: "Running journeys", exact: true }).waitFor();
    assert.deepEqual(await findProblems(page), []);
  });

  await t.step("pages say by which time they count events", async () => {
    const texts = [
      ["Explore", /paths, by when events happened\./],
      ["Catalogue", /counted by the day of arrival/],
    ] as const;
    await page.getByText(/^Activity in .+ counted by the time of arrival\.$/).waitFor();
    for (const [name, text] of texts) {
      await goTo(page, name);
      await page.getByText(text).waitFor();
    }
    await page.goto(page.url().replace(/\/catalogue$/, "/settings/usage"));
    await page.getByText("The busiest minute of this period").waitFor();
  });

  await t.step("the first steps tick what is there", async () => {
    await sendEntries(world.info, [{ external_id: "ada", name: "email_sent" }]);
    await goTo(page, "Getting started");
    // The service stores events of this name itself.
    await page.getByText(/^Latest: (?!email_sent)/).waitFor();
    for (const title of ["1. Create a key", "2. Send an event"]) {
      await page.getByRole("heading", { name: title }).locator("..")
        .getByRole("img", { name: "Done" }).waitFor();
    }
    const markOf = (title: RegExp) =>
      page.getByRole("link", { name: title }).getByRole("img", { name: "Done" });
    await markOf(/Forward events/).waitFor();
    assert.equal(await markOf(/Send a campaign/).count(), 0);
    const stepOf = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
    await stepOf("Write a template").getByRole("img", { name: "Done" }).waitFor();
    await stepOf("Build a segment").getByRole("img", { name: "Done" }).waitFor();
    await stepOf("Publish a journey").getByRole("img", { name: "Open" }).waitFor();
    assert.deepEqual(await findProblems(page), []);
    await page.getByRole("link", { name: "Create a topic", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
  });

  await t.step("tabs lead between the pages of a section", async () => {
    const subscriptions = page.getByRole("navigation", { name: "Subscriptions" });
    await subscriptions.getByRole("link", { name: "Suppressions" }).click();
    await page.getByRole("heading", { level: 1, name: "Suppressions" }).waitFor();
    assert.equal(await subscriptions.locator('[aria-current="page"]').innerText(), "Suppressions");
    const address = page.getByRole("textbox", { name: "Email" });
    const hint = page.getByText("Enter the whole address. A part of it filters nothing.");
    await address.fill("ada");
    await hint.waitFor();
    assert.deepEqual(await findProblems(page), []);
    await address.fill("ada@example.com");
    await hint.waitFor({ state: "detached" });
    await goTo(page, "Live events");
    await page.getByRole("navigation", { name: "Events" }).getByRole("link", { name: "Explore" })
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor();
  });

  await t.step("groups fold by keyboard, and stay folded", async () => {
    const webhooks = navigation.getByRole("button", { name: "Webhooks" });
    await webhooks.focus();
    await page.keyboard.press("Enter");
    await navigation.getByRole("link", { name: "Destinations" }).waitFor({ state: "detached" });
    await page.reload();
    await navigation.getByRole("button", { name: "Webhooks", expanded: false }).click();
    await navigation.getByRole("link", { name: "Destinations" }).waitFor();
  });

  await t.step(
    "a number beside rejected entries counts the last day, and does not change its name",
    async () => {
      const rejected = navigation.getByRole("link", { name: "Rejected entries", exact: true });
      await navigation.getByText("1", { exact: true }).waitFor();
      assert.equal(await rejected.getAttribute("title"), "1 in the last 24 hours");
      assert.deepEqual(await findProblems(page), []);
    },
  );
});
