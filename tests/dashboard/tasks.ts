import { Webhook } from "standardwebhooks";
import { testPassword } from "../../testing/browser/dashboard_world.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";
import { closeDialog, open, openWarehouse, track, type Walk } from "./walk.ts";

interface Task {
  name: string;
  run: (walk: Walk) => Promise<void>;
}

const owner = "ada@example.com";
const newPassword = "a new and longer one";
const senderSecret = "whsec_" + btoa("0123456789abcdef0123456789abcdef");
/** Failures in a row that pause a destination, and two messages more. */
const pausing = 12;

/** Everything that people come to the dashboard for, in the order of a first day. */
export const tasks: readonly Task[] = [
  { name: "sign up", run: signUp },
  { name: "send the first event", run: sendFirstEvent },
  { name: "create a key", run: createKey },
  { name: "create a destination and ping it", run: createDestination },
  { name: "find out why a delivery failed", run: explainFailure },
  { name: "send one message again", run: resendOne },
  { name: "find a message that a dead destination holds up", run: followHeld },
  { name: "deliver what a disabled destination missed", run: deliverMissed },
  { name: "find a customer by each ID, the address and the name", run: findCustomer },
  { name: "edit a customer", run: editCustomer },
  { name: "see what was merged into a customer", run: readMerges },
  { name: "create a source, map what it received, and resend it", run: mapSource },
  { name: "fix a rejected entry and resend it", run: resendRejected },
  { name: "erase a customer", run: eraseCustomer },
  { name: "invite a colleague", run: invite },
  { name: "read the usage", run: readUsage },
  { name: "find a change in the audit log", run: readAuditLog },
  { name: "rotate a signing secret", run: rotateSecret },
  { name: "sign out and reset the password", run: resetPassword },
  { name: "create a workspace and delete it", run: deleteWorkspace },
];

async function signUp({ page, hands }: Walk): Promise<void> {
  await page.goto("/sign-up");
  await hands.type(page.getByLabel("Email"), owner);
  await hands.type(page.getByRole("textbox", { name: "Password" }), testPassword);
  await hands.press(page.getByRole("button", { name: "Sign up" }));
  await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
}

async function sendFirstEvent(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await open(walk, "Overview");
  await page.getByRole("heading", { name: "No destinations yet" }).waitFor();
  await open(walk, "Getting started");
  await hands.press(page.getByRole("button", { name: "Create a key" }));
  walk.key = await page.getByTestId("secret").innerText();
  await hands.press(page.getByRole("tab", { name: "fetch" }));
  await page.getByText(`"Authorization": "Bearer ${walk.key}"`).waitFor();
  await track(walk, { external_id: "user-1", name: "order_created" });
  await page.getByRole("heading", { name: "Events are arriving" }).waitFor();
}

async function createKey(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await open(walk, "API keys");
  await hands.press(page.getByRole("button", { name: "New key" }).first());
  const dialog = page.getByRole("dialog");
  await hands.type(dialog.getByLabel("Name"), "Shop server");
  await hands.check(dialog.getByRole("checkbox", { name: "Read customers" }));
  await hands.press(dialog.getByRole("button", { name: "Create key" }));
  await dialog.getByTestId("secret").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Done" }));
  await page.getByRole("row", { name: /Shop server/ }).waitFor();
}

async function createDestination(walk: Walk): Promise<void> {
  const { page, hands, receiver } = walk;
  await open(walk, "Destinations");
  await hands.press(page.getByRole("link", { name: "New destination" }).first());
  await page.getByRole("heading", { level: 1, name: "New destination" }).waitFor();
  await hands.type(page.getByLabel("Name"), "Warehouse");
  await hands.type(page.getByLabel("Endpoint URL"), `http://127.0.0.1:${receiver.port}/hooks`);
  await hands.check(page.getByRole("radio", { name: "Selected events" }));
  await hands.type(page.getByRole("combobox", { name: "Selected event types" }), "order_*");
  await page.keyboard.press("Enter");
  await hands.press(page.getByRole("button", { name: "Create destination" }));
  await page.getByTestId("secret").waitFor();
  await hands.press(page.getByRole("button", { name: "Send test ping" }));
  await closeDialog(walk, page.getByRole("dialog", { name: "Test ping to Warehouse" }));
  await hands.press(page.getByRole("link", { name: "Go to destination" }));
  // A ping does not count.
  await page.getByRole("heading", { name: "No attempts in this period" }).waitFor();
}

async function explainFailure(walk: Walk): Promise<void> {
  const { page, hands, receiver } = walk;
  receiver.use(respond(503, { body: "out of order" }));
  await track(walk, { external_id: "user-1", name: "order_refused" });
  const failed = page.getByRole("row", { name: /order_refused.*Failed 503/ }).first();
  await failed.waitFor();
  await open(walk, "Overview");
  await hands.press(page.getByRole("main").getByRole("link", { name: /Warehouse/ }));
  await hands.press(failed.getByRole("link"));
  await page.getByText(/^Your endpoint is down or overloaded \(503\)/).waitFor();
}

async function resendOne(walk: Walk): Promise<void> {
  const { page, hands, receiver } = walk;
  receiver.use(respond(200));
  await hands.press(page.getByRole("button", { name: "Resend", exact: true }));
  await closeDialog(walk, page.getByRole("dialog", { name: "Resend of order_refused" }));
}

async function followHeld(walk: Walk): Promise<void> {
  const { page, hands, receiver } = walk;
  receiver.use(respond(503, { headers: [["Retry-After", "600"]] }));
  const events = Array.from({ length: pausing }, () => ({
    external_id: "user-1",
    name: "order_paid",
  }));
  await track(walk, { events });
  await openWarehouse(walk);
  await page.getByText("Paused after failures").first().waitFor();
  await page.getByText(/ Next try /).waitFor();
  await open(walk, "Live events");
  await hands.press(page.getByRole("button", { name: /order_paid/ }).first());
  const event = page.getByRole("dialog");
  await event.getByRole("link", { name: "Warehouse" }).waitFor();
  await event.getByText("Destination paused, next try").waitFor();
  receiver.use(respond(200));
  await hands.press(event.getByRole("button", { name: "Try now" }));
  await event.getByText("Delivered", { exact: true }).first().waitFor();
  await hands.press(event.getByRole("button", { name: "Close event" }));
  await event.waitFor({ state: "detached" });
}

async function deliverMissed(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await openWarehouse(walk);
  await hands.press(page.getByRole("button", { name: "Disable", exact: true }));
  await hands.press(page.getByRole("button", { name: "Disable destination" }));
  await page.getByText("This destination is disabled").waitFor();
  await track(walk, { external_id: "user-1", name: "order_missed" });
  await page.getByRole("link", { name: /^Missed 1/ }).waitFor();
  await hands.press(page.getByRole("button", { name: "Enable", exact: true }));
  const dialog = page.getByRole("dialog", { name: "Enable destination" });
  await dialog.getByText("1 message was missed").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Enable" }));
  await dialog.getByText("1 message queued").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Done" }));
  await page.getByRole("row", { name: /order_missed.*Delivered 200/ }).first().waitFor();
}

async function findCustomer(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await track(walk, { anon_id: "visitor-9", name: "page_viewed" });
  await track(walk, {
    type: "identify",
    external_id: "zoe-1",
    anon_id: "visitor-9",
    email: "zoe@example.com",
    attributes: { name: "Zoe Quinn" },
  });
  await open(walk, "Customers");
  const search = page.getByRole("textbox", { name: "Search customers" });
  const found = page.getByRole("link", { name: /Zoe Quinn/ });
  const other = page.getByRole("link", { name: /user-1/ });
  for (const text of ["zoe@example.com", "zoe-1", "visitor-9", "Zoe"]) {
    await hands.type(search, text);
    await other.waitFor({ state: "detached" });
    await found.waitFor();
    await hands.type(search, "");
    await page.keyboard.press("Backspace");
    await other.waitFor();
  }
  await hands.press(found);
  await page.getByRole("heading", { level: 1, name: "Zoe Quinn" }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1)!;
  await open(walk, "Customers");
  await hands.type(search, id);
  await other.waitFor({ state: "detached" });
  await hands.press(found);
  await page.getByRole("heading", { level: 1, name: "Zoe Quinn" }).waitFor();
}

async function editCustomer({ page, hands }: Walk): Promise<void> {
  await hands.press(page.getByRole("button", { name: "Edit", exact: true }));
  const dialog = page.getByRole("dialog");
  await hands.type(dialog.getByLabel("Country"), "NZ");
  await hands.press(dialog.getByRole("button", { name: "Save" }));
  await dialog.waitFor({ state: "detached" });
  await page.getByTitle("Show customers with country = NZ").waitFor();
}

async function readMerges({ page, hands }: Walk): Promise<void> {
  await hands.press(page.getByRole("tab", { name: "IDs and merges" }));
  await page.getByText("Anonymous visitor identified").waitFor();
  await page.getByText("Added by identify").waitFor();
}

async function mapSource(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await open(walk, "Sources");
  await hands.press(page.getByRole("link", { name: "New source" }).first());
  await page.getByRole("heading", { level: 1, name: "New source" }).waitFor();
  await hands.press(page.getByRole("link", { name: "Standard Webhooks" }));
  await hands.type(page.getByLabel("Name"), "Billing");
  await hands.type(page.getByLabel("Signing secret"), senderSecret);
  await hands.press(page.getByRole("button", { name: "Create source" }));
  const address = await page.getByText(/\/inbound\//).first().innerText();
  await hands.press(page.getByRole("link", { name: "Go to source" }));
  await page.getByText("Mapping missing", { exact: true }).waitFor();
  await sendWebhook(address);
  await page.getByRole("row", { name: /Entries rejected/ }).waitFor();
  await hands.press(page.getByRole("tab", { name: "Mapping" }));
  await page.locator("textarea").filter({ hasText: "invoice_paid" }).first().waitFor();
  await mapValue(walk, /^type invoice_paid/, "Event name");
  await mapValue(walk, /^user /, "External ID");
  await mapValue(walk, /^data /, "Properties");
  await hands.press(page.getByRole("button", { name: "Test", exact: true }));
  const result = page.getByRole("region", { name: "Result" });
  await result.getByText("Stored", { exact: true }).waitFor();
  await result.getByText('"invoice_paid"').waitFor();
  await hands.press(page.getByRole("button", { name: "Save mapping" }));
  await page.getByText("Mapping saved").waitFor();
  await hands.press(page.getByRole("tab", { name: "Rejected" }));
  await hands.press(page.getByRole("row").nth(1).getByRole("button").first());
  const entry = page.getByRole("dialog");
  await hands.press(entry.getByRole("button", { name: "Resend" }));
  await hands.press(entry.getByRole("link", { name: "View on the customer’s timeline" }));
  await page.getByRole("button", { name: /invoice_paid/ }).waitFor();
}

/** Chooses a value of the payload for a field of the event. */
async function mapValue({ page, hands }: Walk, value: RegExp, field: string): Promise<void> {
  const item = page.getByRole("list", { name: "Values of the payload" })
    .getByRole("button", { name: value });
  await hands.press(item);
  await hands.press(page.getByRole("menuitem", { name: field, exact: true }));
  await item.getByText(field, { exact: true }).waitFor();
}

async function resendRejected(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await track(walk, {
    events: [{ external_id: "user-1", name: "fine" }, { external_id: "", name: "order_lost" }],
  });
  await open(walk, "Rejected entries");
  const row = page.getByRole("row", { name: /order_lost/ });
  await hands.press(row.getByRole("button"));
  const entry = page.getByRole("dialog");
  await entry.getByText(/^Field "external_id" /).first().waitFor();
  await entry.getByText("Request ID", { exact: true }).waitFor();
  const fixed = JSON.stringify({ external_id: "user-1", name: "order_found" });
  await hands.type(entry.getByRole("textbox", { name: "Entry" }), fixed);
  await hands.press(entry.getByRole("button", { name: "Resend" }));
  await hands.press(entry.getByRole("link", { name: "View on the customer’s timeline" }));
  await page.getByRole("heading", { level: 1, name: "user-1" }).waitFor();
  await page.getByRole("button", { name: /order_found/ }).waitFor();
}

async function eraseCustomer({ page, hands }: Walk): Promise<void> {
  await hands.press(page.getByRole("button", { name: "Erase" }));
  await hands.type(page.getByLabel("Type user-1 to confirm"), "user-1");
  await hands.press(page.getByRole("button", { name: "Erase permanently" }));
  await page.getByText("user-1 erased").waitFor();
  await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
}

async function invite(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await open(walk, "Team");
  await hands.press(page.getByRole("button", { name: "Invite" }));
  const dialog = page.getByRole("dialog");
  await hands.type(dialog.getByLabel("Email"), "grace@example.com");
  await hands.choose(dialog.getByRole("combobox", { name: "Role" }), /Viewer/);
  await hands.press(dialog.getByRole("button", { name: "Invite" }));
  await dialog.getByText(/\/sign-up\?email=/).waitFor();
  await hands.press(dialog.getByRole("button", { name: "Done" }));
  await page.getByRole("row", { name: /grace@example.com Invited/ }).waitFor();
}

async function readUsage(walk: Walk): Promise<void> {
  await open(walk, "Usage");
  await walk.page.getByText(/^Bursts of up to/).first().waitFor();
  await walk.page.getByRole("heading", { name: "Throttled requests" }).waitFor();
}

async function readAuditLog(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await open(walk, "Audit log");
  const other = page.getByRole("row", { name: /Erased a customer/ });
  await other.waitFor();
  await hands.choose(page.getByRole("combobox", { name: "Action" }), "Invited a member");
  await other.waitFor({ state: "detached" });
  await page.getByRole("row", { name: /grace@example.com/ }).waitFor();
}

async function rotateSecret(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  await openWarehouse(walk);
  await hands.press(page.getByRole("button", { name: "More actions" }));
  await hands.press(page.getByRole("menuitem", { name: "Rotate secret" }));
  const dialog = page.getByRole("dialog", { name: "Rotate the signing secret" });
  await hands.press(dialog.getByRole("button", { name: "Rotate secret" }));
  await dialog.getByTestId("secret").waitFor();
  await hands.press(dialog.getByRole("button", { name: "Done" }));
}

async function resetPassword(walk: Walk): Promise<void> {
  const { page, hands, world } = walk;
  await hands.press(page.getByRole("button", { name: /sign out/ }));
  await hands.press(page.getByRole("menuitem", { name: "Sign out" }));
  await page.getByText("Welcome back.").waitFor();
  await hands.press(page.getByRole("link", { name: "Forgot your password?" }));
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await hands.type(page.getByLabel("Email"), owner);
  await hands.press(page.getByRole("button", { name: "Send code" }));
  const mail = await world.readMail(owner);
  await hands.type(page.getByLabel("Code"), /(\d{6})$/.exec(mail)?.[1] ?? "");
  await hands.type(page.getByRole("textbox", { name: "New password" }), newPassword);
  await hands.press(page.getByRole("button", { name: "Save and continue" }));
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

async function deleteWorkspace(walk: Walk): Promise<void> {
  const { page, hands } = walk;
  const first = new URL(page.url()).pathname;
  await hands.press(page.getByRole("button", { name: /Switch workspace/ }));
  await hands.press(page.getByRole("menuitem", { name: "New workspace" }));
  await hands.type(page.getByRole("dialog").getByLabel("Name"), "Trash");
  await hands.press(page.getByRole("dialog").getByRole("button", { name: "Create" }));
  await page.getByText("Listening for your first event").waitFor();
  await open(walk, "Settings");
  await hands.press(page.getByRole("button", { name: "Delete workspace" }));
  const dialog = page.getByRole("dialog");
  await hands.type(dialog.getByLabel("Type its name to confirm"), "Trash");
  await hands.press(dialog.getByRole("button", { name: "Delete workspace" }));
  await page.getByText("Trash deleted").waitFor();
  await page.waitForURL(new RegExp(`${first}$`));
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

/** Sends a signed webhook to a source. */
async function sendWebhook(address: string): Promise<void> {
  const body = JSON.stringify({ type: "invoice_paid", user: "user-7", data: { total: 12 } });
  const at = new Date();
  const response = await fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(senderSecret).sign("msg_1", at, body),
    },
    body,
  });
  await response.body?.cancel();
}
