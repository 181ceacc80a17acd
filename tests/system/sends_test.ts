import assert from "node:assert/strict";
import postgres from "postgres";
import { createApiKey } from "../../testing/data/factories.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const scopes = [
  "track:write",
  "customers:read",
  "templates:write",
  "topics:write",
  "senders:write",
  "sends:write",
  "sends:read",
  "events:read",
];

Deno.test("POST /api/sends sends by SMTP and by HTTP in the local stack", async () => {
  await using stack = await startTestStack();
  const { base_url, db_url, workspace_id } = stack.info;
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  const key = await createApiKey(sql, { workspaceId: workspace_id, scopes });
  await sql.end();
  const bodies: Record<string, unknown>[] = [];
  await using provider = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      bodies.push(await request.json());
      return Response.json({ id: "r-1" });
    },
  );
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base_url}/functions/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const result = await response.json();
    assert(response.ok, `${method} ${path}: ${JSON.stringify(result)}`);
    return result;
  };
  await call("POST", "/track", {
    type: "identify",
    external_id: "ada",
    email: "ada@example.com",
    first_name: "Ada",
  });
  await call("PUT", "/api/templates/hello", {
    name: "Hello",
    subject: "Hello {{ customer.first_name }} {{ trigger.order }}",
    html: '<p>Hi</p><a href="{{ unsubscribe_url }}">Leave</a>',
  });
  await call("PUT", "/api/topics/news", { name: "News", default: "subscribed" });
  const from = "Acme <hello@acme.example>";
  await call("PUT", "/api/senders/inbox", { name: "Inbox", provider: "inbox", from });
  await call("PUT", "/api/senders/resend", {
    name: "Resend",
    provider: "resend",
    from,
    config: { api_key: "secret", base_url: `http://127.0.0.1:${provider.addr.port}` },
  });
  for (const sender of ["inbox", "resend"]) {
    const { send_id } = await call("POST", "/api/sends", {
      template: "hello",
      sender,
      topic: "news",
      external_id: "ada",
      data: { order: sender },
    });
    let send = await call("GET", `/api/sends/${send_id}`);
    while (["queued", "sending"].includes(send.state)) {
      send = await call("GET", `/api/sends/${send_id}`);
    }
    assert.equal(send.state, "sent", JSON.stringify(send));
    assert.equal(send.subject, `Hello Ada ${sender}`);
  }
  assert.deepEqual(bodies.map(({ to, subject }) => [to, subject]), [
    [["ada@example.com"], "Hello Ada resend"],
  ]);
  const mails = await (await fetch(`${base_url}/inbox/api/mails`)).json();
  assert.match(JSON.stringify(mails), /Hello Ada inbox/);
});
