import assert from "node:assert/strict";
import {
  createLog,
  type EventKind,
  type LogEvent,
} from "../../supabase/functions/_shared/log/log.ts";
import { type Bound, createLogBound } from "../../supabase/functions/_shared/log/log_bound.ts";

/** A bounded log by a clock of the test's own. */
function createWorld(level: "debug" | "info" | "warn" = "info") {
  const clock = { ms: 0 };
  const waiting: { work: () => void; at: number }[] = [];
  const lines: { at: number; line: Record<string, unknown> }[] = [];
  let bound: Bound | undefined;
  const log = createLog({
    name: "track",
    level,
    now: () => new Date(clock.ms),
    write: (line) => void lines.push({ at: clock.ms, line: JSON.parse(line) }),
    bound: (write) => {
      const schedule = (work: () => void, ms: number) =>
        void waiting.push({ work, at: clock.ms + ms });
      bound = createLogBound({ write, now: () => clock.ms, schedule });
      return bound.take;
    },
  });
  return {
    log,
    lines,
    waiting,
    advance(ms: number) {
      clock.ms += ms;
      for (const { work } of waiting.splice(0).filter((timer) => timer.at <= clock.ms)) work();
    },
    flush: () => bound?.flush(),
  };
}

type World = ReturnType<typeof createWorld>;

function makeRequest(kind: EventKind, id: string, durationMs = 1): LogEvent {
  const status = { failure: 503, refusal: 429, success: 200 }[kind];
  const group = { method: "POST", route: "/", status };
  const level = kind === "failure" ? "error" : "info";
  const fields = { request_id: id, ...group };
  return { msg: "request", level, kind, id, durationMs, group, fields };
}

/** The most lines in any ten seconds. */
function countMost(lines: World["lines"]): number {
  return Math.max(
    ...lines.map(({ at }) => lines.filter((l) => l.at >= at && l.at < at + 10_000).length),
  );
}

/** Number of requests that the log reports, one by one or in sums. */
function countTold({ lines }: World, status: number): number {
  return lines.map(({ line }) => {
    if (line.msg === "request") return line.status === status ? 1 : 0;
    const groups = (line.groups ?? []) as { status: number; count: number }[];
    return groups.filter((group) => group.status === status)
      .reduce((sum, { count }) => sum + count, 0);
  }).reduce((sum, count) => sum + count, 0);
}

Deno.test("a few requests get a line each, and nothing is scheduled", () => {
  const world = createWorld();
  for (const id of ["a", "b", "c"]) {
    world.log.event(makeRequest("success", id));
    world.advance(2_000);
  }
  assert.deepEqual(world.lines.map(({ line }) => line.request_id), ["a", "b", "c"]);
  assert.deepEqual(world.waiting, []);
});

Deno.test("a flood of all events stays under 100 lines in any 10 seconds, and loses no count", () => {
  const world = createWorld();
  const kinds = ["success", "refusal", "failure"] as const;
  for (let ms = 0; ms < 30_000; ms += 10) {
    for (const kind of kinds) {
      for (let i = 0; i < 10; i++) world.log.event(makeRequest(kind, `${kind} ${ms} ${i}`));
    }
    world.log.warn("rate limit unreachable");
    world.advance(10);
  }
  world.flush();
  assert(countMost(world.lines) < 100, `${countMost(world.lines)} lines`);
  for (const status of [200, 429, 503]) assert.equal(countTold(world, status), 30_000);
  // The platform cuts off longer ones.
  for (const { line } of world.lines) assert(JSON.stringify(line).length < 10_000);
});

Deno.test("failures keep their lines during a flood of refusals", () => {
  const world = createWorld();
  for (let i = 0; i < 1_000; i++) world.log.event(makeRequest("refusal", `refused ${i}`));
  for (let i = 0; i < 20; i++) world.log.event(makeRequest("failure", `failed ${i}`));
  const ids = world.lines.map(({ line }) => line.request_id);
  for (let i = 0; i < 20; i++) assert(ids.includes(`failed ${i}`));
});

Deno.test("failures beyond their lines are counted with their ids", () => {
  const world = createWorld();
  for (let i = 0; i < 60; i++) world.log.event(makeRequest("failure", `failed ${i}`, i));
  world.advance(1_000);
  const text = JSON.stringify(world.lines);
  for (let i = 0; i < 60; i++) assert(text.includes(`"failed ${i}"`));
  const { line } = world.lines.at(-1)!;
  assert.equal(line.level, "error");
  const [group] = line.groups as Record<string, unknown>[];
  const { count, p50_ms, p95_ms, max_ms } = group!;
  assert.deepEqual({ count, p50_ms, p95_ms, max_ms }, {
    count: 40,
    p50_ms: 39,
    p95_ms: 57,
    max_ms: 59,
  });
});

Deno.test("the counts are written before the process ends", () => {
  const world = createWorld();
  for (let i = 0; i < 15; i++) world.log.event(makeRequest("success", String(i)));
  world.flush();
  world.advance(5_000);
  assert.equal(countTold(world, 200), 15);
  assert.equal(world.lines.length, 11);
});

Deno.test("many different groups are one line, the last ones together", () => {
  const world = createWorld();
  for (let i = 0; i < 200; i++) {
    const event = makeRequest("refusal", String(i));
    world.log.event({ ...event, group: { ...event.group, route: `/${i}` } });
  }
  world.flush();
  const groups = world.lines.at(-1)!.line.groups as { msg: string; count: number }[];
  assert.equal(groups.length, 21);
  assert.deepEqual({ ...groups.at(-1), msg: groups.at(-1)!.msg }, {
    ...groups.at(-1),
    msg: "others",
    count: 170,
  });
});

Deno.test("LOG_LEVEL decides: debug writes each line, warn neither writes nor counts successes", () => {
  const everything = createWorld("debug");
  const warnings = createWorld("warn");
  for (let i = 0; i < 100; i++) {
    everything.log.event(makeRequest("success", String(i)));
    warnings.log.event(makeRequest("success", String(i)));
  }
  warnings.flush();
  assert.equal(everything.lines.length, 100);
  assert.equal(warnings.lines.length, 0);
});

Deno.test("an error is described in its own line, and costs nothing where it is only counted", () => {
  const world = createWorld();
  let read = 0;
  for (let i = 0; i < 100; i++) {
    const error = Object.defineProperty(new Error("gone"), "stack", { get: () => `at ${read++}` });
    world.log.event({ ...makeRequest("failure", `r${i}`), error });
  }
  const own = world.lines.filter(({ line }) => line.msg === "request");
  assert.equal(own.length, read);
  assert.deepEqual([own[0]!.line.error, own[0]!.line.stack], ["gone", "at 0"]);
  assert.ok(read < 100);
});
