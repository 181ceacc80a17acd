import { createClient } from "@supabase/supabase-js";
import assert from "node:assert/strict";
import type { StackInfo } from "../../local/stack.ts";
import { ApiCallError, createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { createTestDatabase } from "../../testing/postgres/database.ts";
import { startTestStack } from "../../testing/service/stack.ts";

function createApi({ base_url, api_key }: StackInfo) {
  return createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
}

async function trackCustomer({ base_url, api_key }: StackInfo, email: string): Promise<void> {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "identify", external_id: email, email, first_name: "Ada" }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Waits for the first mail to an address, and returns it with its parts. */
async function receive({ base_url }: StackInfo, to: string) {
  const list = await fetch(`${base_url}/inbox/api/mails?to=${to}&wait=30`);
  const { data } = await list.json();
  assert.equal(data.length, 1, `mails to ${to}`);
  return await (await fetch(`${base_url}/inbox/api/mails/${data[0].id}`)).json();
}

Deno.test("messages of the running stack arrive in its inbox", async (t) => {
  await using db = await createTestDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const { info } = stack;
  const api = createApi(info);

  await t.step("a send to a customer", async () => {
    const email = "ada@example.com";
    await trackCustomer(info, email);
    await api.call("PUT /templates/{id}", {
      params: { id: "welcome" },
      body: {
        name: "Welcome",
        subject: "Hello {{ customer.first_name }} 🎉",
        html: "<p>Order {{ trigger.order }}</p>",
      },
    });
    const body = {
      template: "welcome",
      sender: "inbox",
      external_id: email,
      data: { order: 7 },
      idempotency_key: "order-7",
    };
    const { send_id } = await api.call("POST /sends", { body });
    assert.deepEqual(await api.call("POST /sends", { body }), { send_id });
    const mail = await receive(info, email);
    assert.deepEqual(
      [mail.subject, mail.send_id, mail.from],
      ["Hello Ada 🎉", send_id, "Demo <demo@example.com>"],
    );
    assert.match(mail.html, /Order 7/);
    const sent = await api.call("GET /sends/{id}", { params: { id: send_id } });
    assert(["sending", "sent"].includes(sent.state), sent.state);
    assert.deepEqual([sent.subject, sent.message_id], [mail.subject, mail.message_id]);
    assert.match(sent.html ?? "", /<p>Order 7<\/p>/);
  });

  await t.step("a test of a sender", async () => {
    const to = "test@example.com";
    const params = { id: "inbox" };
    const result = await api.call("POST /senders/{id}/test", { params, body: { to } });
    assert.deepEqual([result.ok, result.outcome, result.status_code], [true, "sent", 250]);
    const mail = await receive(info, to);
    assert.deepEqual([mail.subject, mail.message_id], [
      "Test of the sender Inbox",
      result.message_id,
    ]);
  });

  await t.step("a test of a sender that cannot be reached", async () => {
    await api.call("PUT /senders/{id}", {
      params: { id: "broken" },
      body: {
        name: "Broken",
        provider: "smtp",
        from: "a@b.example",
        config: { host: "127.0.0.1", port: 9, secure: true },
      },
    });
    const params = { id: "broken" };
    const result = await api.call("POST /senders/{id}/test", {
      params,
      body: { to: "a@b.example" },
    });
    assert.deepEqual([result.ok, result.outcome], [false, "retry"]);
    const unknown = api.call("POST /senders/{id}/test", {
      params: { id: "nothing" },
      body: { to: "a@b.example" },
    });
    await assert.rejects(unknown, (error) => (error as ApiCallError).status === 404);
  });

  await t.step("an e-mail of Supabase Auth", async () => {
    const client = createClient(info.base_url, info.publishable_key, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    assert.equal((await client.auth.resetPasswordForEmail(info.user.email)).error, null);
    const mail = await receive(info, info.user.email);
    assert.equal(mail.from, "Supabase Auth <auth@localhost>");
    assert.match(mail.text, /\d{6}/);
  });

  await t.step("the page", async () => {
    const page = await fetch(`${info.base_url}/inbox`);
    assert.match(await page.text(), /Hello Ada 🎉/);
    const nowhere = await fetch(`${info.base_url}/inbox/nothing`);
    assert.equal(nowhere.status, 404);
    await nowhere.body?.cancel();
  });
});
