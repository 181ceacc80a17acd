import assert from "node:assert/strict";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { createGroupLookup } from "../../supabase/functions/_shared/cache/group_lookup.ts";

interface Statement {
  keys: string;
  succeed: () => Promise<void>;
  fail: () => Promise<void>;
}

/** Statements that end when told, and a clock that only moves when told. Keys in capitals are known. */
function createWorld(options: { maxKeys?: number; maxWaiting?: number } = {}) {
  const statements: Statement[] = [];
  let at = 0;
  let scheduled: { at: number; run: () => void }[] = [];
  const group = createGroupLookup<string, string>({
    pauseMs: 20,
    now: () => at,
    schedule: (run, ms) => void scheduled.push({ at: at + ms, run }),
    lookUp: (keys) =>
      new Promise((resolve, reject) => {
        const values = keys.map((key) => key === key.toUpperCase() ? `value of ${key}` : undefined);
        statements.push({
          keys: keys.join(" "),
          succeed: () => settleAfter(() => resolve(values)),
          fail: () => settleAfter(() => reject(new Error("gone"))),
        });
      }),
    ...options,
  });
  const advance = (ms: number) => {
    at += ms;
    const due = scheduled.filter((item) => item.at <= at);
    scheduled = scheduled.filter((item) => item.at > at);
    for (const { run } of due) run();
  };
  const find = (key: string, wasKnown = false) => {
    const found = group.find(key, wasKnown);
    found.catch(() => {});
    return found;
  };
  return { statements, find, advance, asked: () => statements.map(({ keys }) => keys) };
}

async function settleAfter(end: () => void): Promise<void> {
  end();
  await new Promise((resolve) => setTimeout(resolve));
}

Deno.test("find() looks up a single key immediately, and collects others during the statement", async () => {
  const { statements, find, asked } = createWorld();
  const found = ["A", "B", "C", "D"].map((key) => find(key));
  assert.deepEqual(asked(), ["A"]);
  await statements[0]!.succeed();
  assert.deepEqual(asked(), ["A", "B C D"]);
  await statements[1]!.succeed();
  assert.deepEqual(await Promise.all(found), ["A", "B", "C", "D"].map((key) => `value of ${key}`));
});

Deno.test("find() limits the keys per statement, and keeps their order", async () => {
  const { statements, find, asked } = createWorld({ maxKeys: 2 });
  const last = ["A", "B", "C", "D", "E"].map((key) => find(key)).at(-1)!;
  await statements[0]!.succeed();
  await statements[1]!.succeed();
  await statements[2]!.succeed();
  assert.deepEqual(asked(), ["A", "B C", "D E"]);
  assert.equal(await last, "value of E");
});

Deno.test("find() pauses after a statement with unknown keys, which limits invented keys", async () => {
  const { statements, find, asked, advance } = createWorld();
  const unknown = find("a");
  await statements[0]!.succeed();
  assert.equal(await unknown, undefined);
  const known = find("B");
  find("c");
  advance(19);
  assert.deepEqual(asked(), ["a"]);
  advance(1);
  assert.deepEqual(asked(), ["a", "B c"]);
  await statements[1]!.succeed();
  assert.equal(await known, "value of B");
  find("d");
  advance(19);
  assert.equal(statements.length, 2);
});

Deno.test("find() looks up a known key first and without a pause", async () => {
  const { statements, find, asked } = createWorld({ maxKeys: 2 });
  ["a", "b", "c"].forEach((key) => find(key));
  const renewed = find("K", true);
  await statements[0]!.succeed();
  assert.deepEqual(asked(), ["a", "K b"]);
  await statements[1]!.succeed();
  assert.equal(await renewed, "value of K");
});

Deno.test("find() refuses new keys with 503 while too many wait, but never known ones", async () => {
  const { statements, find, asked } = createWorld({ maxWaiting: 2 });
  ["A", "b", "C"].forEach((key) => find(key));
  await assert.rejects(find("d"), (error) => error instanceof ApiError && error.status === 503);
  const renewed = find("K", true);
  await statements[0]!.succeed();
  assert.deepEqual(asked(), ["A", "K b C"]);
  await statements[1]!.succeed();
  assert.equal(await renewed, "value of K");
  const later = find("E");
  assert.equal(await Promise.race([later, Promise.resolve("waits")]), "waits");
});

Deno.test("find() rejects only the calls of a failed statement", async () => {
  const { statements, find } = createWorld();
  const [first, second] = [find("A"), find("B")];
  await statements[0]!.fail();
  await assert.rejects(first, /gone/);
  await statements[1]!.succeed();
  assert.equal(await second, "value of B");
});
