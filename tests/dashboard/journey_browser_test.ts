import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import {
  type DashboardWorld,
  goTo,
  openDashboardWorld,
  signIn,
  signUp,
  switchWorkspace,
  testPassword,
} from "../../testing/browser/dashboard_world.ts";
import { type ReceivedRequest, startReceiver } from "../../testing/receivers/receiver.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

const owner = "ada@example.com";
const viewer = "grace@example.com";
/** More events than a page of the list or of one poll. */
const burst = 230;

Deno.test("the dashboard leads from signing up to a repaired delivery", async (t) => {
  await using world = await openDashboardWorld();
  const receiver = await startReceiver({ behaviour: respond(200, { body: '{"thanks":true}' }) });
  await using _receiver = { [Symbol.asyncDispose]: () => receiver.close() };
  const page = await world.openPage();
  let key = "";
  let workspace = "";
  let secret = "";

  await t.step("a person signs up and finds a workspace of their own", async () => {
    workspace = await signUp(page, owner);
    await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
    await page.getByRole("button", { name: "ada's workspace Owner Switch workspace" })
      .waitFor();
  });

  await t.step("getting started shows snippets with a real key", async () => {
    await page.getByText("Listening for your first event").waitFor();
    await page.getByRole("button", { name: "Create a key" }).click();
    key = await page.getByTestId("secret").innerText();
    assert.match(key, /^pk_00[0-9A-Za-z]{38}$/);
    await page.getByRole("tab", { name: "fetch" }).click();
    await page.getByText(`"Authorization": "Bearer ${key}"`).waitFor();
  });

  await t.step("a snippet run on another origin sends the first event", async () => {
    const snippet = await page.getByRole("region", { name: "First event with fetch" })
      .locator("code").innerText();
    await runElsewhere(world, snippet);
    await page.getByRole("heading", { name: "Events are arriving" }).waitFor();
    await page.getByText('"order_created"').first().waitFor();
  });

  await t.step("events appear live with their properties", async () => {
    await goTo(page, "Live events");
    await page.getByRole("button", { name: /order_created/ }).waitFor();
    await track(world, key, {
      external_id: "user-1",
      name: "checkout_started",
      properties: { n: 7 },
    });
    await page.getByRole("button", { name: /checkout_started/ }).click();
    const event = page.getByRole("dialog");
    await event.getByText('"n": 7').waitFor();
    await event.getByText("No destination subscribes to this event").waitFor();
    await page.keyboard.press("Escape");
    await event.waitFor({ state: "detached" });
  });

  await t.step("pausing loses no event of a burst larger than a page", async () => {
    await goTo(page, "Live events");
    await page.getByRole("button", { name: "Pause" }).click();
    await trackBurst(world, key, burst);
    const arrived = page.getByRole("list", { name: "Events" }).getByRole("button", {
      name: /burst/,
    });
    await page.getByRole("button", { name: `${burst} new events` }).waitFor();
    assert.equal(await arrived.count(), 0);
    await page.getByRole("button", { name: "Resume" }).click();
    await arrived.nth(burst - 1).waitFor({ state: "attached" });
    await page.getByRole("button", { name: /checkout_started/ }).click();
    await page.getByRole("dialog").getByRole("link", { name: "user-1" }).click();
  });

  await t.step("the customer's page shows their events and can be edited", async () => {
    await page.getByRole("heading", { level: 1, name: "user-1" }).waitFor();
    await page.getByRole("button", { name: /checkout_started/ }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("First name").fill("Grace");
    await page.getByLabel("Email", { exact: true }).fill("nonsense");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByText(/must be an email address/i).last().waitFor();
    await page.getByLabel("Email", { exact: true }).fill("grace@shop.example");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Grace" }).waitFor();
    await page.getByText("grace@shop.example").waitFor();
  });

  await t.step("a new destination shows its secret once and responds to a ping", async () => {
    await goTo(page, "Destinations");
    await page.getByRole("link", { name: "New destination" }).first().click();
    // The list has a field of this name too.
    await page.getByRole("heading", { level: 1, name: "New destination" }).waitFor();
    await page.getByLabel("Name").fill("Warehouse");
    await page.getByLabel("Endpoint URL").fill("example.com/hooks");
    await page.getByLabel("Name").focus();
    await page.reload();
    await page.locator('input[value="Warehouse"]').waitFor();
    await page.locator('input[value="https://example.com/hooks"]').waitFor();
    await page.getByLabel("Endpoint URL").fill("nonsense");
    await page.getByRole("radio", { name: "Selected events" }).check();
    await page.getByRole("button", { name: "Create destination" }).click();
    await page.getByText("must contain at least one event type").waitFor();
    await page.getByRole("combobox", { name: "Selected event types" }).fill("order_*");
    await page.keyboard.press("Enter");
    await page.getByLabel("Endpoint URL").fill(`http://127.0.0.1:${receiver.port}/hooks`);
    await page.getByRole("button", { name: "Create destination" }).click();
    secret = await page.getByTestId("secret").innerText();
    assert.match(secret, /^whsec_/);
    await page.getByRole("button", { name: "Send test ping" }).click();
    const ping = page.getByRole("dialog", { name: "Test ping to Warehouse" });
    await ping.getByText("Delivered 200").waitFor();
    await ping.getByText('{"thanks":true}').waitFor();
    verify(receiver.requests.at(-1), secret);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Go to destination" }).click();
    await page.getByRole("heading", { name: "Recent deliveries" }).waitFor();
    await page.getByText(secret).waitFor({ state: "detached" });
  });

  await t.step("a failing receiver is shown with a remedy", async () => {
    receiver.use(respond(503, {
      headers: [["X-Request-Id", "req_81"], ["Set-Cookie", "session=secret"]],
      body: "<b>out of order</b>",
    }));
    await track(world, key, { external_id: "user-1", name: "order_created" });
    await page.getByText("Failing").first().waitFor();
    await goTo(page, "Messages");
    await page.getByRole("row", { name: /order_created.*Retrying/ }).first().getByRole("button")
      .click();
    const message = page.getByRole("dialog");
    await message.getByText("Attempt 1").waitFor();
    await message.getByRole("button", { name: "Try now" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "All deliveries" }).click();
    await page.getByRole("combobox", { name: "Outcome" }).click();
    await page.getByRole("option", { name: "Failed" }).click();
    await page.waitForURL(/ok=false/);
    await page.getByRole("row", { name: /order_created.*Failed 503/ }).first()
      .getByRole("link").click();
    await page.getByText("Your endpoint is down or overloaded (503).").waitFor();
    await page.getByText("<b>out of order</b>").waitFor();
    const headers = page.getByRole("table", { name: "Response headers" });
    assert.deepEqual(await headers.getByRole("rowheader").allInnerTexts(), [
      "content-length",
      "set-cookie",
      "x-request-id",
    ]);
    assert.deepEqual(await headers.getByRole("cell").allInnerTexts(), ["19", "…", "req_81"]);
    await page.getByRole("button", { name: "Copy response headers" }).waitFor();
    await page.getByText("Retries continue automatically").waitFor();
    await page.getByRole("region", { name: "Request body" })
      .getByText('"order_created"').first().waitFor();
    await page.getByText("Next attempt", { exact: true }).waitFor();
  });

  await t.step("a replay succeeds once the receiver works", async () => {
    receiver.use(respond(200));
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    const replay = page.getByRole("dialog", { name: "Resend of order_created" });
    await replay.getByText("Delivered 200").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Manual attempt ·").waitFor();
  });

  await t.step("failed messages of a time range are replayed with progress", async () => {
    // Long enough that no automatic retry comes before the replay.
    receiver.use(respond(503, { headers: [["Retry-After", "3600"]] }));
    await track(world, key, { external_id: "user-1", name: "order_refunded" });
    await goTo(page, "Destinations");
    await page.getByRole("link", { name: /Warehouse/ }).click();
    await page.getByRole("row", { name: /order_refunded.*Failed 503/ }).first().waitFor();
    receiver.use(respond(200));
    await openMenu(page, "Resend failed");
    await page.getByText("1 message failed or was given up, and will be resent").waitFor();
    await page.getByRole("button", { name: "Resend 1 message" }).click();
    await page.getByText("1 message queued").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /order_refunded.*Delivered 200/ }).first().waitFor();
  });

  await t.step("messages missed while disabled are recovered", async () => {
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Disable destination" }).click();
    await page.getByText("This destination is disabled").waitFor();
    await track(world, key, { external_id: "user-1", name: "order_completed" });
    await page.getByRole("link", { name: /^Missed 1/ }).waitFor();
    await page.getByRole("button", { name: "Enable" }).click();
    const enable = page.getByRole("dialog", { name: "Enable destination" });
    await enable.getByText("1 message was missed").waitFor();
    await enable.getByRole("radio", { name: "Deliver them now" }).waitFor();
    await enable.getByRole("button", { name: "Enable" }).click();
    await page.getByText("1 message queued").waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /order_completed.*Delivered 200/ }).first().waitFor();
  });

  await t.step("requests are signed with the old and the rotated secret", async () => {
    await openMenu(page, "Rotate secret");
    // The dialog loads first: a key pressed earlier would close nothing.
    await page.getByRole("dialog", { name: "Rotate the signing secret" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator('button[aria-label="More actions"]:focus').waitFor();
    await openMenu(page, "Rotate secret");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    const next = await page.getByTestId("secret").innerText();
    assert.notEqual(next, secret);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Send test ping" }).click();
    await page.getByRole("dialog", { name: /Test ping/ }).getByText("Delivered 200").waitFor();
    verify(receiver.requests.at(-1), next);
    verify(receiver.requests.at(-1), secret);
    await page.keyboard.press("Escape");
  });

  await t.step("an invited viewer can read everything and change nothing", async () => {
    await goTo(page, "Team");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Email").fill(viewer);
    await page.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: /Viewer/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    const link = await page.getByText(/\/sign-up\?email=/).innerText();
    const theirs = await world.openPage();
    await theirs.goto(link);
    await theirs.getByRole("heading", { name: "You have been invited" }).waitFor();
    assert.equal(await theirs.getByLabel("Email").inputValue(), viewer);
    await theirs.getByRole("textbox", { name: "Password" }).fill(testPassword);
    await theirs.getByRole("button", { name: "Sign up" }).click();
    await theirs.getByRole("button", { name: "Accept" }).click();
    await theirs.waitForURL(new RegExp(workspace));
    await checkViewer(theirs);
    await theirs.context().close();
  });

  await t.step("users of different workspaces cannot see each other's data", async () => {
    const theirs = await world.openPage();
    const other = await signUp(theirs, "stranger@example.com");
    assert.notEqual(other, workspace);
    await goTo(theirs, "Customers");
    await theirs.getByText("No customers yet").waitFor();
    await theirs.goto(`${workspace}/customers`);
    await theirs.getByText("Page not found").waitFor();
    await page.goto(`${other}/customers`);
    await page.getByText("Page not found").waitFor();
    await theirs.context().close();
  });

  await t.step("a second workspace is created and left again", async () => {
    await page.goto(workspace);
    await page.getByRole("button", { name: /Switch workspace/ }).click();
    await page.getByRole("menuitem", { name: "New workspace" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Staging");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("Listening for your first event").waitFor();
    await page.getByRole("button", { name: /Staging.*Switch workspace/ }).waitFor();
    await switchWorkspace(page, "ada's workspace");
    await page.waitForURL(new RegExp(`${workspace}$`));
  });

  await t.step("a revoked key stops working", async () => {
    await goTo(page, "API keys");
    await page.getByRole("button", { name: "Revoke Getting started" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("row", { name: /Getting started.*Revoked/ }).waitFor();
    await page.waitForFunction(
      async ([url, token]) => {
        const response = await fetch(`${url}/functions/v1/track`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ external_id: "user-1", name: "late" }),
        });
        return response.status === 401;
      },
      [world.info.base_url, key] as const,
      { polling: 500 },
    );
  });

  await t.step("erasing a customer requires their ID and removes everything", async () => {
    await goTo(page, "Customers");
    await page.getByRole("textbox", { name: "Search customers" }).fill("user-1");
    await page.waitForURL(/q=user-1/);
    await page.getByRole("link", { name: /Grace/ }).click();
    await page.getByRole("button", { name: "Erase" }).click();
    const erase = page.getByRole("button", { name: "Erase permanently" });
    assert.equal(await erase.isDisabled(), true);
    await page.getByLabel("Type user-1 to confirm").fill("user-1");
    await erase.click();
    await page.getByText("No customers found").waitFor();
  });

  await t.step("the audit log names who did it", async () => {
    await goTo(page, "Audit log");
    const erased = page.getByRole("row", { name: new RegExp(`${owner}.*Erased a customer`) });
    const revoked = page.getByRole("row", { name: new RegExp(`${owner}.*Revoked a key`) });
    await erased.waitFor();
    await revoked.waitFor();
    await page.getByRole("combobox", { name: "Action" }).fill("Revoked");
    await page.getByRole("option", { name: "Revoked a key" }).click();
    await page.waitForURL(/action=api_key\.revoke/);
    await erased.waitFor({ state: "detached" });
    await revoked.waitFor();
    await page.getByRole("combobox", { name: "Who" }).click();
    await page.getByRole("option", { name: viewer }).click();
    await page.getByText("No matching changes").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await erased.waitFor();
  });

  await t.step("signing out hides everything until the next sign-in", async () => {
    await page.getByRole("button", { name: new RegExp(`${owner}.*sign out`) }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(`${workspace}/team`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("Email").fill(owner);
    await page.getByRole("textbox", { name: "Password" }).fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("Email or password is wrong").waitFor();
    assert.equal(await signIn(page, { email: owner, password: testPassword }), workspace);
  });
});

/** Sends old events, so that a timeline still begins with the test's own. */
async function trackBurst(world: DashboardWorld, key: string, count: number): Promise<void> {
  const event = { external_id: "user-1", name: "burst", occurred_at: "2024-01-01T00:00:00Z" };
  await track(world, key, { events: Array.from({ length: count }, () => event) });
}

async function track(world: DashboardWorld, key: string, event: object): Promise<void> {
  const response = await fetch(`${world.info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(event),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Runs a script on a page of another origin. */
async function runElsewhere(world: DashboardWorld, script: string): Promise<void> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () =>
      new Response("<!doctype html><title>Shop</title>", {
        headers: { "content-type": "text/html" },
      }),
  );
  const page = await world.openPage();
  await page.goto(`http://localhost:${server.addr.port}/`);
  await page.evaluate(`(async () => { ${script} })()`);
  await page.context().close();
  await server.shutdown();
}

/** Verifies a request like a customer's receiver, with the library of Standard Webhooks. */
function verify(request: ReceivedRequest | undefined, secret: string): void {
  assert.ok(request);
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]));
  new Webhook(secret).verify(new TextDecoder().decode(request.body), headers);
}

async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function checkViewer(page: Page): Promise<void> {
  await goTo(page, "Customers");
  await page.getByRole("link", { name: /Grace/ }).click();
  await page.getByRole("button", { name: /checkout_started/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Erase" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Edit" }).count(), 0);
  await goTo(page, "Destinations");
  await page.getByRole("link", { name: /Warehouse/ }).click();
  await page.getByRole("heading", { level: 1, name: /Warehouse/ }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Send test ping" }).count(), 0);
  await goTo(page, "Team");
  await page.getByText(owner).waitFor();
  assert.equal(await page.getByRole("button", { name: "Invite" }).count(), 0);
  const navigation = page.getByRole("navigation", { name: "Settings" });
  await navigation.getByRole("link", { name: "Usage" }).waitFor();
  assert.equal(await navigation.getByRole("link", { name: "API keys" }).count(), 0);
}
