import assert from "node:assert/strict";
import { createApiWorld } from "../../testing/service/api_world.ts";
import { startJourneyWorld } from "./journey_world.ts";
import { finishRehearsals } from "./rehearsal_world.ts";

const definition = {
  trigger: { event: "signed_up" },
  goal: { event: "bought", within: "7d" },
  start: "pause",
  steps: { pause: { wait: { for: "1h" }, next: "end" }, end: { exit: {} } },
};

Deno.test("a rehearsal is started by a call, read as a job, and refused in plain words", async () => {
  await using api = await createApiWorld();
  const world = startJourneyWorld(api);
  const token = await api.createKey(["journeys:write"]);
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer } = await api.send({ method, path, token, body });
    return { status, ...answer };
  };
  await call("PUT", "/journeys/welcome", { name: "Welcome", definition });
  await call("PUT", "/journeys/called", {
    name: "Called",
    definition: { ...definition, trigger: { api: true } },
  });
  const since = new Date(world.now - 1000).toISOString();
  for (const external_id of ["ada", "bob"]) await world.track({ external_id, name: "signed_up" });
  world.now += 7_200_000;
  await world.track({ external_id: "ada", name: "bought" });

  const started = await call("POST", "/journeys/welcome/rehearse", { since });
  assert.equal(started.status, 202);
  const pending = await call("GET", `/jobs/${started.job_id}`);
  assert.deepEqual([pending.kind, pending.state, pending.result], ["rehearse", "pending", null]);
  const second = await call("POST", "/journeys/welcome/rehearse", { since });
  assert.match(`${second.status} ${second.error}`, /^409 .+: another .+ is not finished$/);

  await api.sql`update public.rehearsals set until = ${new Date(world.now)}`;
  await finishRehearsals(world);
  const { state, done, total, result } = await call("GET", `/jobs/${started.job_id}`);
  assert.deepEqual({ state, done, total }, { state: "done", done: 2, total: 2 });
  const { examples, steps, ...figures } = result;
  assert.deepEqual(figures, {
    since,
    until: new Date(world.now).toISOString(),
    version: null,
    definition,
    customers: 2,
    cut_off: 0,
    entered: 2,
    not_entered: {},
    active: 0,
    reached_goal: 1,
    exited: { completed: 2 },
    holdout: { entered: 0, reached_goal: 0 },
    as_of_now: ["profiles", "consent", "suppressions", "segments"],
    left_out: ["caps", "quiet_hours"],
  });
  assert.deepEqual(steps.map(({ step, came }: { step: string; came: number }) => [step, came]), [
    ["pause", 2],
    ["end", 2],
  ]);
  assert.deepEqual(
    examples[0].path.map(({ step, outcome }: { step: string; outcome: { way: string } }) => {
      return `${step} ${outcome.way}`;
    }),
    ["pause next", "end end"],
  );

  const called = await call("POST", "/journeys/called/rehearse", { since });
  assert.equal(called.status, 409);
  assert.match(called.error, /^Cannot rehearse journey: customers enter it only through the API/);
  const future = await call("POST", "/journeys/welcome/rehearse", {
    since: new Date(Date.now() + 86_400_000).toISOString(),
  });
  assert.equal(future.status, 400);
  assert.match(future.error, /^Field "since" must not be in the future/);
  const [left] = await api.sql`
    select (select count(*)::integer from public.journey_runs) as runs,
      (select count(*)::integer from public.run_steps) as steps`;
  assert.deepEqual({ ...left }, { runs: 0, steps: 0 });
});

Deno.test("a journey names its last rehearsal that is stored, and none of another workspace", async () => {
  await using api = await createApiWorld();
  const makeCall = async (workspaceId: string) => {
    const token = await api.createKey(["journeys:read", "journeys:write"], workspaceId);
    return (method: string, path: string, body?: unknown) =>
      api.send({ method, path, token, body });
  };
  const call = await makeCall(api.workspaceId);
  const elsewhere = await makeCall(await api.createWorkspace());
  for (const each of [call, elsewhere]) {
    const made = await each("PUT", "/journeys/welcome", { name: "Welcome", definition });
    assert.equal(made.body.rehearsal_job_id, null);
  }
  const readLast = async () => (await call("GET", "/journeys/welcome")).body.rehearsal_job_id;
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const ids: string[] = [];
  for (let n = 0; n < 2; n++) {
    const { status, body } = await call("POST", "/journeys/welcome/rehearse", { since });
    assert.equal(status, 202, JSON.stringify(body));
    ids.push(body.job_id);
    assert.equal(await readLast(), body.job_id);
    await api.sql`update public.rehearsals set state = 'done', finished_at = now()`;
    assert.equal(await readLast(), body.job_id);
  }
  const other = await elsewhere("GET", "/journeys/welcome");
  assert.deepEqual([other.status, other.body.rehearsal_job_id], [200, null]);
  const token = await api.signInAs("viewer");
  const { workspaceId } = api;
  const viewed = await api.send({ path: "/journeys/welcome", token, workspaceId });
  assert.equal(viewed.body.rehearsal_job_id, ids[1]);
  await api.sql`delete from public.rehearsals where id = ${ids[1]!}`;
  assert.equal(await readLast(), ids[0]);
});

Deno.test("a plan limits the rehearsals of a workspace that are not finished", async () => {
  await using api = await createApiWorld();
  const token = await api.createKey(["journeys:write"]);
  const rehearse = async (key: string) => {
    await api.send({
      method: "PUT",
      path: `/journeys/${key}`,
      token,
      body: { name: key, definition },
    });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    return await api.send({
      method: "POST",
      path: `/journeys/${key}/rehearse`,
      token,
      body: { since },
    });
  };
  const keys = Array.from({ length: 5 }, (_, n) => `journey-${n}`);
  for (const key of keys) assert.equal((await rehearse(key)).status, 202, key);
  const { status, body } = await rehearse("one-more");
  assert.deepEqual([status, body.code], [409, "limit_reached"]);
  assert.match(
    body.error,
    /^Cannot rehearse journey: the plan ".+" allows 5 unfinished rehearsals$/,
  );
});
