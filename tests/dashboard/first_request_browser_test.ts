import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { createSampleApi } from "../../testing/browser/sample_calls.ts";
import { makeTestCall } from "../../dashboard/src/pages/sources/make_test_call.ts";

async function runInShell(commands: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-ec", commands],
    stdout: "null",
    stderr: "piped",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

async function readTestCall(page: Page): Promise<string> {
  return await page.getByRole("region", { name: "Test request with curl" }).innerText();
}

Deno.test("a new source waits for its first request, with a test call that arrives", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  let [secret, testCall] = ["", ""];

  await t.step("a created source shows a test call with its secret", async () => {
    await page.goto(`${workspace}/sources/new`);
    await page.getByRole("link", { name: "GitHub" }).click();
    await page.getByText("Webhooks from GitHub").waitFor();
    await page.getByLabel("Name").fill("Repository");
    await page.getByRole("button", { name: "Create source" }).click();
    secret = await page.getByTestId("secret").innerText();
    assert((await readTestCall(page)).includes(secret));
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("its page says what is left to do, and listens", async () => {
    await page.getByRole("link", { name: "Go to source" }).click();
    const panel = page.getByRole("region", { name: "First request" });
    await panel.getByText("Listening…").waitFor();
    await panel.getByRole("button", { name: "Copy webhook URL" }).waitFor();
    const steps = await panel.getByRole("listitem").allInnerTexts();
    assert.deepEqual(steps.map((text) => text.trim().split("\n")[0]), [
      "Set the signing secret",
      "Enter the webhook URL at the sender",
      "Choose how payloads become events",
    ]);
    assert.equal(await page.getByRole("combobox", { name: "Outcome" }).count(), 0);
    assert.equal(await page.getByText("Nothing received yet").count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
    testCall = await readTestCall(page);
    await runInShell(testCall.replace("YOUR_SECRET", secret));
    await page.getByRole("row", { name: /Entries rejected/ }).waitFor();
    await panel.waitFor({ state: "detached" });
    await page.getByText("Received (24 h)").waitFor();
  });

  await t.step("the list says which share of the requests was rejected", async () => {
    await page.goto(`${workspace}/sources`);
    await page.getByRole("row", { name: /Repository.* 1 1 100% 0 / }).waitFor();
    await page.getByRole("link", { name: "Repository" }).click();
  });

  await t.step("the mapping is tested on the newest request that has a body", async () => {
    await runInShell(testCall.replace("YOUR_SECRET", "wrong"));
    await page.getByRole("row", { name: /Refused/ }).waitFor();
    await page.getByRole("tab", { name: "Mapping" }).click();
    const request = page.getByRole("combobox", { name: "Received request" });
    await page.getByText("Entries rejected", { exact: true }).last().waitFor();
    await page.getByText('"order_created"').first().waitFor();
    await request.click();
    await page.getByRole("option", { name: /Entries rejected$/ }).waitFor();
    assert.equal(await page.getByRole("option").count(), 1);
  });
});

Deno.test("a new source has the settings of the sender that was chosen", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const api = createSampleApi(world.info);
  const name = page.getByRole("textbox", { name: "Name", exact: true });

  await t.step("each of those known, and its name until another one is typed", async () => {
    const expected = [
      { label: "Linear", scheme: "hmac", preset: null },
      { label: "Resend", scheme: "standard-webhooks", preset: "resend" },
      { label: "Postmark", scheme: "basic", preset: "postmark" },
    ];
    for (const { label } of expected) {
      await page.goto(`${workspace}/sources/new`);
      await page.getByRole("link", { name: label, exact: true }).click();
      assert.equal(await name.inputValue(), label);
      await page.getByRole("button", { name: "Create source" }).click();
      await page.getByRole("heading", { level: 1, name: `${label} created` }).waitFor();
    }
    const { data } = await api.call("GET /sources", {});
    for (const { label, scheme, preset } of expected) {
      const created = data.find((source) => source.name === label);
      assert.equal(created?.scheme, scheme);
      assert.equal(created?.preset, preset);
    }
    assert.equal(data.find((source) => source.name === "Linear")?.hmac?.header, "linear-signature");
  });

  await t.step("a changed signature setting stays in sight", async () => {
    await page.goto(`${workspace}/sources/new?sender=linear`);
    const settings = page.getByText("Signature settings, filled in for Linear");
    const header = page.getByLabel("Signature header");
    assert(!(await header.isVisible()));
    await settings.click();
    await header.fill("X-Other");
    await header.fill("Linear-Signature");
    assert(await header.isVisible());
    await header.fill("");
    await settings.click();
    await page.getByRole("button", { name: "Create source" }).click();
    await header.and(page.locator(":focus")).waitFor();
  });

  await t.step("another sender, or none after all", async () => {
    await page.goto(`${workspace}/sources/new?sender=hmac`);
    assert.equal(await name.inputValue(), "");
    await page.getByRole("link", { name: "Change" }).click();
    await page.getByRole("link", { name: "Stripe", exact: true }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL(`${workspace}/sources`);
  });
});

Deno.test("test calls of every sender are verified", async () => {
  await using world = await openDashboardWorld();
  const api = createSampleApi(world.info);
  const secrets = {
    "service": "0b8f61c2a3d4e5f6",
    "github": "it's 0b8f61c2",
    "shopify": "shpss_0b8f61c2a3d4e5f6",
    "stripe": "whsec_0b8f61c2a3d4e5f6",
    "slack": "0123456789abcdef0123456789abcdef",
    "standard-webhooks": `whsec_${btoa("0b8f61c2a3d4e5f60b8f61c2")}`,
    "basic": "ada:0b8f61c2 a3d4",
  } as const;
  for (const [name, secret] of Object.entries(secrets)) {
    const scheme = name as keyof typeof secrets;
    const source = await api.call("POST /sources", { body: { name, scheme, secret } });
    const url = `${world.info.base_url}${source.path}`;
    await runInShell(makeTestCall({ scheme, url, secret })!);
    const params = { id: source.id };
    const { data } = await api.call("GET /sources/{id}/receipts", { params });
    assert.deepEqual(data.map(({ outcome }) => outcome), ["rejected"], name);
  }
});
