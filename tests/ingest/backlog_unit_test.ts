import assert from "node:assert/strict";
import { createBatcher } from "../../supabase/functions/_shared/batching/batcher.ts";
import { Backlog } from "../../supabase/functions/_shared/batching/backlog.ts";
import type { IngestResult } from "../../supabase/functions/_shared/entries/ingest.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";

const maxStoreMs = 150;
const minEntries = 250;

/** A backlog after calls of 1,000 entries, each 50 ms after the last and left with `waitedMs`. */
function createOverloaded({ waitedMs = 200, calls = 40, leavesMore = true } = {}) {
  const backlog = new Backlog({ maxStoreMs, minEntries });
  let at = 0;
  for (let call = 0; call < calls; call++) {
    backlog.noteStart({ waitedMs, leavesMore: () => leavesMore }, at);
    at += 50;
    backlog.noteStored(1_000, at);
  }
  return { backlog, at };
}

Deno.test("Backlog admits what is stored within its limit, at the measured speed", () => {
  const { backlog, at } = createOverloaded();
  // 20 entries per ms, 150 ms; the average favours the moment after a call by a few percent.
  assert.equal(backlog.isTooLong(2_900, at), false);
  assert.equal(backlog.isTooLong(3_300, at), true);
});

Deno.test("Backlog refuses nothing while calls empty the queue, however long they take", () => {
  const { backlog, at } = createOverloaded({ waitedMs: 5_000, leavesMore: false });
  assert.equal(backlog.isTooLong(100_000, at), false);
});

Deno.test("Backlog refuses nothing after a short pause of the database", () => {
  const { backlog, at } = createOverloaded({ calls: 2 });
  assert.equal(backlog.isTooLong(100_000, at), false);
});

Deno.test("Backlog always admits a batch worth its call, however slow the database is", () => {
  const { backlog, at } = createOverloaded();
  // Nothing was stored for a while, and the average has fallen; another refusal prolongs the state.
  assert.equal(backlog.isTooLong(100_000, at + 1_900), true);
  assert.equal(backlog.isTooLong(100_000, at + 3_800), true);
  assert.equal(backlog.isTooLong(minEntries, at + 5_000), false);
  assert.equal(backlog.isTooLong(minEntries + 1, at + 5_000), true);
});

Deno.test("Backlog is over two seconds after its last refusal", () => {
  const { backlog, at } = createOverloaded();
  assert.equal(backlog.isTooLong(100_000, at + 1_900), true);
  assert.equal(backlog.isTooLong(100_000, at + 3_800), true);
  assert.equal(backlog.isTooLong(100_000, at + 5_900), false);
});

Deno.test("Backlog measures no speed while nothing is stored", () => {
  const { backlog, at } = createOverloaded();
  backlog.noteIdle();
  for (let call = 1; call <= 3; call++) backlog.noteStored(1_000, at + 1_000 + call * 50);
  assert.equal(backlog.isTooLong(2_500, at + 1_150), false);
});

const entriesPerMs = 10;

/** A database that stores 10 entries per ms, and a clock of the test's own. */
function createLoad() {
  let at = 0;
  const running: { endsAt: number; end: () => void }[] = [];
  const batcher = createBatcher({
    now: () => at,
    schedule: () => () => {},
    store: (entries) =>
      new Promise<IngestResult[]>((resolve) => {
        const startsAt = Math.max(at, ...running.map(({ endsAt }) => endsAt));
        running.push({
          endsAt: startsAt + entries.length / entriesPerMs,
          end: () => resolve(entries.map((id) => ({ ok: true, event_id: id, customer_id: id }))),
        });
      }),
  });
  async function advance(ms: number): Promise<void> {
    at += ms;
    for (const call of running.splice(0)) {
      if (call.endsAt <= at) call.end();
      else running.push(call);
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { batcher, advance, now: () => at };
}

/** Sends so many entries per ms, in bulks of 20; returns how long the admitted ones took, in order. */
async function send(
  perMs: number,
  { workspaceId = "shop", forMs = 3_000 } = {},
  load = createLoad(),
) {
  const took: { at: number; ms: number }[] = [];
  let refused = 0;
  const sent = load.now();
  for (let ms = 0; ms < forMs; ms += 5) {
    for (let n = 0; n < perMs * 5 / 20; n++) {
      const at = load.now();
      load.batcher.add(workspaceId, Array(20).fill("e")).then(
        () => took.push({ at: at - sent, ms: load.now() - at }),
        (error) => {
          assert(error instanceof ApiError && error.status === 503);
          assert.equal(error.headers["Retry-After"], "1");
          refused++;
        },
      );
    }
    await load.advance(5);
  }
  return { took, refused, load };
}

Deno.test("add() keeps admitted requests quick at three times the speed of the database", async () => {
  const { took, refused, load } = await send(3 * entriesPerMs);
  const settled = took.filter(({ at }) => at > 1_000);
  assert(settled.length * 20 > 0.9 * entriesPerMs * 2_000, `${settled.length} were admitted`);
  const slowest = Math.max(...settled.map(({ ms }) => ms));
  assert(slowest <= 250, `the slowest admitted request took ${slowest} ms`);
  assert(refused > 0);
  // Afterwards everything is admitted again.
  for (let ms = 0; ms < 1_000; ms += 5) await load.advance(5);
  const after = await send(8, { forMs: 1_000 }, load);
  assert.equal(after.refused, 0);
});

Deno.test("add() admits everything of a quiet workspace next to an overload", async () => {
  const load = createLoad();
  // Both move the clock, so each sends half as much.
  const [loud, quiet] = await Promise.all([
    send(6 * entriesPerMs, {}, load),
    send(1, { workspaceId: "quiet", forMs: 1_500 }, load),
  ]);
  assert(loud.refused > 0);
  assert.equal(quiet.refused, 0);
});

Deno.test("requireRoom() refuses a body before it is read, and only during an overload", async () => {
  const load = createLoad();
  load.batcher.requireRoom("shop");
  const sending = send(3 * entriesPerMs, { forMs: 1_000 }, load);
  let refusals = 0;
  for (let n = 0; n < 150; n++) {
    await new Promise((resolve) => setTimeout(resolve));
    try {
      load.batcher.requireRoom("shop");
    } catch (error) {
      assert(error instanceof ApiError && error.status === 503);
      refusals++;
    }
  }
  await sending;
  assert(refusals > 0);
});
