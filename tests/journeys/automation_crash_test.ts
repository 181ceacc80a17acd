import assert from "node:assert/strict";
import type { Definition, Step } from "../../supabase/functions/_shared/journeys/definition.ts";
import { spawnAutomation } from "../../testing/service/spawn_automation.ts";
import { createJourneyWorld, fold, minute } from "./journey_world.ts";

const visits = 6;
const customers = 300;

/** Updates one after the other, each of which is a turn of its own. */
function createChain(): Definition {
  const steps: Record<string, Step> = {};
  for (let n = 1; n <= visits; n++) {
    const next = n < visits ? { next: `s${n + 1}` } : {};
    steps[`s${n}`] = { update: { attributes: { [`a${n}`]: n } }, ...next };
  }
  return { trigger: { event: "signed_up" }, start: "s1", steps };
}

Deno.test("workers that are killed with runs in motion take every step once", async () => {
  await using world = await createJourneyWorld();
  const { sql } = world;
  await world.publish(createChain());
  const people = Array.from({ length: customers }, (_, n) => `user-${n}`);
  await world.track(...people.map((external_id) => ({ name: "signed_up", external_id })));
  await fold(world);
  await sql`update public.journey_runs set due_at = '-infinity'`;
  await sql`
    insert into private.run_arrivals (workspace_id, journey_id, due_at)
    select distinct workspace_id, journey_id, due_at from public.journey_runs`;

  const url = new URL(Deno.env.get("TEST_DB_URL")!);
  url.pathname = `/${(await sql`select current_database() as name`)[0]!.name}`;
  const total = customers * visits;
  const countSteps = async () =>
    Number((await sql`select count(*) as n from public.run_steps`)[0]!.n);
  for (const share of [0.2, 0.5, 0.8]) {
    const child = spawnAutomation(url.href);
    while (await countSteps() < total * share);
    child.kill("SIGKILL");
    await child.status;
    // Its statement may still be running.
    while (
      (await sql`
      select from pg_stat_activity where application_name = 'automation-test'`).length > 0
    );
    await sql`select private.expire_run_claims(clock_timestamp() + interval '2 minutes')`;
  }
  world.now = Date.now() + minute;
  await world.settle();

  const runs = await world.readRuns();
  assert.equal(runs.filter(({ reason }) => reason === "completed").length, customers);
  const steps = await world.readSteps();
  assert.equal(steps.length, total);
  assert.equal(new Set(steps.map(({ run_id, visit }) => `${run_id} ${visit}`)).size, total);
  const rows = await sql<{ attributes: Record<string, number> }[]>`
    select attributes from public.customers`;
  for (const { attributes } of rows) {
    assert.deepEqual(Object.values(attributes).toSorted(), [1, 2, 3, 4, 5, 6]);
  }
});
