import assert from "node:assert/strict";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

interface Check {
  subject: string;
  ok: boolean;
  message: string;
}

const definition = {
  ...smallestDefinition,
  trigger: { event: "signed_up" },
  entry: { when: { field: "country", op: "eq", value: "DE" } },
  start: "pause",
  steps: { pause: { wait: { for: "2d" } } },
};

/** Creates a service with the draft of a journey. */
async function createService() {
  const world = await createApiWorld();
  const { sql, workspaceId } = world;
  const token = await world.createKey(["journeys:write", "sends:read"]);
  const call = (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, body });
  const put = await call("PUT", "/journeys/k", { name: "K", definition });
  const id: string = put.body.id;
  return {
    sql,
    workspaceId,
    id,
    call,
    async track(external_id: string, name: string) {
      const [result] = await ingestEntries(sql, [
        { workspace_id: workspaceId, kind: "event", external_id, name },
      ]);
      assert(result?.ok);
      return result.customer_id!;
    },
    /** Lists what is said about entry, steps and exit. */
    async explain(customerId: string, journeyId = id) {
      const path = `/sends/explain?customer_id=${customerId}&journey_id=${journeyId}`;
      const { status, body } = await call("GET", path);
      assert.equal(status, 200, JSON.stringify(body));
      const checks: Check[] = body.checks;
      return checks.filter(({ subject }) => ["entry", "step", "exit"].includes(subject))
        .map(({ subject, ok, message }) => [subject, ok, message]);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

Deno.test("GET /sends/explain of a journey says who entered, who left, and why not", async () => {
  await using service = await createService();
  const { sql, workspaceId, id, call, track, explain } = service;
  const [ada, bob] = [await track("ada", "seen"), await track("bob", "seen")];
  assert.deepEqual(await explain(ada), [
    ["entry", false, "The journey was never published"],
    ["entry", false, "The customer has never entered the journey"],
  ]);

  assert.equal((await call("POST", "/journeys/k/publish")).status, 200);
  const never = ["entry", false, "The customer has never entered the journey"];
  const when = ["entry", false, "The customer does not meet entry.when"];
  assert.deepEqual(await explain(ada), [
    never,
    [
      "entry",
      false,
      'The customer has had no event "signed_up" that triggers it since it was published',
    ],
    when,
  ]);
  await track("ada", "signed_up");
  await sql`select private.fold_segments()`;
  assert.deepEqual(await explain(ada), [
    never,
    ["entry", true, 'The customer had the event "signed_up" that triggers it'],
    when,
  ]);

  await sql`update public.customers set country = 'DE'`;
  const entered = await call("POST", "/journeys/k/enter", { customer_id: bob });
  assert.equal(entered.status, 202, JSON.stringify(entered.body));
  const inside = ["entry", true, "The customer entered version 1 of the journey"];
  assert.deepEqual(await explain(bob), [
    inside,
    ["step", true, 'The run is at the step "pause"'],
  ]);
  await sql`
    insert into public.run_steps (
      workspace_id, run_id, visit, at, done_at, journey_id, version, step, kind, outcome
    ) values (
      ${workspaceId}, ${entered.body.run_id}, 1, now(), now(), ${id}, 1, 'mail', 'send',
      '{"way": "next", "skipped": "late"}'
    )`;
  await call("POST", `/runs/${entered.body.run_id}/remove`);
  assert.deepEqual(await explain(bob), [
    inside,
    ["step", false, 'The step "mail" sent nothing: its turn came too late'],
    ["exit", false, 'The run was removed, at the step "pause"'],
  ]);
});
