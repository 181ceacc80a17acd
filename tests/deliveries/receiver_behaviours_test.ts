import assert from "node:assert/strict";
import {
  createSelfSigned,
  createTestAuthority,
  endedYesterday,
  type Identity,
} from "../../testing/receivers/certificates.ts";
import {
  createDispatchWorld,
  type DeliveryRow,
  type DispatchWorld,
} from "../../testing/service/dispatch_world.ts";
import type { Behaviour, ReceiverOptions } from "../../testing/receivers/receiver.ts";
import {
  askToWait,
  breakChunks,
  closeAfterRequest,
  drip,
  endInResponse,
  hang,
  pourEndlessly,
  promiseTwoLengths,
  redirect,
  resetAfterRequest,
  resetInResponse,
  respond,
  respondAfterInterim,
  sendBomb,
} from "../../testing/receivers/receiver_behaviours.ts";

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const firstRetryMs = 5_000;

/** Log row that the first attempt must leave. */
interface Expected {
  ok?: boolean;
  status_code: number | null;
  error?: string;
  /** When the next attempt comes, after this one; left out for never. */
  nextMs?: number;
}

const retried = (status_code: number | null, error?: string): Expected => ({
  status_code,
  nextMs: firstRetryMs,
  ...(error === undefined ? {} : { error }),
});
const delivered = (status_code: number): Expected => ({ ok: true, status_code });
const waiting = (status_code: number, nextMs: number): Expected => ({ status_code, nextMs });

async function attempt(
  world: DispatchWorld,
  options: Partial<ReceiverOptions> & { host?: string },
): Promise<{ row: DeliveryRow; destinationId: string }> {
  const receiver = await world.receive(options);
  const { host = "127.0.0.1", identity } = options;
  const scheme = identity || host !== "127.0.0.1" ? "https" : "http";
  const { id } = await world.addDestination({ url: `${scheme}://${host}:${receiver.port}/` });
  await world
    .sql`update public.destinations set enabled = (id = ${id}) where enabled <> (id = ${id})`;
  world.clock.advance(1_000);
  await world.publish("order_created", {});
  await world.dispatch();
  const rows = await world.deliveries();
  return { row: rows.findLast((row) => row.destination_id === id)!, destinationId: id };
}

function assertLogged(row: DeliveryRow, expected: Expected): void {
  const next = row.next_attempt_at;
  assert.deepEqual(
    {
      ok: row.ok,
      status_code: row.status_code,
      error: row.error,
      attempt_number: row.attempt_number,
      trigger: row.trigger,
      nextMs: next === null ? undefined : next.getTime() - row.attempted_at.getTime(),
    },
    {
      ok: expected.ok ?? false,
      status_code: expected.status_code,
      error: expected.error ?? null,
      attempt_number: 1,
      trigger: "event",
      nextMs: expected.nextMs,
    },
  );
}

const behaviours: [string, Behaviour, Expected][] = [
  ["200", respond(200, { body: "ok" }), delivered(200)],
  ["204", respond(204), delivered(204)],
  ["interim responses before 200", respondAfterInterim(200), delivered(200)],
  ["an endless body", pourEndlessly(), delivered(200)],
  ["a gzip bomb", sendBomb(), delivered(200)],
  ["500", respond(500), retried(500)],
  ["404", respond(404), retried(404)],
  ["a redirect to the metadata address", redirect(301), retried(301)],
  ["a redirect that keeps the method", redirect(307), retried(307)],
  ["silence", hang(), retried(null, "timeout")],
  ["a byte now and then", drip(20), retried(200, "timeout")],
  ["a reset in the middle", resetInResponse(), retried(200, "connection_reset")],
  ["an end in the middle", endInResponse(), retried(200, "connection_reset")],
  ["a reset after the request", resetAfterRequest(), retried(null, "connection_reset")],
  ["an end after the request", closeAfterRequest(), retried(null, "connection_reset")],
  ["two lengths", promiseTwoLengths(), retried(null, "protocol")],
  ["broken chunks", breakChunks(), retried(200, "protocol")],
  ["429 with seconds", askToWait(429, "3600"), waiting(429, hourMs)],
  ["503 with seconds", askToWait(503, "120"), waiting(503, 120_000)],
  ["503 with a time that is over", askToWait(503, "Wed, 21 Oct 2015 07:28:00 GMT"), retried(503)],
  ["429 with rubbish", askToWait(429, "soon"), retried(429)],
  ["429 with 10^9 seconds", askToWait(429, "1000000000"), waiting(429, dayMs)],
];

Deno.test("the log shows each receiver's response and the next attempt", async (t) => {
  await using world = await createDispatchWorld({ fetch: { deadlineMs: 1_500 } });
  for (const [name, behaviour, expected] of behaviours) {
    await t.step(name, async () => {
      const { row } = await attempt(world, { behaviour });
      assertLogged(row, expected);
    });
  }
});

Deno.test("a date in Retry-After sets the next attempt", async () => {
  await using world = await createDispatchWorld();
  world.clock.now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const at = new Date(world.clock.now.getTime() + 2 * hourMs);

  const { row } = await attempt(world, { behaviour: askToWait(503, at.toUTCString()) });

  assert.equal(row.next_attempt_at!.getTime(), at.getTime());
});

Deno.test("410 is logged without a next attempt and disables the destination", async () => {
  await using world = await createDispatchWorld();

  const { row, destinationId } = await attempt(world, { behaviour: respond(410) });

  assertLogged(row, { status_code: 410 });
  const [destination] = await world.sql`
    select * from public.destinations where id = ${destinationId}
  `;
  assert.equal(destination!.disabled_reason, "The receiver responded with 410 Gone");
});

Deno.test("the log keeps the first 2 KiB of a response", async () => {
  await using world = await createDispatchWorld();

  const body = "€".repeat(2_000);
  const { row } = await attempt(world, { behaviour: respond(500, { body }) });

  assert.equal(row.response_snippet, "€".repeat(682));
});

Deno.test("the log keeps the headers of a response, without its cookies", async () => {
  await using world = await createDispatchWorld();

  const headers: [string, string][] = [
    ["X-Request-Id", "req_81"],
    ["Set-Cookie", "session=secret"],
    ["Set-Cookie", "csrf=secret"],
    ["Via", "1.1 one"],
    ["Via", "1.1 two"],
  ];
  const { row } = await attempt(world, { behaviour: respond(500, { headers, body: "oops" }) });

  assert.deepEqual(row.response_headers, {
    "x-request-id": "req_81",
    "set-cookie": "…",
    via: "1.1 one, 1.1 two",
    "content-length": "4",
  });
});

Deno.test("the log keeps no headers without a response", async () => {
  await using world = await createDispatchWorld();

  const { row } = await attempt(world, { behaviour: closeAfterRequest() });

  assert.equal(row.response_headers, null);
});

Deno.test("invalid certificates are logged as tls, and nothing is sent", async (t) => {
  const authority = await createTestAuthority();
  await using world = await createDispatchWorld({
    fetch: { ca: authority.cert, resolve: () => Promise.resolve(["127.0.0.1"]) },
  });
  const cases: [string, Identity, Expected][] = [
    ["a good one", await authority.issue("hook.test"), delivered(200)],
    ["expired", await authority.issue("hook.test", endedYesterday()), retried(null, "tls")],
    ["self-signed", await createSelfSigned("hook.test"), retried(null, "tls")],
    ["of another host", await authority.issue("other.test"), retried(null, "tls")],
  ];
  for (const [name, identity, expected] of cases) {
    await t.step(name, async () => {
      const { row } = await attempt(world, { identity, host: "hook.test" });
      assertLogged(row, expected);
    });
  }
});

Deno.test("unresolvable and forbidden names are logged, without addresses", async (t) => {
  let addresses: string[] | Error = [];
  await using world = await createDispatchWorld({
    fetch: {
      allowed: [],
      resolve: () =>
        addresses instanceof Error ? Promise.reject(addresses) : Promise.resolve(addresses),
    },
  });
  const cases: [string, string[] | Error, string][] = [
    ["private", ["10.0.0.1"], "dns"],
    ["loopback", ["127.0.0.1"], "dns"],
    ["one bad among good ones", ["93.184.216.34", "169.254.169.254"], "dns"],
    ["v4-mapped", ["::ffff:127.0.0.1"], "dns"],
    ["unknown", new Error("no such name"), "dns"],
  ];
  for (const [name, resolved, error] of cases) {
    await t.step(name, async () => {
      addresses = resolved;
      const { row } = await attempt(world, { host: "hook.test" });
      assertLogged(row, retried(null, error));
      assert.equal(row.response_snippet, null);
    });
  }
});

Deno.test("the test action reaches no forbidden address either", async (t) => {
  await using world = await createDispatchWorld({ fetch: { allowed: [] } });
  const receiver = await world.receive();
  for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "[::ffff:127.0.0.1]"]) {
    await t.step(host, async () => {
      const url = `http://${host}:${receiver.port}/`;
      const { id } = await world.addDestination({ url, eventTypes: ["never"] });
      await world.sql`select ops.send_test_ping(${id}, ${world.clock.now})`;
      await world.dispatch();
      const row = (await world.deliveries()).at(-1)!;
      assert.deepEqual([row.trigger, row.error], ["test", "address_not_allowed"]);
    });
  }
  assert.equal(receiver.requests.length, 0);
  assert.equal(receiver.connections, 0);
});

Deno.test("the schedule is ten attempts, each after its wait, and then no more", async () => {
  await using world = await createDispatchWorld();
  const receiver = await world.receive({ behaviour: respond(500) });
  await world.addDestination({ url: `http://127.0.0.1:${receiver.port}/` });
  await world.publish("order_created", {});

  const waits: (number | null)[] = [];
  for (let i = 0; i < 11; i++) {
    await world.dispatch();
    const row = (await world.deliveries()).at(-1)!;
    const next = row.next_attempt_at;
    if (waits.length < i + 1 && receiver.requests.length === i + 1) {
      waits.push(next === null ? null : (next.getTime() - world.clock.now.getTime()) / 1_000);
    }
    world.clock.now = next ?? new Date(world.clock.now.getTime() + dayMs);
  }

  const [m, h] = [60, 3_600];
  assert.deepEqual(waits, [
    5,
    5 * m,
    30 * m,
    2 * h,
    5 * h,
    10 * h,
    14 * h,
    20 * h,
    24 * h,
    null,
  ]);
  assert.equal(receiver.requests.length, 10);
});
