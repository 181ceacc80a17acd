import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { createJourneyWorld, day, hour, type JourneyWorld } from "./journey_world.ts";
import { countLog, readFigures } from "./rehearsal_world.ts";

/** A journey that sends one mail; half of those who enter are held out. */
async function publishMail(world: JourneyWorld): Promise<string> {
  const { sql, workspaceId } = world;
  const [refs] = await sql<[{ template: string; sender: string }]>`
    with sender as (
      insert into public.senders (workspace_id, name, provider, from_address)
      values (${workspaceId}, 'Shop', 'inbox', 'shop@example.com')
      returning id
    ),
    template as (
      insert into public.templates (workspace_id, name, version)
      values (${workspaceId}, 'Some', 1)
      returning id
    )
    select t.id as template, s.id as sender from template as t, sender as s`;
  const definition: Definition = {
    trigger: { event: "start" },
    entry: { holdout: 50 },
    goal: { event: "bought", within: "2d" },
    start: "mail",
    steps: { mail: { send: refs, next: "end" }, end: { exit: {} } },
  };
  return await world.publish(definition);
}

Deno.test("figures count what becomes of the mails of a step, and equal the log", async () => {
  await using world = await createJourneyWorld();
  const { sql, workspaceId } = world;
  const journeyId = await publishMail(world);
  for (let n = 0; n < 48; n++) {
    const external_id = `user-${n}`;
    const profile = { email: `${external_id}@example.com` };
    await world.track({ kind: "identify", external_id, profile, attributes: {} });
    await world.track({ external_id, name: "start" });
  }
  await world.settle();
  const sends = await sql<{ id: string }[]>`select id from public.sends order by id`;
  assert(sends.length > 5 && sends.length < 43, `${sends.length} of 48 are not held out`);
  const report = async (from: number, to: number, outcome: string) => {
    const reports = sends.slice(from, to).map(({ id }) => {
      return { workspace_id: workspaceId, send_id: id, outcome, at: new Date() };
    });
    await sql`select private.settle_sends(${sql.json(reports as never)})`;
  };
  await report(0, 5, "sent");
  await report(1, 4, "delivered");
  await report(3, 4, "complained");
  await report(4, 5, "bounced");
  // A message that the provider gave up counts as failed, and as bounced.
  await report(5, 6, "failed");
  // Twice, and late: nothing counts twice.
  await report(1, 4, "delivered");
  const visit = (n: number) =>
    sql`select private.record_visit(${workspaceId}, ${sends[n]!.id}, null, false,
      clock_timestamp() + interval '1 minute')`;
  for (const n of [1, 2, 2]) await visit(n);
  await sql`select private.set_preferences(${workspaceId}, ${sends[2]!.id}, null)`;
  const figures = await readFigures(world, journeyId);
  assert.deepEqual(figures, await countLog(world, journeyId));
  for (
    const figure of [
      "mail sent: 5",
      "mail failed: 1",
      "mail delivered: 3",
      "mail complained: 1",
      "mail bounced: 2",
      "mail opened: 2",
      "mail unsubscribed: 1",
    ]
  ) assert(figures.includes(figure), `${figure} is not in ${figures.join(", ")}`);
});

Deno.test("a goal counts within its time after the run too, and for those held out", async () => {
  await using world = await createJourneyWorld();
  const journeyId = await publishMail(world);
  for (let n = 0; n < 24; n++) await world.track({ external_id: `user-${n}`, name: "start" });
  await world.settle();
  await world.pass(day);
  for (let n = 0; n < 12; n++) await world.track({ external_id: `user-${n}`, name: "bought" });
  await world.settle();
  await world.pass(day + hour);
  for (let n = 0; n < 24; n++) await world.track({ external_id: `user-${n}`, name: "bought" });
  await world.settle();
  const runs = await world.sql<{ is_holdout: boolean; goals: number }[]>`
    select is_holdout, count(goal_at)::integer as goals from public.journey_runs group by 1 order by 1`;
  assert.deepEqual(runs[0]!.goals + runs[1]!.goals, 12);
  assert(runs[1]!.goals > 0);
  const figures = await readFigures(world, journeyId);
  assert.deepEqual(figures, await countLog(world, journeyId));
  assert(figures.includes(` goal: ${runs[0]!.goals}`));
  assert(figures.includes(` goal_holdout: ${runs[1]!.goals}`));
});
