import assert from "node:assert/strict";
import type { Sql } from "../../supabase/functions/_shared/db/connect.ts";
import { createLog } from "../../supabase/functions/_shared/log/log.ts";
import { createLoopShare } from "../../supabase/functions/track/loop_share.ts";
import {
  createRejectionLog,
  type RefusedCall,
} from "../../supabase/functions/track/rejection_log.ts";

function refused(entry: unknown): RefusedCall {
  return {
    workspaceId: "workspace",
    origin: "track",
    entry,
    code: "invalid_input",
    error: "Field is required",
    requestId: "request",
  };
}

/** A rejection log whose statements end when the test says so. */
function createWorld() {
  const statements: { entries: string[]; end: (error?: Error) => void }[] = [];
  const sql = (_text: TemplateStringsArray, batch: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entries = JSON.parse(batch).map(({ entry }: { entry: string }) => entry);
    statements.push({ entries, end: (error) => error ? reject(error) : resolve() });
    return promise;
  };
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ name: "test", write: (line) => void lines.push(JSON.parse(line)) });
  const rejectionLog = createRejectionLog({ sql: sql as unknown as Sql, log });
  // Its clock stands still, so that no entry waits for its turn.
  const loop = createLoopShare({ now: () => 0 });
  const rejections = {
    keep: (calls: RefusedCall[]) => rejectionLog.keep(calls, loop.slicesOf("workspace")),
  };
  return { statements, lines, rejections };
}

/** Lets everything that can continue without the database continue. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("keep() collects entries during a statement and stores them with the next", async () => {
  const { statements, rejections } = createWorld();
  const first = rejections.keep([refused(1)]);
  await settle();
  const others = [rejections.keep([refused(2)]), rejections.keep([refused(3)])];
  statements[0]!.end();
  await first;
  await settle();
  statements[1]!.end();
  await Promise.all(others);
  assert.deepEqual(statements.map(({ entries }) => entries), [["1"], ["2", "3"]]);
});

Deno.test("keep() never fails, and continues after a failed statement", async () => {
  const { statements, lines, rejections } = createWorld();
  const lost = rejections.keep([refused(1)]);
  await settle();
  statements[0]!.end(new Error("connection closed"));
  await lost;
  const kept = rejections.keep([refused(2)]);
  await settle();
  statements[1]!.end();
  await kept;
  assert.deepEqual(statements[1]!.entries, ["2"]);
  assert.deepEqual(lines.map(({ level, msg, count }) => [level, msg, count]), [
    ["warn", "rejected entries not kept", 1],
  ]);
});

Deno.test("keep() truncates an entry nested so deeply that JSON.stringify would fail", async () => {
  const { statements, rejections } = createWorld();
  const levels = 10_000;
  // A key like an index takes JSON.stringify off its way that survives any depth.
  const text = `{"0":1,"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const kept = rejections.keep([refused(JSON.parse(text)), refused({ a: 1 })]);
  await settle();
  statements[0]!.end();
  await kept;
  const cut = `{"0":1,"a":${"[".repeat(99)}"…"${"]".repeat(99)}}`;
  assert.deepEqual(statements[0]!.entries, [cut, '{"a":1}']);
});

Deno.test("keep() does not fail on an entry that cannot be serialized", async () => {
  const { statements, lines, rejections } = createWorld();
  await rejections.keep([refused(1n)]);
  assert.deepEqual(statements, []);
  assert.deepEqual(lines.map(({ level, msg, count }) => [level, msg, count]), [
    ["warn", "rejected entries not kept", 1],
  ]);
});

Deno.test("keep() drops entries beyond its limit, and none that follow", async () => {
  const { statements, lines, rejections } = createWorld();
  const large = Array.from({ length: 300 }, () => refused("x".repeat(60_000)));
  await rejections.keep(large);
  const kept = rejections.keep([refused(1)]);
  await settle();
  statements[0]!.end();
  await kept;
  assert.deepEqual(statements.map(({ entries }) => entries), [["1"]]);
  assert.deepEqual(lines.map(({ count }) => count), [300]);
});
