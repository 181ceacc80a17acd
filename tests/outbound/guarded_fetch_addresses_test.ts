import assert from "node:assert/strict";
import { parseAllowedCidrs } from "../../supabase/functions/_shared/outbound/addresses.ts";
import { createGuardedWorld } from "../../testing/service/guarded_world.ts";
import { behaviours, startRemoteReceiver } from "../../testing/receivers/remote_receiver.ts";

const { respond, redirect } = behaviours;

const nothing = parseAllowedCidrs("");
const elsewhere = parseAllowedCidrs("10.0.0.0/8");

/** Answers a list of addresses to the first question, another to the second, and so on. */
function resolveInTurn(...answers: string[][]) {
  let asked = 0;
  return Object.assign((_hostname: string) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return Promise.resolve(addresses);
  }, { count: () => asked });
}

const forbiddenHosts = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001"]
  .concat(["0177.0.0.1", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"])
  .concat(["[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]"])
  .concat(["[2001:0:7f00:1::80ff:fffe]", "[fe80::1]", "localhost", "localhost.", "x.localhost"]);

for (const host of forbiddenHosts) {
  Deno.test(`send() never reaches a listener by the host ${host}`, async () => {
    for (const hostname of ["0.0.0.0", "::"]) {
      const behaviour = respond(200);
      for (const [scheme, allowed] of [["https", nothing], ["http", elsewhere]] as const) {
        await using world = await createGuardedWorld({ behaviour, hostname }, { allowed });
        const { port } = world.receiver;
        const outcome = await world.send({ url: `${scheme}://${host}:${port}/` });
        // Some resolvers know no "x.localhost".
        assert(outcome.error === "address_not_allowed" || outcome.error === "dns");
        assert.equal(outcome.status_code, null);
        assert.equal(world.receiver.connections, 0);
      }
    }
  });
}

const forbiddenAnswers = [
  ["127.0.0.1"],
  ["8.8.8.8", "127.0.0.1"],
  ["127.0.0.1", "8.8.8.8"],
  ["8.8.8.8", "::1"],
  ["8.8.8.8", "::ffff:127.0.0.1"],
  ["64:ff9b::7f00:1"],
  ["2002:7f00:1::"],
  ["169.254.169.254"],
  ["0.0.0.0"],
  ["not an address"],
];

for (const addresses of forbiddenAnswers) {
  Deno.test(`send() never connects for a name with the addresses ${addresses}`, async () => {
    const options = { behaviour: respond(200), hostname: "0.0.0.0" };
    for (const [scheme, allowed] of [["https", nothing], ["http", elsewhere]] as const) {
      const resolve = resolveInTurn(addresses);
      await using world = await createGuardedWorld(options, { allowed, resolve });
      const outcome = await world.send({ url: `${scheme}://hook.test:${world.receiver.port}/` });
      assert.deepEqual([outcome.error, outcome.duration_ms], ["dns", 0]);
      assert.equal(world.receiver.connections, 0);
    }
  });
}

Deno.test("send() connects to the checked address, even if the name resolves differently later", async () => {
  const resolve = resolveInTurn(["127.0.0.1"], ["127.0.0.2"]);
  await using world = await createGuardedWorld({ behaviour: respond(200) }, { resolve });
  const { port } = world.receiver;
  const trap = await startRemoteReceiver({ behaviour: respond(200), hostname: "127.0.0.2", port });
  try {
    const url = `http://hook.test:${port}/`;
    assert.equal((await world.send({ url })).status_code, 200);
    assert.equal(resolve.count(), 1);
    const second = await world.send({ url });
    assert.equal(second.error, "dns");
    assert.equal(world.receiver.requests.length, 1);
    await trap.refresh();
    assert.equal(trap.connections, 0);
  } finally {
    await trap.close();
  }
});

Deno.test("send() checks at every attempt, even with a live connection", async () => {
  const resolve = resolveInTurn(["127.0.0.1"], ["127.0.0.1", "10.0.0.1"]);
  await using world = await createGuardedWorld({ behaviour: respond(200) }, { resolve });
  const url = `http://hook.test:${world.receiver.port}/`;
  assert.equal((await world.send({ url })).ok, true);
  assert.equal(world.receiver.openConnections, 1);
  assert.equal((await world.send({ url })).error, "dns");
  assert.equal(world.receiver.requests.length, 1);
});

Deno.test("send() follows no redirect, not even to an address that is allowed", async () => {
  const trap = await startRemoteReceiver({ behaviour: respond(200) });
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      const behaviour = redirect(status, `http://127.0.0.1:${trap.port}/`);
      await using world = await createGuardedWorld({ behaviour });
      const outcome = await world.send();
      assert.equal(outcome.status_code, status);
      assert.equal(outcome.ok, false);
    }
    await trap.refresh();
    assert.equal(trap.connections, 0);
  } finally {
    await trap.close();
  }
});

Deno.test("send() keeps the name in the Host header", async () => {
  const resolve = resolveInTurn(["127.0.0.1"]);
  await using world = await createGuardedWorld({ behaviour: respond(200) }, { resolve });
  const { port } = world.receiver;
  await world.send({ url: `http://hook.test:${port}/a/b?c=d` });
  assert.equal(world.receiver.requests[0]?.path, "/a/b?c=d");
  assert.deepEqual(world.receiver.requests[0]?.headers.find(([name]) => name === "host"), [
    "host",
    `hook.test:${port}`,
  ]);
});

Deno.test("send() tries the next address when the first one refuses", async () => {
  const allowed = parseAllowedCidrs("127.0.0.0/8");
  const resolve = resolveInTurn(["127.0.0.3", "127.0.0.1"]);
  await using world = await createGuardedWorld({ behaviour: respond(200) }, { allowed, resolve });
  const url = `http://hook.test:${world.receiver.port}/`;
  assert.equal((await world.send({ url, concurrency: 1 })).status_code, 200);
  // The address that answered is the first choice from now on.
  assert.equal((await world.send({ url, concurrency: 1 })).status_code, 200);
  assert.equal(world.receiver.connections, 1);
});

Deno.test("send() distinguishes a refused connection, a failed lookup and a slow lookup", async () => {
  const behaviour = respond(200);
  const closed = await startRemoteReceiver({ behaviour });
  await closed.close();
  await using world = await createGuardedWorld({ behaviour }, {
    deadlineMs: 100,
    resolve: (hostname) =>
      hostname === "slow.test" ? new Promise(() => {}) : Promise.reject(new Error("SERVFAIL")),
  });
  const refused = await world.send({ url: `http://127.0.0.1:${closed.port}/` });
  assert.equal(refused.error, "connection_refused");
  assert.equal((await world.send({ url: "https://none.test/" })).error, "dns");
  assert.equal((await world.send({ url: "https://slow.test/" })).error, "timeout");
});
