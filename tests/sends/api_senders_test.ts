import assert from "node:assert/strict";
import { createSecretBox } from "../../supabase/functions/_shared/secrets/secrets.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

async function createAdmin(world: ApiWorld) {
  const token = await world.signInAs("admin");
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId: world.workspaceId, body });
}

const smtp = { host: "mail.acme.example", port: 465, secure: true };
const sender = {
  name: "Acme",
  provider: "smtp",
  from: "Acme <hello@acme.example>",
  config: { ...smtp, username: "acme", password: "hunter2" },
};

/** Decrypts the stored secret of a sender. */
async function readSecret({ sql, workspaceId }: ApiWorld, id: string): Promise<unknown> {
  const [row] = await sql<{ ciphertext: string }[]>`
    select s.ciphertext from private.sender_secrets as s where s.sender_id = ${id}`;
  if (row === undefined) return null;
  const box = await createSecretBox(btoa(String.fromCharCode(...new Uint8Array(32))));
  return JSON.parse(await box.decrypt({ kind: "sender", workspaceId, id }, row.ciphertext));
}

Deno.test("a sender is created, changed, disabled and deleted, by id or key", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const created = await act("POST", "/senders", { key: "main", ...sender });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { id, created_at, updated_at, ...shown } = created.body;
  assert.deepEqual(shown, {
    key: "main",
    name: "Acme",
    provider: "smtp",
    from: "Acme <hello@acme.example>",
    reply_to: null,
    config: { ...smtp, username: "acme" },
    rate_per_second: null,
    max_concurrency: 10,
    on_unknown: "stop",
    enabled: true,
    disabled_by: null,
    disabled_reason: null,
    health: {
      state: "unused",
      pending: 0,
      next_attempt_at: null,
      ok_24h: 0,
      failed_24h: 0,
      bounce_rate_24h: null,
      complaint_rate_24h: null,
      last_success_at: null,
      last_failure_at: null,
      last_error: null,
    },
    rate_allowed: null,
    rate_reached: 0,
    limited_by: null,
    used_by: [],
  });
  assert.equal(created_at, updated_at);
  assert.equal((await act("POST", "/senders", { key: "main", ...sender })).status, 409);
  assert.equal((await act("GET", "/senders/main")).body.id, id);

  const changed = await act("PATCH", `/senders/${id}`, { enabled: false, rate_per_second: 5 });
  const { enabled, disabled_by, rate_allowed, health } = changed.body;
  assert.deepEqual(
    [enabled, disabled_by, rate_allowed, health.state],
    [false, "member", 5, "disabled"],
  );
  assert.deepEqual(changed.body.config, { ...smtp, username: "acme" });

  const put = await act("PUT", "/senders/main", {
    name: "Main",
    provider: "resend",
    from: "hello@acme.example",
    config: { api_key: "re_1" },
  });
  assert.deepEqual([put.status, put.body.id, put.body.config], [200, id, {}]);
  assert.deepEqual([put.body.enabled, put.body.rate_per_second], [true, null]);
  assert.deepEqual(await readSecret(world, id), { api_key: "re_1" });
  const made = await act("PUT", "/senders/other", { ...sender, name: "Other" });
  assert.deepEqual([made.status, made.body.key], [201, "other"]);
  assert.equal((await act("PUT", `/senders/${crypto.randomUUID()}`, sender)).status, 404);
  assert.equal((await act("PATCH", "/senders/other", { key: "main" })).status, 409);
  assert.equal((await act("DELETE", "/senders/other")).status, 204);
  const { body } = await act("GET", "/senders");
  assert.deepEqual(body.data.map(({ key }: { key: string }) => key), ["main"]);
});

Deno.test("PUT takes a sender with the key of its path, and renames one by its id", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const written = { key: "main", ...sender };
  const { status, body: { id } } = await act("PUT", "/senders/main", written);
  assert.equal(status, 201);
  assert.equal((await act("PUT", "/senders/main", written)).status, 200);
  const other = await act("PUT", "/senders/main", { ...written, key: "other" });
  assert.deepEqual([other.status, other.body.details[0].field], [400, "key"]);
  const renamed = await act("PUT", `/senders/${id}`, { ...written, key: "shop" });
  assert.deepEqual([renamed.status, renamed.body.key], [200, "shop"]);
  await act("PUT", "/senders/main", written);
  assert.equal((await act("PUT", `/senders/${id}`, written)).status, 409);
});

Deno.test("a sender's secret is encrypted for it alone and never shown", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const { body: { id } } = await act("POST", "/senders", sender);
  assert.deepEqual(await readSecret(world, id), { password: "hunter2" });
  for (const path of ["/senders", `/senders/${id}`, "/audit-log"]) {
    assert(!JSON.stringify((await act("GET", path)).body).includes("hunter2"), path);
  }
  const [row] = await world.sql`select s::text as text from public.senders as s`;
  assert(!row!.text.includes("hunter2"));
});

Deno.test("a secret is kept only for the address that it was given for", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const { body: { id } } = await act("POST", "/senders", sender);
  const open = { ...smtp, username: "acme" };
  const kept = await act("PATCH", `/senders/${id}`, { config: { ...open, port: 2465 } });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  assert.deepEqual(await readSecret(world, id), { password: "hunter2" });
  const moved = { ...open, host: "evil.example" };
  const refused = await act("PATCH", `/senders/${id}`, { config: moved });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.details, [{
    field: "config.password",
    message: "is required, because the address it is sent to changes",
  }]);
  assert.equal((await act("PUT", `/senders/${id}`, { ...sender, config: moved })).status, 400);
  const provider = await act("PATCH", `/senders/${id}`, { provider: "resend", config: {} });
  assert.equal(provider.body.details[0].field, "config.api_key");
  const again = await act("PATCH", `/senders/${id}`, { config: { ...moved, password: "new" } });
  assert.equal(again.status, 200);
  assert.deepEqual(await readSecret(world, id), { password: "new" });
  const removed = await act("PATCH", `/senders/${id}`, { config: { ...moved, password: null } });
  assert.equal(removed.status, 200);
  assert.equal(await readSecret(world, id), null);
});

/** Fields that are refused, with the field and sentence of the refusal. */
const badSenders: [Record<string, unknown>, string, RegExp][] = [
  [{ provider: "fax" }, "provider", /must be one of/],
  [{ from: "nobody" }, "from", /must be an address/],
  [{ from: "Eve\r\nBcc: x@y.z <a@b.example>" }, "from", /must be an address/],
  [{ from: "Acme <a@b.example> <c@d.example>" }, "from", /must be an address/],
  [{ reply_to: "a b@c.example" }, "reply_to", /must be an address/],
  [{ config: {} }, "config.host", /required/],
  [{ config: { ...smtp, host: "10.0.0.1", password: "x" } }, "config.host", /public internet/],
  [{ config: { ...smtp, host: "a.example/x?", password: "x" } }, "config.host", /must be a host/],
  [{ config: { ...smtp, port: 70_000 } }, "config.port", /from 1 to 65535/],
  [{ config: { ...smtp, username: "a" } }, "config.password", /is required$/],
  [{ config: { ...smtp, tls: true } }, "config.tls", /unknown/],
  [{ provider: "resend", config: {} }, "config.api_key", /is required$/],
  [
    { provider: "resend", config: { api_key: "x", base_url: "http://resend.example" } },
    "config.base_url",
    /./,
  ],
  [
    {
      provider: "ses",
      config: { access_key_id: "a", secret_access_key: "b", region: "x.evil.example/" },
    },
    "config.region",
    /must be a region/,
  ],
  [{ max_concurrency: 101 }, "max_concurrency", /1 to 100/],
  [{ key: crypto.randomUUID() }, "key", /UUID/],
];

Deno.test("a sender that cannot work is refused with the field that is wrong", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  for (const [bad, field, message] of badSenders) {
    const { status, body } = await act("POST", "/senders", { ...sender, ...bad });
    const title = JSON.stringify(bad);
    // The world allows the loopback range, and with it http.
    if (title.includes("http://resend.example")) continue;
    assert.equal(status, 400, title);
    assert.equal(body.details[0].field, field, title);
    assert.match(body.details[0].message, message, title);
  }
});

Deno.test("on the hosted platform a sender cannot use the ports that are closed there", async () => {
  await using world = await createApiWorld({ isHosted: true });
  const act = await createAdmin(world);
  for (const port of [25, 587]) {
    const { body } = await act("POST", "/senders", { ...sender, config: { ...smtp, port } });
    assert.deepEqual(body.details, [{
      field: "config.port",
      message: "must be 465 on the hosted platform: ports 25 and 587 are closed there",
    }]);
  }
  assert.equal((await act("POST", "/senders", sender)).status, 201);
});

Deno.test("a test mail goes to the caller's own address unless another one is given", async () => {
  const requests: Record<string, string>[] = [];
  await using world = await createApiWorld({
    async fetchSenderTest(request) {
      requests.push({ ...await request.json(), apikey: request.headers.get("apikey") });
      return Response.json({
        ok: false,
        outcome: "failed",
        reason: "unauthorized",
        status_code: 535,
        response: "535 wrong password",
        provider_id: null,
        message_id: "<1@acme.example>",
        duration_ms: 12,
      });
    },
  });
  const act = await createAdmin(world);
  const { body: { id } } = await act("POST", "/senders", { key: "main", ...sender });
  const tested = await act("POST", "/senders/main/test", { to: "ada@example.com" });
  assert.deepEqual([tested.status, tested.body.ok, tested.body.reason], [
    202,
    false,
    "unauthorized",
  ]);
  assert.deepEqual(requests, [{
    cell: "00",
    workspace_id: world.workspaceId,
    sender_id: id,
    to: "ada@example.com",
    apikey: "sb_secret_dispatch",
  }]);
  const key = await world.createKey(["senders:write"]);
  const byKey = await world.send({
    method: "POST",
    path: "/senders/main/test",
    token: key,
    body: {},
  });
  assert.deepEqual(byKey.body.details, [{ field: "to", message: "is required for a key" }]);
});

Deno.test("a test mail is 503 without send-dispatch", async () => {
  await using world = await createApiWorld({
    fetchSenderTest: () => Promise.resolve(new Response("", { status: 500 })),
  });
  const act = await createAdmin(world);
  await act("POST", "/senders", { key: "main", ...sender });
  const { status, body } = await act("POST", "/senders/main/test", { to: "a@b.example" });
  assert.deepEqual([status, body.code], [503, "unavailable"]);
});

Deno.test("the DNS check reads the records of the sender's domain", async () => {
  const records: Record<string, string[]> = {
    "acme.example": ["v=spf1 include:amazonses.com ~all", "other"],
    "resend._domainkey.acme.example": ["p=MIGfMA0"],
    "_dmarc.acme.example": ["v=DMARC1; p=reject"],
  };
  await using world = await createApiWorld({
    lookUpText: (name) => Promise.resolve(records[name] ?? []),
  });
  const act = await createAdmin(world);
  const config = { api_key: "re_1" };
  await act("POST", "/senders", { key: "main", ...sender, provider: "resend", config });
  const good = await act("GET", "/senders/main/dns");
  assert.deepEqual([good.status, good.body.domain, good.body.ok], [200, "acme.example", true]);
  const bad = await act("GET", "/senders/main/dns?selector=other");
  assert.equal(bad.body.ok, false);
  const { record, name, state } = bad.body.checks[1];
  assert.deepEqual([record, name, state], ["dkim", "other._domainkey.acme.example", "missing"]);
  assert.equal((await act("GET", "/senders/main/dns?selector=a.b")).status, 400);
});

Deno.test("the figures of a sender count the outcomes of each hour or day, of its workspace only", async () => {
  const now = new Date("2026-05-20T10:30:00Z");
  await using world = await createApiWorld({ now: () => now });
  const act = await createAdmin(world);
  const { body: { id } } = await act("POST", "/senders", { key: "main", ...sender });
  const strange = await act("POST", "/senders", { key: "other", ...sender });
  await world.sql`
    insert into public.sender_stats (
      workspace_id, sender_id, hour, sent, failed, skipped, unknown, retried, bounced, complained
    )
    select ${world.workspaceId}, o.id, o.hour::timestamptz, o.sent, 2, 3, 4, 5, 6, 7
    from (
      values
        (${id}::uuid, '2026-05-18T23:00Z', 100), (${id}, '2026-05-19T09:00Z', 50),
        (${id}, '2026-05-19T10:00Z', 10), (${id}, '2026-05-20T10:00Z', 1),
        (${strange.body.id}, '2026-05-20T10:00Z', 1000)
    ) as o (id, hour, sent)`;
  const hours = await act("GET", "/senders/main/stats");
  assert.equal(hours.status, 200, JSON.stringify(hours.body));
  assert.deepEqual(hours.body.totals, {
    sent: 11,
    failed: 4,
    skipped: 6,
    unknown: 8,
    retried: 10,
    bounced: 12,
    complained: 14,
  });
  assert.equal(hours.body.data.length, 25);
  assert.equal(hours.body.since, "2026-05-19T10:00:00.000Z");
  const nothing = Object.fromEntries(Object.keys(hours.body.totals).map((name) => [name, 0]));
  assert.deepEqual(hours.body.data[1], { at: "2026-05-19T11:00:00.000Z", ...nothing });
  assert.deepEqual(hours.body.data[24].sent, 1);
  const path = `/senders/${id}/stats?interval=day&since=2026-05-18T12:00:00Z`;
  const days = await act("GET", path);
  assert.deepEqual(
    days.body.data.map(({ at, sent }: { at: string; sent: number }) => [at, sent]),
    [
      ["2026-05-18T00:00:00.000Z", 100],
      ["2026-05-19T00:00:00.000Z", 60],
      ["2026-05-20T00:00:00.000Z", 1],
    ],
  );
  const unknown = await act("GET", `/senders/${crypto.randomUUID()}/stats`);
  assert.equal(unknown.status, 404);
  const reversed = await act("GET", "/senders/main/stats?since=2026-05-21T00:00:00Z");
  assert.deepEqual(reversed.body.details, [{ field: "since", message: "must be before until" }]);
});

Deno.test("the health of a sender has its rates of bounces and complaints in 24 hours", async () => {
  await using world = await createApiWorld();
  const act = await createAdmin(world);
  const { body: { id } } = await act("POST", "/senders", { key: "main", ...sender });
  const rates = async () => {
    const { body: { health } } = await act("GET", "/senders/main");
    return [health.bounce_rate_24h, health.complaint_rate_24h];
  };
  await world.sql`
    insert into public.sender_stats (
      workspace_id, sender_id, hour, sent, failed, refused, skipped, bounced, complained
    )
    select
      ${world.workspaceId}, ${id}, date_trunc('hour', now()) - o.age, o.sent, 10, o.refused, 9, 3, 1
    from (
      values (interval '1 hour', 195, 5), (interval '2 hours', 400, 0), (interval '25 hours', 7, 0)
    ) as o (age, sent, refused)`;
  assert.deepEqual(await rates(), [1, 0.34], "what failed for another reason does not count");
  await world.sql`update public.sender_stats set sent = 0, refused = 0`;
  assert.deepEqual(await rates(), [null, null], "nothing was sent");
  // A report may arrive just before the hour changes, and the result of the message just after.
  await world.sql`update public.sender_stats set sent = 1`;
  assert.deepEqual(await rates(), [100, 100]);
});
