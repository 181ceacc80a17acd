import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { removeDataDir, startTestStack, type TestStack } from "../../testing/service/stack.ts";
import { sendEntries, startLoad, type TrackedEntry } from "../../testing/senders/tracked_load.ts";

const storedCount = 2000;
const retrySize = 100;

interface StoredKey {
  key: string;
  event_id: string;
  events: number;
}

Deno.test("track keeps every acknowledged entry exactly once if the service is killed", async () => {
  await crashUnderLoad((stack) => stack.kill());
});

Deno.test("track keeps every acknowledged entry exactly once if the database server is killed", async () => {
  await crashUnderLoad(async (stack) => {
    const file = join(stack.dataDir, "postgres", "cluster", "postmaster.pid");
    Deno.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
    await stack.kill();
  });
});

async function crashUnderLoad(crash: (stack: TestStack) => Promise<void>): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "signalpost-crash-" });
  const entries = await loadUntil(crash, dataDir);
  await using stack = await startTestStack({ dataDir });
  const sql = postgres(stack.info.db_url, { max: 1, fetch_types: false });
  try {
    assertStored(await readStored(sql), entries.filter(({ eventId }) => eventId !== undefined));
    const unacknowledged = entries.filter(({ eventId }) => eventId === undefined);
    assert(unacknowledged.length > 0, "nothing was under way when it crashed");
    for (let i = 0; i < unacknowledged.length; i += retrySize) {
      assert(await sendEntries(stack.info, unacknowledged.slice(i, i + retrySize)));
    }
    const stored = await readStored(sql);
    assert.equal(stored.size, entries.length);
    assertStored(stored, entries);
    const [row] = await sql`select count(*)::integer as events from public.events`;
    assert.equal(row?.events, entries.length);
  } finally {
    await sql.end();
  }
  await stack.stop();
  await removeDataDir(dataDir);
}

async function loadUntil(
  crash: (stack: TestStack) => Promise<void>,
  dataDir: string,
): Promise<TrackedEntry[]> {
  await using stack = await startTestStack({ dataDir });
  const load = startLoad(stack.info);
  await Promise.race([load.stored(storedCount), load.ended]);
  await crash(stack);
  await load.ended;
  const stored = load.entries.filter(({ eventId }) => eventId !== undefined).length;
  assert(stored >= storedCount, `the load ended after ${stored} responses`);
  return load.entries;
}

/** Every key that was stored, with the number of events of its id. */
async function readStored(sql: postgres.Sql): Promise<Map<string, StoredKey>> {
  const rows = await sql<StoredKey[]>`
    select k.key, k.event_id, count(e.id)::integer as events
    from private.idempotency_keys as k
    left join public.events as e on e.workspace_id = k.workspace_id and e.id = k.event_id
    group by k.workspace_id, k.key, k.event_id`;
  return new Map(rows.map((row) => [row.key, row]));
}

function assertStored(stored: Map<string, StoredKey>, entries: TrackedEntry[]): void {
  for (const { entry: { idempotency_key: key }, eventId } of entries) {
    assert.deepEqual(stored.get(key), { key, event_id: eventId, events: 1 });
  }
}
