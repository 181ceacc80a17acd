import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import { createOwner, prepareSends } from "../../testing/service/api_sends.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

const steps = { end: { exit: {} } };

const condition = { field: "country", op: "eq", value: "DE" };
const definition = { trigger: { api: true }, start: "end", steps };

const smtp = {
  host: "mail.example.com",
  port: 587,
  secure: false,
  username: "shop",
  password: "secret",
};

/** Resources, a change to the same, and changes to something else. */
const resources: [list: string, body: object, same: object, ...others: object[]][] = [
  ["/topics", { key: "tips", name: "Tips", default: "subscribed" }, { name: "Tips" }, {
    name: "T",
  }],
  [
    "/segments",
    { name: "Germans", condition },
    { name: "Germans", condition },
    { name: "G" },
    { condition: { ...condition, value: "AT" } },
  ],
  ["/views", { list: "sends", name: "Sent" }, { name: "Sent", columns: null }, { name: "S" }],
  [
    "/journeys",
    { name: "Welcome", definition },
    { name: "Welcome", definition },
    { description: "Greets" },
    { definition: { ...definition, entry: { again: "never" } } },
  ],
  [
    "/campaigns",
    { name: "Sale", segment: "all", template: "news", sender: "main", topic: "news" },
    { name: "Sale" },
    { name: "S" },
  ],
  [
    "/alert-rules",
    { name: "Down", kind: "destination_failing" },
    { name: "Down" },
    { name: "D" },
  ],
  [
    "/destinations",
    { name: "Depot", url: "https://example.com/", event_types: ["*"] },
    { name: "Depot", enabled: true, headers: { "x-none": null } },
    { name: "D" },
    { enabled: false },
  ],
  [
    "/sources",
    { name: "Shop", scheme: "shopify", preset: "shopify" },
    { name: "Shop", enabled: true },
    { name: "S" },
  ],
  [
    "/templates",
    { name: "Hello", subject: "Hello", html: "<p>Hi</p>" },
    { name: "Hello", html: "<p>Hi</p>" },
    { name: "H" },
    { html: "<p>Ho</p>" },
  ],
  [
    "/senders",
    { name: "Post", provider: "inbox", from: "Acme <hello@acme.example>" },
    { name: "Post", provider: "inbox" },
    { name: "P" },
    { enabled: false },
  ],
];

/** Secrets, which are never shown: the same value again is a change too. */
const secrets: [list: string, body: object, change: object][] = [
  [
    "/destinations",
    { name: "Keyed", url: "https://example.com/", event_types: ["*"] },
    { headers: { "x-key": "secret" } },
  ],
  [
    "/senders",
    { name: "Mail", provider: "smtp", from: "Acme <hello@acme.example>", config: smtp },
    { config: smtp },
  ],
];

Deno.test("a change that changes nothing keeps updated_at, and leaves no entry in the audit log", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  await prepareSends(world, act);
  await act("POST", "/segments", { key: "all", name: "All", kind: "static" });
  const readEntry = async () => (await act("GET", "/audit-log?limit=1")).body.data[0];
  for (const [list, body, same, ...others] of resources) {
    await t.step(list, async () => {
      const { status, body: made } = await act("POST", list, body);
      assert.equal(status, 201, JSON.stringify(made));
      const path = `${list}/${made.id}`;
      const change = async (fields: object) => {
        const changed = await act("PATCH", path, fields);
        assert.equal(changed.status, 200, JSON.stringify(changed.body));
        return (await act("GET", path)).body?.updated_at ?? changed.body.updated_at;
      };
      let last = made.updated_at;
      let entry = await readEntry();
      const repeat = async (fields: object) => {
        assert.equal(await change(fields), last, JSON.stringify(fields));
        assert.equal((await readEntry()).id, entry.id, JSON.stringify(fields));
      };
      await repeat(same);
      for (const other of others) {
        const later = await change(other);
        assert.ok(later > last, `${JSON.stringify(other)} does not move ${last}`);
        entry = await readEntry();
        for (const field of Object.keys(other)) assert.ok(field in entry.details.changes, field);
        last = later;
        await repeat(other);
      }
    });
  }
});

Deno.test("a new secret moves updated_at, and leaves an entry in the audit log", async (t) => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  for (const [list, body, change] of secrets) {
    await t.step(list, async () => {
      const { status, body: made } = await act("POST", list, body);
      assert.equal(status, 201, JSON.stringify(made));
      let last = made.updated_at;
      for (let n = 1; n <= 2; n++) {
        const { body: { updated_at } } = await act("PATCH", `${list}/${made.id}`, change);
        assert.ok(updated_at > last, `${updated_at} is not after ${last}`);
        last = updated_at;
        const { body: { data } } = await act("GET", "/audit-log");
        const own = data.filter(({ entity_id }: { entity_id: string }) => entity_id === made.id);
        assert.equal(own.length, n + 1);
      }
    });
  }
});

Deno.test("a workspace and a customer that get the values they have leave no entry in the audit log", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const readEntry = async () => (await act("GET", "/audit-log?limit=1")).body.data[0]?.id;
  const [customerId] = await ingestFor(world.sql, world.workspaceId, [
    { kind: "identify", external_id: "ada", profile: { first_name: "Ada" } },
  ]);
  const changes: [path: string, change: object][] = [
    [`/workspaces/${world.workspaceId}`, { caps: [{ max: 3, per: "7d" }], track_opens: false }],
    [`/workspaces/${world.workspaceId}`, { quiet_hours: { from: "21:00", to: "08:00" } }],
    [`/workspaces/${world.workspaceId}`, { name: "Acme", timezone: "Europe/Berlin" }],
    [`/customers/${customerId}`, { last_name: "Byron", attributes: { plan: "pro" } }],
  ];
  for (const [path, change] of changes) {
    const before = await readEntry();
    const { body: changed } = await act("PATCH", path, change);
    const entry = await readEntry();
    assert.notEqual(entry, before, path);
    for (const same of [change, {}]) {
      const { status, body } = await act("PATCH", path, same);
      assert.deepEqual([status, body.updated_at], [200, changed.updated_at], path);
      assert.equal(await readEntry(), entry, `${path} ${JSON.stringify(same)}`);
    }
  }
});

Deno.test("a sender may be sent the provider that it has", async () => {
  await using world = await createApiWorld();
  const act = await createOwner(world);
  const sender = {
    name: "Mail",
    provider: "smtp",
    from: "Acme <hello@acme.example>",
    config: smtp,
  };
  const { body: made } = await act("POST", "/senders", sender);
  const { status, body } = await act("PATCH", `/senders/${made.id}`, { provider: "smtp" });
  assert.deepEqual([status, body.updated_at], [200, made.updated_at]);
});
