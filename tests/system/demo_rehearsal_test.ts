import assert from "node:assert/strict";
import postgres from "postgres";
import { callApi } from "../../demo/call_api.ts";
import {
  demoJourneys,
  isOver,
  type JourneyFigures,
  readFigures,
  setUpDrafts,
  setUpJourneys,
} from "../../demo/journeys.ts";
import { planLanes } from "../../demo/plan_lanes.ts";
import { readRecording } from "../../demo/recording.ts";
import { replay } from "../../demo/replay.ts";
import type { RunningStack } from "../../demo/running_stack.ts";
import { scopes } from "../../supabase/functions/_shared/access/auth.ts";
import { createApiKey, createWorkspace } from "../../testing/data/factories.ts";
import { startTestStack } from "../../testing/service/stack.ts";

/** Calls of the recording that are replayed, the first ones. */
const visitCount = 2_000;
const patienceMs = 120_000;

/** A second workspace of the stack, with a sender as the demo has it. */
async function createTwin(stack: RunningStack): Promise<RunningStack> {
  const sql = postgres(stack.db_url, { max: 1, fetch_types: false });
  try {
    const workspaceId = await createWorkspace(sql, { name: "Twin" });
    const api_key = await createApiKey(sql, { workspaceId, scopes });
    await sql`
      insert into public.senders (workspace_id, key, name, provider, from_address)
      values (${workspaceId}, 'inbox', 'Inbox', 'inbox', 'Demo <demo@example.com>')`;
    return { ...stack, workspace_id: workspaceId, api_key };
  } finally {
    await sql.end();
  }
}

async function poll<Result>(read: () => Promise<Result | undefined>): Promise<Result> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt;) {
    const result = await read();
    if (result !== undefined) return result;
    await new Promise((go) => setTimeout(go, 200));
  }
  assert.fail("nothing came of it");
}

/** Rehearses a journey from a time on, once all its waits are over. */
async function rehearse(stack: RunningStack, key: string, since: string): Promise<JourneyFigures> {
  return await poll(async () => {
    const { job_id } = await callApi<{ job_id: string }>(stack, {
      method: "POST",
      path: `/journeys/${key}/rehearse`,
      body: { since },
    });
    const { result, error } = await poll(async () => {
      const job = await callApi<
        { finished_at: string | null; error: string | null; result: JourneyFigures }
      >(stack, { path: `/jobs/${job_id}` });
      return job.finished_at === null ? undefined : job;
    });
    assert.equal(error, null);
    return result.active === 0 ? result : undefined;
  });
}

/** The figures that a rehearsal has too. */
function summarize({ entered, active, reached_goal, exited, steps }: JourneyFigures) {
  return {
    entered,
    active,
    reached_goal,
    exited,
    steps: steps.map(({ step, kind, came, waiting, ways, skipped, reached_goal, sent }) => {
      return { step, kind, came, waiting, ways, skipped, reached_goal, sent };
    }),
  };
}

Deno.test("a rehearsal over the recorded traffic predicts exactly what the demo's journeys then do", async () => {
  await using stack = await startTestStack();
  const lanes = planLanes((await readRecording()).slice(0, visitCount), 16);
  const twin = await createTwin(stack.info);
  const since = new Date(Date.now() - 1000).toISOString();
  await setUpDrafts(twin);
  await replay(twin, lanes, () => {});
  const keys = Object.keys(demoJourneys);
  const predicted = [];
  for (const key of keys) predicted.push(summarize(await rehearse(twin, key, since)));

  await setUpJourneys(stack.info);
  await replay(stack.info, lanes, () => {});
  for (const [n, key] of keys.entries()) {
    const figures = await poll(async () => {
      const now = await readFigures(stack.info, key);
      return now.entered > 0 && isOver(now) ? now : undefined;
    });
    assert.deepEqual(summarize(figures), predicted[n], key);
    assert(figures.entered > 20 && figures.steps.some(({ sent }) => sent > 5));
  }
  assert(predicted.some(({ exited }) => (exited.goal ?? 0) > 5));
});
