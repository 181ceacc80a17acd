import assert from "node:assert/strict";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import {
  day,
  type JourneyWorld,
  publishVersion,
  readPaths,
  second,
  startWork,
  testInWorlds,
} from "./journey_world.ts";

const waits: Definition = {
  trigger: { event: "signed_up" },
  start: "first",
  steps: {
    first: { wait: { for: "1d" }, next: "second" },
    second: { wait: { for: "1d" } },
  },
};

/** Publishes another version of `waits` and moves everyone to it. */
async function moveTo(world: JourneyWorld, id: string, definition: Definition): Promise<void> {
  await publishVersion(world, { id, definition, inside: "move" });
}

async function readLog(world: JourneyWorld) {
  const rows = await world.sql<{ visit: number; version: number; kind: string; line: string }[]>`
    select visit, version, kind, concat_ws(' ', step, outcome ->> 'way', outcome ->> 'to',
      outcome ->> 'version') as line
    from public.run_steps where workspace_id = ${world.workspaceId} order by visit`;
  return rows.map(({ visit, version, kind, line }) => `${visit}: ${kind} v${version} ${line}`);
}

/** Lets a trigger of the database refuse to move the runs of a journey. */
async function refuseMoves({ sql }: JourneyWorld, id: string): Promise<void> {
  await sql.unsafe(`
    create or replace function refuse_move() returns trigger language plpgsql as
      $$ begin raise exception 'Disk is full'; end $$;
    create trigger refuse_move before update on public.journey_runs for each row
      when (old.journey_id = '${id}' and new.version <> old.version) execute function refuse_move()`);
}

async function readJobs({ sql, now }: JourneyWorld, id: string) {
  const rows = await sql<{ failures: number; error: string; seconds: number | null }[]>`
    select failures, error, case when due_at < 'infinity'
      then extract(epoch from due_at - ${new Date(now)})::float8 end as seconds
    from private.journey_jobs where journey_id = ${id}`;
  return rows.map((row) => ({ ...row }));
}

/** Works the task that moves runs, once. */
async function tryToMove(world: JourneyWorld): Promise<string | undefined> {
  const task = startWork(world).tasks!.find(({ failedEvent }) => {
    return failedEvent === "journey_move_failed";
  })!;
  try {
    await task.work({ isSpent: () => false, noteWork: () => {}, spend: () => {} });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Reads the problem as a key with the scope journeys:read. */
async function readProblem({ sql, workspaceId }: JourneyWorld, id: string): Promise<string | null> {
  return await sql.begin(async (tx) => {
    await tx`
      select
        set_config('signalpost.workspace_id', ${workspaceId}, true),
        set_config('signalpost.scopes', 'journeys:read', true),
        set_config('role', 'signalpost_key', true)`;
    const [row] = await tx<{ problem: string | null }[]>`
      select private.journey_problem(${workspaceId}, ${id}) as problem`;
    return row!.problem;
  });
}

testInWorlds("runs that are put at a step say so in their log", {
  async "a move is a row with both versions, and later rows count on"(world) {
    const id = await world.publish(waits);
    await world.track({ name: "signed_up" });
    await world.settle();
    await moveTo(world, id, waits);
    await world.settle();
    await moveTo(world, id, { ...waits, start: "second", steps: { second: waits.steps.second! } });
    await world.settle();
    await world.pass(2 * day);
    assert.deepEqual(await readLog(world), [
      "1: move v1 first move first 2",
      "2: move v2 first move second 3",
      "3: wait v3 second next",
    ]);
    assert.deepEqual(await readPaths(world), ["first move, first move, second next, completed"]);
  },

  async "a replay is a row, and a send after it is another send"(world) {
    const { sql, workspaceId } = world;
    const send = { template: crypto.randomUUID(), sender: crypto.randomUUID() };
    const id = await world.publish({ ...waits, start: "mail", steps: { mail: { send } } });
    await world.track({ name: "signed_up" });
    await world.settle();
    await sql`
      select private.restart_runs(${workspaceId}, array[r], 'mail', ${new Date(world.now)})
      from public.journey_runs as r where r.journey_id = ${id}`;
    await sql`
      insert into private.run_arrivals (workspace_id, journey_id, due_at)
      values (${workspaceId}, ${id}, ${new Date(world.now)})`;
    await world.settle();
    assert.deepEqual(await readLog(world), [
      "1: send v1 mail next",
      "2: replay v1 mail replay mail",
      "3: send v1 mail next",
    ]);
    const [row] = await sql`
      select count(*)::int as sends from public.sends where journey_id = ${id}`;
    assert.equal(row!.sends, 2);
  },
});

testInWorlds("a move that fails is tried again later, and given up", {
  async "each failure doubles the time, up to an hour; after the last one the journey says so"(
    world,
  ) {
    const id = await world.publish(waits);
    await world.track({ name: "signed_up" });
    await world.settle();
    await refuseMoves(world, id);
    await moveTo(world, id, waits);
    const delays: (number | null)[] = [];
    for (let n = 1; n <= 15; n++) {
      assert.equal(await tryToMove(world), "Disk is full");
      assert.equal(await tryToMove(world), undefined, "not at once");
      const [job] = await readJobs(world, id);
      assert.deepEqual([job!.failures, job!.error], [n, "Disk is full"]);
      delays.push(job!.seconds);
      world.now += (job!.seconds ?? 0) * second;
    }
    assert.deepEqual(delays.slice(0, 4), [10, 20, 40, 80]);
    assert.deepEqual(delays.slice(-3), [3600, 3600, null]);
    world.now += 400 * day;
    assert.equal(await tryToMove(world), undefined);
    assert.match(
      (await readProblem(world, id))!,
      /^Cannot move runs to version 2, after 15 failures: .*publish the journey once more$/,
    );
    assert.deepEqual(await readPaths(world), ["at first"]);
    await world.sql`drop trigger refuse_move on public.journey_runs`;
    await moveTo(world, id, waits);
    await world.settle();
    assert.deepEqual(await readJobs(world, id), []);
    assert.equal(await readProblem(world, id), null);
  },

  async "a move that succeeds after failures moves the runs, and no problem is left"(world) {
    const id = await world.publish(waits);
    await world.track({ name: "signed_up" });
    await world.settle();
    await refuseMoves(world, id);
    await moveTo(world, id, waits);
    assert.equal(await tryToMove(world), "Disk is full");
    assert.match(
      (await readProblem(world, id))!,
      /^Cannot move runs to version 2, after 1 failure: .*tries again at 2/,
    );
    await world.sql`drop trigger refuse_move on public.journey_runs`;
    world.now += 10 * second;
    await world.settle();
    assert.equal((await world.readRuns())[0]!.version, 2);
    assert.deepEqual(await readJobs(world, id), []);
  },

  async "a worker that is lost with a move leaves it to the next one, 10 s later"(world) {
    const id = await world.publish(waits);
    await world.track({ name: "signed_up" });
    await world.settle();
    await moveTo(world, id, waits);
    await world.sql`select * from private.take_move_job(${new Date(world.now)})`;
    await world.settle();
    assert.equal((await world.readRuns())[0]!.version, 1);
    await world.pass(10 * second);
    assert.equal((await world.readRuns())[0]!.version, 2);
  },
});
