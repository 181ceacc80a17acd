import assert from "node:assert/strict";
import { createGuardedWorld } from "../../testing/service/guarded_world.ts";
import { behaviours } from "../../testing/receivers/remote_receiver.ts";

const { respond, respondTogether, hang } = behaviours;

Deno.test("send() shares no connection between two destinations at one address", async () => {
  await using world = await createGuardedWorld({ behaviour: respond(200) });
  for (const key of ["a", "b", "a", "b"]) await world.send({ key, concurrency: 1 });
  assert.equal(world.receiver.connections, 2);
});

Deno.test("send() limits concurrent requests to the destination's maximum", async () => {
  await using world = await createGuardedWorld({ behaviour: respondTogether(4) });
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => world.send({ concurrency: 4 })),
  );
  assert(outcomes.every((outcome) => outcome.ok));
  assert.equal(world.receiver.requests.length, 12);
  assert.equal(world.receiver.connections, 4);
});

Deno.test("send() to one destination does not wait for another one that hangs", async () => {
  await using world = await createGuardedWorld({ behaviour: hang() }, { deadlineMs: 5_000 });
  const stop = new AbortController();
  const hanging = Array.from({ length: 20 }, () => world.send({ key: "a", signal: stop.signal }));
  await world.receiver.waitForRequests(10);
  await world.receiver.use(respond(200));
  const outcome = await world.send({ key: "b" });
  assert.equal(outcome.ok, true);
  assert(outcome.duration_ms < 1_000);
  stop.abort();
  for (const outcome of await Promise.all(hanging)) assert.equal(outcome.error, "cancelled");
});

Deno.test("send() sends nothing for a request that was still queued at its deadline", async () => {
  await using world = await createGuardedWorld({ behaviour: hang() }, { deadlineMs: 100 });
  const outcomes = await Promise.all([1, 2, 3].map(() => world.send({ concurrency: 1 })));
  assert.deepEqual(outcomes.map((outcome) => outcome.error), ["timeout", "timeout", "timeout"]);
  await world.receiver.use(respond(200));
  assert.equal((await world.send({ concurrency: 1 })).ok, true);
  assert.equal(world.receiver.requests.length, 2);
});

Deno.test("createGuardedFetch() keeps connections of a bounded number of destinations", async () => {
  await using world = await createGuardedWorld({ behaviour: respond(200) }, { maxDestinations: 2 });
  for (const key of ["a", "b", "c", "d", "e"]) assert.equal((await world.send({ key })).ok, true);
  assert.equal(world.receiver.connections, 5);
  await world.receiver.waitForDisconnect(2);
  assert.equal((await world.send({ key: "a" })).ok, true);
});

Deno.test("createGuardedFetch() finishes running requests of a destination whose pool it closes", async () => {
  await using world = await createGuardedWorld(
    { behaviour: respondTogether(2) },
    { maxDestinations: 1 },
  );
  const first = world.send({ key: "a" });
  await world.receiver.waitForRequests(1);
  const [a, b] = await Promise.all([first, world.send({ key: "b" })]);
  assert(a.ok && b.ok);
});
