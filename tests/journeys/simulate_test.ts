import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { simulate, type Simulation } from "../../supabase/functions/automation/simulate.ts";
import { createJourneyWorld, hour, type JourneyWorld, readPaths } from "./journey_world.ts";

const definition: Definition = {
  trigger: { event: "signed_up" },
  goal: { event: "order_created" },
  start: "pause",
  steps: {
    pause: { wait: { for: "2h" }, next: "opened" },
    opened: {
      wait_for: { event: "opened", timeout: "1d" },
      next: "vip",
      on_timeout: "mail",
    },
    vip: {
      branch: [{ when: { field: "attributes.plan", op: "eq", value: "pro" }, next: "tag" }],
      else: "mail",
    },
    tag: { update: { attributes: { vip: true } }, next: "mail" },
    mail: {
      send: { template: "00000000-0000-7000-8000-000000000001", sender: crypto.randomUUID() },
      next: "last",
    },
    last: { wait: { for: "30d" } },
  },
};

/** Returns the path as "<step> <way>", and where the run stands. */
async function run(
  world: JourneyWorld,
  options: Partial<Simulation> & { journey_id: string },
): Promise<{ path: string[]; end: string; result: Awaited<ReturnType<typeof simulate>> }> {
  const result = await simulate(world.sql, {
    workspace_id: world.workspaceId,
    definition,
    until: new Date(world.now + 10 * 24 * hour).toISOString(),
    ...options,
  }, new Date(world.now));
  const path = result.path.map(({ step, outcome }) => `${step} ${outcome.way}`);
  return { path, end: result.reason ?? result.step ?? result.not_entered!, result };
}

const countRows = async ({ sql }: JourneyWorld) =>
  (await sql`
    select
      (select count(*) from public.journey_runs) as runs,
      (select count(*) from public.customers) as customers,
      (select count(*) from public.events) as events,
      (select count(*) from public.run_steps) as steps,
      (select count(*) from public.sends) as sends,
      (select count(*) from private.signals) as signals,
      (select count(*) from public.journey_versions) as versions`)[0];

Deno.test("a simulation takes the way that events, times and the profile lead to, and writes nothing", async () => {
  await using world = await createJourneyWorld();
  const journey_id = await world.publish(definition);
  const before = await countRows(world);
  const at = (ms: number) => new Date(world.now + ms).toISOString();
  const events = [
    { name: "seen", at: at(0) },
    { name: "signed_up", at: at(hour) },
    { name: "opened", at: at(4 * hour) },
  ];
  const profile = { email: "ada@example.com", attributes: { plan: "pro" } };
  const simulated = await run(world, { journey_id, events, profile });
  assert.deepEqual(simulated.path, ["pause next", "opened next", "vip 0", "tag next", "mail next"]);
  assert.equal(simulated.end, "last");
  const times = simulated.result.path.map((move) => (Date.parse(move.at) - world.now) / hour);
  assert.deepEqual(times, [1, 3, 4, 4, 4]);
  assert.deepEqual(simulated.result.path[3]!.would, { update: { attributes: { vip: true } } });

  const goal = [...events.slice(0, 2), { name: "order_created", at: at(2 * hour) }];
  assert.deepEqual((await run(world, { journey_id, events: goal, profile })).end, "goal");
  const never = [{ name: "seen", at: at(0) }];
  assert.deepEqual((await run(world, { journey_id, events: never, profile })).end, "not_triggered");
  assert.deepEqual(await countRows(world), before);
});

Deno.test("a simulation of a customer starts as if they had never been inside", async () => {
  await using world = await createJourneyWorld();
  const journey_id = await world.publish(definition);
  const [customer_id] = await world.track({ name: "signed_up" });
  await world.settle();
  const { path, end } = await run(world, { journey_id, customer_id });
  assert.deepEqual(path, ["pause next", "opened timeout", "mail next"]);
  assert.equal(end, "last");
  assert.deepEqual(await readPaths(world), ["at pause"]);
});
