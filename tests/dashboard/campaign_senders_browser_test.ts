import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { checkLooks } from "../../testing/browser/check_pages.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

Deno.test("a campaign whose sender fails says so in its page, its list and its dialog", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id: senderId } = await api.call("POST /senders", {
    body: {
      name: "Dead",
      provider: "smtp",
      from: "Dead <dead@example.com>",
      // Nothing listens there.
      config: { host: "127.0.0.1", port: 1, secure: false },
    },
  });
  const id = await sendCampaign(world, senderId);
  await waitFor(async () => {
    const { health } = await api.call("GET /senders/{id}", { params: { id: senderId } });
    return health.state === "failing" || undefined;
  });
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const notice = page.getByRole("alert").filter({ hasText: "The sender Dead is failing" });

  await t.step("the list does not call it sending", async () => {
    await page.goto(`${workspace}/campaigns`);
    const row = page.getByRole("row", { name: /Winter/ });
    await row.getByText("Stalled").waitFor();
    await row.getByText("Dead is failing").waitFor();
    await checkLooks(page);
  });

  await t.step("its page says why, what waits, and leads to the sender", async () => {
    await page.getByRole("link", { name: /Winter/ }).click();
    await page.getByRole("heading", { level: 1, name: /Stalled/ }).waitFor();
    await notice.getByText(/1 email waiting/).waitFor();
    await checkLooks(page);
    await notice.getByRole("link", { name: "Open the sender" }).click();
    await page.getByRole("heading", { level: 1, name: /Dead/ }).waitFor();
  });

  await t.step("while it is paused, its page and the dialog to resume it say so", async () => {
    await api.call("POST /campaigns/{id}/pause", { params: { id } });
    await page.goto(`${workspace}/campaigns/${id}`);
    await page.getByText(/^Paused by /).waitFor();
    await notice.waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    const dialog = page.getByRole("dialog", { name: "Resume this campaign?" });
    await dialog.getByText("The sender Dead is failing").waitFor();
    await checkLooks(page);
  });

  await t.step("a draft with a disabled sender says so in its review", async () => {
    await api.call("PATCH /senders/{id}", { params: { id: senderId }, body: { enabled: false } });
    const draft = await api.call("POST /campaigns", {
      body: { name: "Draft", segment: "one", template: "winter", sender: senderId },
    });
    await page.goto(`${workspace}/campaigns/${draft.id}`);
    await page.getByRole("list", { name: "Before you send" })
      .getByText("The sender Dead is disabled").waitFor();
    await page.getByRole("alert").filter({ hasText: "The sender Dead is disabled" }).waitFor();
    await checkLooks(page);
  });
});

type World = Awaited<ReturnType<typeof openDashboardWorld>>;

/** Sends a campaign to one person; returns its id. */
async function sendCampaign({ info }: World, sender: string): Promise<string> {
  const api = createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
  const email = "one@example.com";
  await fetch(`${info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${info.api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ events: [{ type: "identify", external_id: "one", email }] }),
  }).then((response) => response.json());
  const segment = await api.call("POST /segments", {
    body: { key: "one", name: "One", kind: "static" },
  });
  await api.call("PUT /segments/{id}/customers", {
    params: { id: segment.id },
    body: { emails: [email] },
  });
  await api.call("POST /templates", {
    body: { key: "winter", name: "Winter mail", subject: "Winter", html: "<p>Winter</p>" },
  });
  const { id } = await api.call("POST /campaigns", {
    body: { name: "Winter", segment: "one", template: "winter", sender },
  });
  await api.call("POST /campaigns/{id}/send", { params: { id }, body: {} });
  return id;
}
