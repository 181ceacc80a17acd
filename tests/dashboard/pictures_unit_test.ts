import assert from "node:assert/strict";
import { drawResult, isEmptyResult } from "../../dashboard/src/pages/explore/pictures.ts";
import type { Question } from "../../dashboard/src/pages/explore/question.ts";

const question: Question = {
  kind: "paths",
  body: {
    start: { event: "signed_up" },
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
  },
};
const start = { kind: "start", name: "signed_up" } as const;
const viewed = { kind: "event", name: "viewed" } as const;
const other = { kind: "other", name: null } as const;
const end = { kind: "end", name: null } as const;

Deno.test("paths are streams between the places of each position", () => {
  const { flow, columns, rows } = drawResult(question, {
    is_exact: true,
    sampled_share: 1,
    customers: 10,
    links: [
      { step: 1, from: start, to: viewed, customers: 7 },
      { step: 1, from: start, to: end, customers: 3 },
      { step: 2, from: viewed, to: viewed, customers: 5 },
      { step: 2, from: viewed, to: other, customers: 2 },
    ],
  });
  assert.deepEqual(flow?.headings, ["Start", "First event", "Second event"]);
  assert.deepEqual(
    flow?.places.map(({ label, column, count }) => [label, column, count]),
    [
      ["signed_up", 0, 10],
      ["viewed", 1, 7],
      ["Nothing more", 1, 3],
      ["viewed", 2, 5],
      ["Other events", 2, 2],
    ],
  );
  const [, first, , second] = flow?.places ?? [];
  assert.equal(first?.color, second?.color);
  const keys = new Set(flow?.places.map(({ key }) => key));
  assert.ok(flow?.streams.every(({ from, to }) => keys.has(from) && keys.has(to)));
  assert.deepEqual(columns, ["Position", "From", "To", "Customers", "Of all"]);
  assert.deepEqual(rows[1], ["First event", "signed_up", "Nothing more", 3, "30%"]);
});

Deno.test("trends answer with their total, and their table has the newest interval first", () => {
  const body = { event: { event: "signed_up" }, since: "2026-11-01", until: "2026-11-03" };
  const { answer, rows, hasTotals, labels } = drawResult({ kind: "counts", body }, {
    is_exact: true,
    sampled_share: 1,
    zone: "UTC",
    starts: ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"],
    series: [{ kind: "all", value: null, total: 1200, counts: [0, 1200] }],
  });
  assert.equal(answer, "1,200 events");
  assert.equal(hasTotals, true);
  assert.deepEqual(labels, ["1 Nov", "2 Nov"]);
  assert.deepEqual(rows, [["Total", 1200], ["2 Nov", 1200], ["1 Nov", 0]]);
});

Deno.test("no customers make a table without streams", () => {
  const result = { is_exact: true, sampled_share: 1, customers: 0, links: [] };
  assert.equal(drawResult(question, result).flow, undefined);
});

Deno.test("a time range without events has no picture", () => {
  const quality = { is_exact: true, sampled_share: 1 };
  const zone = "UTC";
  const at = "2026-11-02T00:00:00.000Z";
  const retained = (customers: number) => ({
    ...quality,
    zone,
    cohorts: [{ at, customers, returned: [0] }],
  });
  assert.equal(isEmptyResult({ ...quality, customers: 0, links: [] }), true);
  assert.equal(isEmptyResult(retained(0)), true);
  assert.equal(isEmptyResult(retained(4)), false);
});
