import assert from "node:assert/strict";
import type { StackInfo } from "../../local/stack.ts";
import type { TestDatabase } from "../../testing/postgres/database.ts";
import { startOwnServer } from "../../testing/postgres/own_server.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const callerCount = 8;
const mostLosses = 10;

async function readTable(info: StackInfo): Promise<number> {
  const response = await fetch(`${info.base_url}/rest/v1/notes?select=*`, {
    headers: { apikey: info.secret_key, authorization: `Bearer ${info.secret_key}` },
  });
  await response.body?.cancel();
  return response.status;
}

async function signIn(info: StackInfo): Promise<number> {
  const response = await fetch(`${info.base_url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: info.publishable_key, "content-type": "application/json" },
    body: JSON.stringify(info.user),
  });
  await response.body?.cancel();
  return response.status;
}

async function track(info: StackInfo): Promise<number> {
  const response = await fetch(`${info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${info.api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ external_id: "ada", name: "seen" }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Calls without a pause until stopped; the statuses. A call without a response fails it. */
function startCallers(info: StackInfo) {
  let isOver = false;
  const statuses: number[] = [];
  const call = async (_: unknown, n: number) => {
    while (!isOver) statuses.push(await (n % 4 === 0 ? track(info) : readTable(info)));
  };
  const callers = Promise.all(Array.from({ length: callerCount }, call));
  return {
    async stop() {
      isOver = true;
      await callers;
      return statuses;
    },
  };
}

/** Each part of the stack has responded well, however many tries that took. */
async function assertWhole(info: StackInfo): Promise<void> {
  for (const call of [readTable, signIn, track]) {
    while (await call(info) >= 500);
    // Another connection each, as many as the pools have.
    const statuses = await Promise.all(Array.from({ length: 20 }, () => call(info)));
    assert.deepEqual(new Set(statuses), new Set([200]), call.name);
  }
}

/** A table that the Data API shows: it shows nothing of the service's own. */
async function makeTable({ sql }: TestDatabase): Promise<void> {
  await sql.unsafe(`
    create table if not exists public.notes (text text);
    grant select on public.notes to service_role;
  `);
}

/** Ends every other session, in the middle of what it does. */
async function endSessions({ sql }: TestDatabase): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `;
}

Deno.test("the local stack survives the loss of its database under load", async (t) => {
  await using server = await startOwnServer();
  await makeTable(server.db);
  await using stack = await startTestStack({ args: ["--database-url", server.db.url] });
  const losses = {
    "sessions end": () => endSessions(server.db),
    "the server ends": () => server.restart("fast"),
    "the server drops everything": () => server.restart("immediate"),
  };
  for (const [name, lose] of Object.entries(losses)) {
    await t.step(name, async () => {
      await assertWhole(stack.info);
      // A loss between two calls hurts nobody.
      let isHurt = false;
      for (let losses = 0; losses < mostLosses && !isHurt; losses++) {
        const callers = startCallers(stack.info);
        await lose();
        isHurt = (await callers.stop()).some((status) => status >= 500);
      }
      assert(isHurt, "nothing was under way");
    });
  }
  await assertWhole(stack.info);
  assert.equal(await stack.stop(), 0);
});
