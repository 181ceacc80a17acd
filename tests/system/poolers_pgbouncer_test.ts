import assert from "node:assert/strict";
import postgres from "postgres";
import { bundleUploads } from "../../testing/service/bundle_uploads.ts";
import {
  createHostedWorld,
  type HostedWorld,
  type Tenant,
} from "../../testing/service/hosted_world.ts";
import {
  createLogins,
  documentedLogins,
  loginsOfFunctions,
} from "../../testing/postgres/documented_logins.ts";
import { type OwnServer, startOwnServer } from "../../testing/postgres/own_server.ts";
import { type PgBouncerOptions, startPgBouncer } from "../../testing/postgres/pgbouncer.ts";
import type { Pooler } from "../../testing/postgres/pooler.ts";

const rounds = 40;

const uploads = await bundleUploads();

type Settings = Pick<PgBouncerOptions, "mode" | "ignored">;

async function startBouncer({ db: { url } }: OwnServer, settings: Settings): Promise<Pooler> {
  const owner = decodeURIComponent(new URL(url).password);
  // In transaction mode so few that clients have to share them.
  const size = settings.mode === "transaction" ? 2 : 10;
  const logins = { ...documentedLogins(), postgres: owner };
  return await startPgBouncer({ ...settings, url, size, logins });
}

/** Stores a customer of the tenant's own. */
async function trackCustomer(world: HostedWorld, { key, workspaceId }: Tenant): Promise<void> {
  const body = { type: "identify", external_id: workspaceId, email: `${workspaceId}@example.com` };
  const { status } = await world.call("track", { path: "", token: key, body });
  assert.equal(status, 200);
}

/** Asserts that the tenant sees its own customer and no other, by the key or by the session. */
async function assertOwn(world: HostedWorld, tenant: Tenant, by: "key" | "token"): Promise<void> {
  const { status, body } = await world.call("api", {
    path: "/customers",
    token: tenant[by],
    headers: { "x-workspace-id": tenant.workspaceId },
  });
  assert.equal(status, 200, JSON.stringify(body));
  const found = body.data.map((customer: { external_id: string }) => customer.external_id);
  assert.deepEqual(found, [tenant.workspaceId]);
}

/** Settings that requests of others left on the connections that clients of this login share. */
async function readSettings(bouncer: Pooler, login: string) {
  const sql = postgres(bouncer.urlOf(login), { max: 2, fetch_types: false, prepare: false });
  const read = () =>
    sql.begin(async (tx) => {
      const [row] = await tx`
        select
          current_user as role, current_setting('statement_timeout') as timeout,
          coalesce(current_setting('signalpost.workspace_id', true), '') as workspace,
          coalesce(current_setting('request.jwt.claims', true), '') as claims, pg_sleep(0.2)
      `;
      return row;
    });
  const rows = await Promise.all([read(), read()]);
  await sql.end();
  return rows.map((row) => [row!.role, row!.timeout, row!.workspace, row!.claims]);
}

for (const mode of ["session", "transaction"] as const) {
  Deno.test(`every function serves behind a PgBouncer in ${mode} mode`, async (t) => {
    await using server = await startOwnServer();
    await createLogins(server.db.sql);
    await using bouncer = await startBouncer(server, { mode });
    await using world = await createHostedWorld(uploads, {
      deno: Deno.execPath(),
      server,
      environment: (name) => ({
        SUPABASE_DB_URL: bouncer.urlOf(loginsOfFunctions[name]!),
        DATABASE_POOLER: mode,
      }),
    });

    await t.step("tracked events are stored once and delivered", async () => {
      await world.createDestination();
      await world.createSource();
      await using load = world.startLoad();
      await world.whileServing(load.acknowledged(100));
      const eventIds = await world.whileServing(load.stop());
      assert.deepEqual(await world.findLost(eventIds), []);
      await world.whileServing(world.delivered(eventIds));
      const webhook = await world.receiveWebhook({ id: "evt_1", user: "ada" });
      assert.equal(webhook.body.accepted, 1, JSON.stringify(webhook.body));
    });

    await t.step("no caller sees another's data, by key or by session", async () => {
      const tenants = await Promise.all([1, 2, 3].map(() => world.addTenant()));
      await Promise.all(tenants.map((tenant) => trackCustomer(world, tenant)));
      const reads = Array.from(
        { length: rounds },
        (_, n) => assertOwn(world, tenants[n % 3]!, n % 2 === 0 ? "key" : "token"),
      );
      await Promise.all(reads);
    });

    await t.step("no setting of a caller remains, and the timeout applies", async () => {
      for (const login of Object.values(loginsOfFunctions)) {
        const expected = [login, "10s", "", ""];
        assert.deepEqual(await readSettings(bouncer, login), [expected, expected]);
      }
    });

    await t.step("a pooler outage causes 503 until it is back", async () => {
      await bouncer.end();
      const calls = () =>
        Promise.all([
          world.track("while-it-is-gone"),
          world.readCustomer("ada"),
          world.receiveWebhook({ id: "evt_2", user: "ada" }),
        ]);
      // A function that still holds a connection learns from the first call that it is gone.
      await calls();
      assert.deepEqual((await calls()).map(({ status }) => status), [503, 503, 503]);
      await bouncer.start();
      let statuses: number[];
      do statuses = (await calls()).map(({ status }) => status); while (statuses.includes(503));
      assert.deepEqual(statuses, [200, 200, 200]);
    });
  });
}

const mistakes: Record<string, { settings: Settings; pooler: string; reason: string }> = {
  "a session pooler": {
    settings: { mode: "session" },
    pooler: "session",
    reason: 'SUPABASE_DB_URL leads to role \\"postgres\\", which is a superuser',
  },
  "a transaction pooler": {
    settings: { mode: "transaction" },
    pooler: "transaction",
    reason: 'SUPABASE_DB_URL leads to role \\"postgres\\", which is a superuser',
  },
  "a pooler that is not named and drops the role": {
    settings: { mode: "transaction", ignored: ["role", "statement_timeout", "jit"] },
    pooler: "",
    reason: 'SUPABASE_DB_URL leads to role \\"postgres\\", which is a superuser',
  },
  "a pooler that is not named and refuses the role": {
    settings: { mode: "session" },
    pooler: "",
    reason: "SUPABASE_DB_URL was refused: unsupported startup parameter",
  },
};

Deno.test("no function serves with the owner's login behind a pooler", async (t) => {
  await using server = await startOwnServer();
  await createLogins(server.db.sql);
  for (const [which, { settings, pooler, reason }] of Object.entries(mistakes)) {
    await t.step(which, async () => {
      await using bouncer = await startBouncer(server, settings);
      const variables = { SUPABASE_DB_URL: bouncer.urlOf("postgres"), DATABASE_POOLER: pooler };
      await using world = await createHostedWorld(uploads, {
        deno: Deno.execPath(),
        server,
        environment: () => variables,
      });
      await assertRefused(world, reason);
    });
  }
});

async function assertRefused(world: HostedWorld, reason: string): Promise<void> {
  const { key } = await world.addTenant();
  const calls = {
    track: { path: "", token: key, body: { anon_id: "a", name: "viewed" } },
    inbound: { path: `/${crypto.randomUUID()}`, body: {} },
    api: { path: "/customers", token: key },
    "webhook-dispatch": { path: "", headers: { apikey: "any" } },
    "send-dispatch": { path: "", headers: { apikey: "any" } },
  };
  for (const [name, call] of Object.entries(calls)) {
    const { status, body } = await world.call(name, call);
    assert.deepEqual([status, body.code], [503, "unavailable"], name);
    const { printed } = world.functions.get(name)!;
    assert(await printed.waitFor((text) => text.includes(reason)), printed.text());
  }
}
