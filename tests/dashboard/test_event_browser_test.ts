import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { addUpUsage } from "../../testing/browser/dashboard_data.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";
import { type Receiver, startReceiver } from "../../testing/receivers/receiver.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

Deno.test("a person sends a test event to a destination, and edits and resends a message", async (t) => {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await openDashboardWorld());
  const receiver = await startReceiver({ behaviour: respond(200) });
  cleanup.defer(() => receiver.close());
  const id = await createDestination(world, receiver.port);
  for (const total of [1, 2.5]) {
    const entry = { external_id: "ada", name: "order_created", properties: { total } };
    await sendEntries(world.info, [entry]);
  }
  await addUpUsage(world.info);
  const page = await world.openPage({ colorScheme: "light" });
  const workspace = await signIn(page, world.info.user);
  const dialog = page.getByRole("dialog", { name: /^(Test event|Edit and resend) to Warehouse$/ });
  const response = page.getByRole("dialog", { name: "Response of Warehouse" });
  const type = dialog.getByRole("combobox", { name: "Event type" });
  const payload = dialog.getByLabel("Payload");
  const send = dialog.getByRole("button", { name: "Send", exact: true });

  await t.step("a chosen type fills in the payload of its newest event", async () => {
    await page.goto(`${workspace}/destinations/${id}`);
    await page.getByRole("button", { name: "Send a test event…" }).click();
    assert(await send.isDisabled());
    await type.fill("order");
    await page.getByRole("option", { name: "order_created" }).click();
    await waitForText(payload, /"total": 2.5/);
    const shown = JSON.parse(await payload.inputValue());
    assert.deepEqual([shown.name, shown.external_id], ["order_created", "ada"]);
    assert.deepEqual(await findProblems(page), []);
  });

  await t.step(
    "closing asks before the edited payload is lost, and a reload keeps it",
    async () => {
      await payload.fill('{ "total": ');
      await dialog.getByText("Not valid JSON. Line 1, position 12: the text ends").waitFor();
      assert(await send.isDisabled());
      await payload.fill('{ "total": 99 }');
      await page.keyboard.press("Escape");
      await dialog.getByText("Discard your changes?").waitFor();
      await dialog.getByRole("button", { name: "Keep editing" }).click();
      await page.reload();
      await dialog.getByText("We restored your unsaved changes.").waitFor();
      assert.equal(await payload.inputValue(), '{ "total": 99 }');
      assert.equal(await type.inputValue(), "order_created");
    },
  );

  await t.step("the newest event can be taken again, and any type can be entered", async () => {
    await dialog.getByRole("button", { name: "Use the newest event" }).click();
    await waitForText(payload, /"total": 2.5/);
    await type.fill("order_refused");
    await waitForText(payload, /^\{\}$/);
    await payload.fill('{ "total": 99 }');
  });

  await t.step("the response is shown with a link to the delivery", async () => {
    await send.click();
    await response.getByText("Delivered 200").waitFor();
    assert.deepEqual(await findProblems(page), []);
    assert.deepEqual(readNewest(receiver), ["order_refused", { total: 99 }]);
    await response.getByRole("link", { name: "Show the delivery" }).click();
    await page.getByRole("heading", { level: 1, name: "order_refused" }).waitFor();
    await response.waitFor({ state: "detached" });
  });

  await t.step("a delivery's message is edited and sent again as a new one", async () => {
    const address = page.url();
    await page.getByRole("button", { name: "Edit and resend" }).click();
    await page.getByRole("dialog", { name: "Edit and resend to Warehouse" })
      .getByText("The receiver sees a new webhook-id").waitFor();
    const sentBefore = readId(receiver);
    assert.equal(await type.inputValue(), "order_refused");
    assert.deepEqual(JSON.parse(await payload.inputValue()), { total: 99 });
    assert.deepEqual(await findProblems(page), []);
    receiver.use(respond(500));
    await payload.fill('{ "total": 100 }');
    await send.click();
    await response.getByText("Failed 500").first().waitFor();
    assert.deepEqual(readNewest(receiver), ["order_refused", { total: 100 }]);
    assert.notEqual(readId(receiver), sentBefore);
    await response.getByRole("link", { name: "Show the delivery" }).click();
    await page.waitForURL((url) => url.href !== address);
    await page.getByText("Failed 500").first().waitFor();
    await page.getByRole("button", { name: "Edit and resend" }).click();
    assert.deepEqual(JSON.parse(await payload.inputValue()), { total: 100 });
  });

  await t.step(
    "the drawer of a message has the same, and Esc closes one after the other",
    async () => {
      receiver.use(respond(200));
      await page.goto(`${workspace}/messages`);
      await page.getByRole("button", { name: "order_refused" }).last().click();
      const drawer = page.getByRole("dialog", { name: "order_refused" });
      const edit = drawer.getByRole("button", { name: "Edit and resend" });
      await edit.click();
      assert.equal(await type.inputValue(), "order_refused");
      assert.deepEqual(JSON.parse(await payload.inputValue()), { total: 99 });
      assert.deepEqual(await findProblems(page), []);
      await payload.focus();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await edit.and(page.locator(":focus")).waitFor();
      await edit.click();
      await type.and(page.locator(":focus")).waitFor();
      await payload.fill('{ "total": 101 }');
      await send.click();
      await response.getByText("Delivered 200").waitFor();
      assert.deepEqual(readNewest(receiver), ["order_refused", { total: 101 }]);
      await page.keyboard.press("Escape");
      await response.waitFor({ state: "detached" });
      await drawer.waitFor();
      // A delivered message is resent as it is, with its own id.
      const count = receiver.requests.length;
      await drawer.getByRole("button", { name: "Resend", exact: true }).click();
      const resent = page.getByRole("dialog", { name: "Resend of order_refused" });
      await resent.getByText("Delivered 200").waitFor();
      assert.equal(receiver.requests.length, count + 1);
      assert.deepEqual(readNewest(receiver), ["order_refused", { total: 99 }]);
      await page.keyboard.press("Escape");
      await resent.waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
    },
  );
});

async function createDestination({ info }: DashboardWorld, port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}/hooks`;
  const body = { name: "Warehouse", url, event_types: ["never"] };
  return (await createSampleApi(info).call("POST /destinations", { body })).id;
}

/** Waits until the payload in the dialog matches. */
async function waitForText(payload: Locator, pattern: RegExp): Promise<void> {
  await waitFor(async () => pattern.test(await payload.inputValue()) || undefined);
}

function readNewest({ requests }: Receiver): [type: string, payload: unknown] {
  const { event_type, payload } = JSON.parse(new TextDecoder().decode(requests.at(-1)!.body));
  return [event_type, payload];
}

/** Reads the id of the newest message that the receiver saw. */
function readId({ requests }: Receiver): unknown {
  return requests.at(-1)!.headers.find(([name]) => name.toLowerCase() === "webhook-id")?.[1];
}
