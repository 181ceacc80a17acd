import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import type postgres from "postgres";
import { generateApiKey } from "../../supabase/functions/_shared/access/keys.ts";
import type { Tenant } from "./tenants.ts";

/** One request of an attack: to a function, and the path below its address. */
export type AttackRequest = RequestInit & { to: "api" | "inbound" | "track"; path: string };

export interface Attack {
  /** Number of concurrent requests. */
  callers: number;
  /** Sets up the tenant with the rights of a free workspace. Its result goes to `start` as JSON. */
  prepare(tenant: Tenant, sql: postgres.Sql): Promise<unknown>;
  /** Makes the requests, from the number of each. */
  start(setUp: unknown): Promise<(n: number) => AttackRequest | Promise<AttackRequest>>;
}

const bulk = 500;
const destinations = 50;
const keysPerIdentify = 290;
const identifies = 40;
const searched = 200_000;

/** Every kind of hostile tenant, by what it does. */
export const attacks: Readonly<Record<string, Attack>> = {
  "inbound: a mapping that copies 200 kB a hundred times": inboundAttack({
    properties: Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`p${i}`, ""]),
    ),
    payload: JSON.stringify({ type: "x", user: "u", text: "x".repeat(200_000) }),
  }),
  "inbound: 100,000 items in a payload of 200 kB": inboundAttack({
    properties: {},
    payload: `[${"1,".repeat(100_000)}1]`,
  }),
  "inbound: 1,000 items of a hundred constants": inboundAttack({
    properties: Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`p${i}`, { value: "c".repeat(100) }]),
    ),
    payload: `[${Array.from({ length: 1_000 }, (_, i) => `{"type":"x","user":"u${i}"}`)}]`,
  }),
  "track: bulks of new customers to 50 destinations": {
    callers: 3,
    async prepare(tenant) {
      for (let i = 0; i < destinations; i++) {
        await tenant.post("/destinations", {
          name: `Destination ${i}`,
          url: "http://127.0.0.1:1025/hooks",
          event_types: ["*"],
        });
      }
      return tenant.apiKey;
    },
    start: (key) =>
      trackAttack(key, (n) => ({
        events: Array.from({ length: bulk }, (_, i) => ({
          external_id: `new-${n}-${i}-${crypto.randomUUID()}`,
          name: "order_created",
        })),
      })),
  },
  "track: attributes of one customer without end": keyOnly(3, (n) => ({
    events: Array.from({ length: identifies }, (_, i) => ({
      type: "identify",
      external_id: "one",
      attributes: Object.fromEntries(
        Array.from({ length: keysPerIdentify }, (_, k) => [`k-${n}-${i}-${k}`, "v".repeat(60)]),
      ),
    })),
  })),
  "track: ids of one customer without end": keyOnly(3, (n) => ({
    events: Array.from({ length: bulk }, (_, i) => ({
      type: "identify",
      external_id: "kiosk",
      anon_id: `browser-${n}-${i}-${crypto.randomUUID()}`,
    })),
  })),
  "track: 5 MiB of numbers in 12 kB of gzip": {
    callers: 4,
    prepare: (tenant) => Promise.resolve(tenant.apiKey),
    start(key) {
      const numbers = "12345678901234567,".repeat(290_000);
      const text = `{"external_id":"u","name":"x","properties":{"n":[${numbers}1]}}`;
      const body = Uint8Array.from(gzipSync(text));
      const headers = { ...jsonHeaders(key), "content-encoding": "gzip" };
      const request = { to: "track", path: "", method: "POST", headers, body } as const;
      return Promise.resolve(() => request);
    },
  },
  "api: searches of 200,000 customers": {
    callers: 8,
    async prepare(tenant, sql) {
      await sql`
        insert into public.customers (workspace_id, email, first_name, last_name)
        select ${tenant.workspaceId}, 'xmail' || i || '@example.com', 'xfirst' || i, 'last' || i
        from generate_series(1, ${searched}) as i`;
      return tenant.apiKey;
    },
    start(key) {
      const texts = ["x", "xfirst1", "xa", "last19"];
      return Promise.resolve((n) => ({
        to: "api",
        path: `/customers?limit=200&q=${texts[n % texts.length]}`,
        headers: jsonHeaders(key),
      }));
    },
  },
  "track: keys that do not exist": {
    callers: 8,
    prepare: () => Promise.resolve(null),
    async start() {
      const keys: string[] = [];
      for (let i = 0; i < 5_000; i++) keys.push((await generateApiKey()).key);
      return (n) => ({
        to: "track",
        path: "",
        method: "POST",
        headers: jsonHeaders(keys[n % keys.length]),
        body: '{"external_id":"u","name":"x"}',
      });
    },
  },
};

function keyOnly(callers: number, write: (n: number) => unknown): Attack {
  return {
    callers,
    prepare: (tenant) => Promise.resolve(tenant.apiKey),
    start: (key) => trackAttack(key, write),
  };
}

function trackAttack(key: unknown, write: (n: number) => unknown) {
  // Written beforehand: the attacker's own work must not slow the machine.
  const bodies = Array.from({ length: 20 }, (_, n) => JSON.stringify(write(n)));
  return Promise.resolve((n: number): AttackRequest => ({
    to: "track",
    path: "",
    method: "POST",
    headers: jsonHeaders(key),
    body: bodies[n % bodies.length]!,
  }));
}

function jsonHeaders(key: unknown) {
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}

interface InboundAttack {
  properties: Record<string, unknown>;
  payload: string;
}

function inboundAttack({ properties, payload }: InboundAttack): Attack {
  return {
    callers: 3,
    async prepare(tenant) {
      const { path, secret } = await tenant.post<{ path: string; secret: string }>("/sources", {
        name: "Shop",
        scheme: "service",
        mapping: { name: "/type", external_id: ["/user"], properties },
      });
      return { path, secret };
    },
    start(setUp) {
      const { path, secret } = setUp as { path: string; secret: string };
      const signature = createHmac("sha256", secret).update(payload).digest("hex");
      const headers = { "content-type": "application/json", "x-service-signature": signature };
      const below = path.replace("/functions/v1/inbound", "");
      const request = {
        to: "inbound",
        path: below,
        method: "POST",
        headers,
        body: payload,
      } as const;
      return Promise.resolve(() => request);
    },
  };
}
