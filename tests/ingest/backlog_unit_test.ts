import assert from "node:assert/strict";
import { createBatcher, type Room } from "../../supabase/functions/_shared/batching/batcher.ts";
import { Backlog } from "../../supabase/functions/_shared/batching/backlog.ts";
import type { IngestResult } from "../../supabase/functions/_shared/entries/ingest.ts";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";

const maxStoreMs = 150;
const minEntries = 250;
const minRequests = 16;

/** A backlog after calls, one every 50 ms, that each took `tookMs` while 6,000 entries were held. */
function createOverloaded({ tookMs = 300, calls = 10, leftMore = true } = {}) {
  const backlog = new Backlog({ maxStoreMs, minEntries, minRequests });
  for (let call = 1; call <= calls; call++) {
    backlog.noteStored({ tookMs, leftMore, held: 6_000 }, call * 50);
  }
  return { backlog, at: calls * 50 };
}

/** Asks for the only workspace. */
function isTooLate(backlog: Backlog, held: number, at: number): boolean {
  return backlog.isTooLate({ held, requests: 1_000, own: held, workspaces: 1 }, at);
}

Deno.test("Backlog admits less until entries are stored in time, and then as much", () => {
  const { backlog, at } = createOverloaded();
  assert.equal(isTooLate(backlog, 3_001, at), true);
  assert.equal(isTooLate(backlog, 3_000, at), false);
  assert.equal(isTooLate(backlog, minEntries, at), false);
  for (let call = 0; call < 30; call++) {
    backlog.noteStored({ tookMs: 100, leftMore: true, held: 1_000 }, at);
  }
  assert.equal(isTooLate(backlog, 6_000, at), false);
});

Deno.test("Backlog refuses nothing while calls empty the queue, however long they take", () => {
  const { backlog, at } = createOverloaded({ tookMs: 5_000, leftMore: false });
  assert.equal(isTooLate(backlog, 100_000, at), false);
});

Deno.test("Backlog refuses nothing after a short pause of the database", () => {
  const { backlog, at } = createOverloaded({ calls: 2 });
  assert.equal(isTooLate(backlog, 100_000, at), false);
});

Deno.test("Backlog shares its limit: a workspace that sends little is admitted next to a loud one", () => {
  const { backlog, at } = createOverloaded();
  const all = { held: 10_000, requests: 1_000 };
  assert.equal(backlog.isTooLate({ ...all, own: 9_900, workspaces: 2 }, at), true);
  assert.equal(backlog.isTooLate({ ...all, own: 100, workspaces: 2 }, at), false);
  // Many workspaces that send little are too many as well.
  assert.equal(backlog.isTooLate({ ...all, own: 100, workspaces: 100 }, at), true);
});

Deno.test("Backlog always admits a batch worth its call, however slow the database is", () => {
  const { backlog, at } = createOverloaded({ tookMs: 60_000, calls: 40 });
  assert.equal(isTooLate(backlog, minEntries, at), false);
  assert.equal(isTooLate(backlog, minEntries + 1, at), true);
});

Deno.test("Backlog always admits a few callers, however slow the database is and large their bulks are", () => {
  const { backlog, at } = createOverloaded({ tookMs: 60_000, calls: 40 });
  const bulks = { held: 8_000, own: 8_000, workspaces: 1 };
  assert.equal(backlog.isTooLate({ ...bulks, requests: minRequests }, at), false);
  assert.equal(backlog.isTooLate({ ...bulks, requests: minRequests + 1 }, at), true);
});

Deno.test("Backlog is over two seconds after its last refusal", () => {
  const { backlog, at } = createOverloaded({ calls: 4 });
  assert.equal(isTooLate(backlog, 100_000, at + 1_900), true);
  assert.equal(isTooLate(backlog, 100_000, at + 3_800), true);
  assert.equal(isTooLate(backlog, 100_000, at + 5_900), false);
});

const entriesPerMs = 10;
/** Size of a body with 20 entries, as `send` sends. */
const bytes = 10_000;

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

Deno.test("reserveRoom() refuses a body before it is parsed, and only during an overload", async () => {
  const load = createLoad();
  load.batcher.reserveRoom("shop", bytes).leave();
  const sending = send(3 * entriesPerMs, { forMs: 1_000 }, load);
  let refusals = 0;
  for (let n = 0; n < 150; n++) {
    await new Promise((resolve) => setTimeout(resolve));
    try {
      load.batcher.reserveRoom("shop", bytes).leave();
    } catch (error) {
      assert(error instanceof ApiError && error.status === 503);
      refusals++;
    }
  }
  await sending;
  assert(refusals > 0);
});

Deno.test("reserveRoom() counts bodies that are being parsed as waiting entries", async () => {
  const load = createLoad();
  await send(3 * entriesPerMs, { forMs: 1_000 }, load);
  // The waiting entries are stored; the overload is not over yet.
  for (let ms = 0; ms < 500; ms += 5) await load.advance(5);
  const rooms: Room[] = [];
  const reserve = () => rooms.push(load.batcher.reserveRoom("shop", bytes));
  assert.throws(() => {
    for (let n = 0; n < 1_000; n++) reserve();
  }, ApiError);
  assert(rooms.length > minRequests, `${rooms.length} bodies were admitted`);
  // Admitted bodies are stored, even if more arrive.
  const added = rooms.map((room) => load.batcher.add("shop", Array(20).fill("e"), room));
  assert.throws(reserve, ApiError);
  for (let ms = 0; ms < 1_000; ms += 5) await load.advance(5);
  await Promise.all(added);
  // All rooms are free again; leaving one twice frees nothing else.
  for (const room of rooms) room.leave();
  const admitted = rooms.length;
  rooms.length = 0;
  for (let n = 0; n < admitted; n++) reserve();
});

Deno.test("reserveRoom() learns how many entries a body holds", async () => {
  const load = createLoad();
  const addOne = (size: number) => {
    const room = load.batcher.reserveRoom("shop", size);
    return load.batcher.add("shop", ["e"], room);
  };
  // After many small bodies, a large one counts as few entries, and at most as a full call.
  const added = Array.from({ length: 200 }, () => addOne(100_000));
  const rooms = Array.from({ length: 100 }, () => load.batcher.reserveRoom("shop", 1_000_000));
  assert.equal(rooms.length, 100);
  await load.advance(1_000);
  await Promise.all([...added, load.advance(1_000)]);
});
