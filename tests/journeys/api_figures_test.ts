import assert from "node:assert/strict";
import { createService, publish, waiting } from "./journeys_api.ts";

Deno.test("a run that should have moved is stuck, unless the journey is paused", async () => {
  await using service = await createService();
  const { world, call, customerId } = service;
  await publish(service, { ...waiting, entry: { again: "always" } });
  const { body: { run_id } } = await call("POST", "/journeys/k/enter", { external_id: "ada" });
  await call("POST", "/journeys/k/enter", { external_id: "ada" });
  await world.sql`
    update public.journey_runs set due_at = now() - interval '3 minutes' where id = ${run_id}`;
  await world.sql`
    update public.journey_runs set due_at = now() - interval '1 minute' where id <> ${run_id}`;
  const { body: { data } } = await call("GET", "/journeys/k/runs?stuck=true");
  assert.deepEqual(
    data.map((run: Record<string, unknown>) => [run.id, run.customer_id, run.customer_name]),
    [[run_id, customerId, "ada@example.com"]],
  );
  assert.equal((await call("GET", "/journeys/k/stats")).body.stuck, 1);
  await call("POST", "/journeys/k/pause");
  assert.deepEqual((await call("GET", "/journeys/k/runs?stuck=true")).body.data, []);
  assert.equal((await call("GET", "/journeys/k/stats")).body.stuck, 0);
});

Deno.test("figures are those of one version or of all, with the steps in the order of the journey", async () => {
  await using service = await createService();
  const { world, call } = service;
  await publish(service, waiting);
  await publish(service, waiting);
  const { body: { id } } = await call("GET", "/journeys/k");
  const rows = [
    [1, "", "entered", 5],
    [2, "", "entered", 3],
    [1, "", "exited:completed", 2],
    [1, "", "goal", 1],
    [1, "", "holdout", 4],
    [1, "pause", "came", 5],
    [1, "pause", "left:next", 2],
    [1, "old", "came", 1],
    [1, "end", "skipped:late", 1],
  ] as const;
  for (const [version, step, kind, count] of rows) {
    await world.sql`
      insert into public.journey_stats (workspace_id, journey_id, version, step, kind, count)
      values (${world.workspaceId}, ${id}, ${version}, ${step}, ${kind}, ${count})`;
  }
  const { entered, held_out, reached_goal, failed } = (await call("GET", "/journeys/k")).body;
  assert.deepEqual({ entered, held_out, reached_goal, failed }, {
    entered: 8,
    held_out: 4,
    reached_goal: 1,
    failed: 0,
  });
  const { body } = await call("GET", "/journeys/k/stats");
  const { steps, ...totals } = body;
  assert.deepEqual(totals, {
    version: null,
    entered: 8,
    active: 0,
    stuck: 0,
    reached_goal: 1,
    exited: { completed: 2 },
    holdout: { entered: 4, reached_goal: 0 },
  });
  assert.deepEqual(
    steps.map(({ step, kind, came, ways, skipped }: Record<string, unknown>) => [
      step,
      kind,
      came,
      ways,
      skipped,
    ]),
    [
      ["pause", "wait", 5, { next: 2 }, {}],
      ["end", "exit", 0, {}, { late: 1 }],
      ["old", null, 1, {}, {}],
    ],
  );
  const second = await call("GET", "/journeys/k/stats?version=2");
  assert.deepEqual([second.body.version, second.body.entered], [2, 3]);
  assert.equal((await call("GET", "/journeys/k/stats?version=3")).status, 404);
});
