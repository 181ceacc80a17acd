import assert from "node:assert/strict";
import { joinResults, listCalls } from "../../dashboard/src/pages/explore/compare.ts";
import {
  drawResult,
  isEmptyResult,
  nameRange,
} from "../../dashboard/src/pages/explore/pictures.ts";
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
  const { answer, rows, hasTotals, labels } = drawResult({ kind: "counts", body, compared: [] }, {
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

Deno.test("only an interval that has not ended is pale", () => {
  const isPale = (start: number) => {
    const body = { event: { event: "signed_up" }, since: "2026-11-01", until: "2026-11-03" };
    return drawResult({ kind: "counts", body, compared: [] }, {
      is_exact: true,
      sampled_share: 1,
      zone: "UTC",
      starts: [new Date(start).toISOString()],
      series: [{ kind: "all", value: null, total: 1, counts: [1] }],
    }).isUnfinished;
  };
  const dayMs = 86_400_000;
  assert.equal(isPale(Date.now() - dayMs / 2), true);
  assert.equal(isPale(Date.now() - 2 * dayMs), false);
});

Deno.test("sums and averages have the decimals of money, and an interval without numbers is empty", () => {
  const body = {
    event: { event: "ordered" },
    value: "total",
    since: "2026-11-01",
    until: "2026-11-03",
  };
  const quality = { is_exact: true, sampled_share: 1, zone: "UTC" };
  const starts = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
  const sums = drawResult({
    kind: "counts",
    body: { ...body, measure: "sum", property: "plan" },
    compared: [],
  }, {
    ...quality,
    starts,
    series: [
      { kind: "value", value: "pro", total: 1200.5, counts: [0, 1200.5] },
      { kind: "missing", value: null, total: -0.25, counts: [-0.25, 0] },
    ],
  });
  assert.equal(sums.title, "Sum of total of ordered by plan");
  assert.equal(sums.answer, "1,200.25 in total");
  assert.equal(sums.decimals, 2);
  assert.equal(sums.isStacked, true);
  assert.deepEqual(sums.columns, ["Day", "pro", "Without the property"]);
  assert.deepEqual(sums.rows[0], ["Total", 1200.5, -0.25]);

  const averages = drawResult({
    kind: "counts",
    body: { ...body, measure: "average" },
    compared: [],
  }, {
    ...quality,
    starts,
    series: [{ kind: "all", value: null, total: 4, counts: [null, 4] }],
  });
  assert.equal(averages.answer, "4 on average");
  assert.equal(averages.isStacked, false);
  assert.deepEqual(averages.columns, ["Day", "Average of total"]);
  assert.deepEqual(averages.rows, [["All", 4], ["2 Nov", 4], ["1 Nov", null]]);
});

Deno.test("ranges of numbers have readable names", () => {
  const counts = { total: 3, counts: [3] };
  const body = { event: { event: "ordered" }, property: "total", since: "2026-11-01" };
  const { columns } = drawResult(
    { kind: "counts", body: { ...body, until: "2026-11-02" }, compared: [] },
    {
      is_exact: true,
      sampled_share: 1,
      zone: "UTC",
      starts: ["2026-11-01T00:00:00.000Z"],
      series: [
        { kind: "range", value: null, range: { from: null, to: 1000 }, ...counts },
        { kind: "range", value: null, range: { from: 1000, to: 2000 }, ...counts },
        { kind: "range", value: null, range: { from: 2000, to: null }, ...counts },
        { kind: "other", value: null, ...counts },
      ],
    },
  );
  assert.deepEqual(columns, ["Day", "Under 1,000", "1,000–2,000", "2,000 or more", "Other values"]);
  assert.equal(nameRange({ from: -0.4, to: -0.2 }), "-0.4 to -0.2");
  assert.equal(nameRange({ from: 0, to: 0.05 }), "0–0.05");
});

Deno.test("events that are compared have a line each, with zeros for one that did not happen", () => {
  const where = [{ property: "plan", op: "eq" as const, value: "pro" }];
  const compared = [{ event: "signed_up", where }, { event: "left" }];
  const body = { event: { event: "signed_up" }, since: "2026-11-01", until: "2026-11-03" };
  const quality = { is_exact: true, sampled_share: 1, zone: "UTC" };
  const starts = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
  const all = { kind: "all" as const, value: null };
  const question: Question = { kind: "counts", body, compared };
  assert.deepEqual(listCalls(question), [
    body,
    { ...body, event: compared[0] },
    { ...body, event: compared[1] },
  ]);
  const result = joinResults(question, [
    { ...quality, starts, series: [{ ...all, total: 30, counts: [10, 20] }] },
    {
      ...quality,
      starts,
      is_exact: false,
      sampled_share: 0.5,
      series: [{ ...all, total: 12, counts: [4, 8] }],
    },
    { ...quality, starts, series: [] },
  ]);
  assert.deepEqual([result.is_exact, result.sampled_share], [false, 0.5]);
  const { title, kind, isStacked, series, rows } = drawResult(question, result);
  assert.equal(title, "signed_up, signed_up (plan is pro), left");
  assert.deepEqual([kind, isStacked], ["line", false]);
  assert.deepEqual(series, [
    { label: "signed_up", data: [10, 20] },
    { label: "signed_up (plan is pro)", data: [4, 8] },
    { label: "left", data: [0, 0] },
  ]);
  assert.deepEqual(rows[0], ["Total", 30, 12, 0]);

  const averages: Question = { ...question, body: { ...body, value: "total", measure: "average" } };
  const nothing = { ...quality, starts, series: [] };
  const some = { ...quality, starts, series: [{ ...all, total: 4, counts: [null, 4] }] };
  assert.deepEqual(drawResult(averages, joinResults(averages, [some, nothing, nothing])).rows, [
    ["All", 4, null, null],
    ["2 Nov", 4, null, null],
    ["1 Nov", null, null, null],
  ]);
  assert.equal(isEmptyResult(joinResults(question, [nothing, nothing, nothing])), true);
});

Deno.test("a sum of 0 makes a picture, and a result without numbers does not", () => {
  const quality = { is_exact: true, sampled_share: 1, zone: "UTC", starts: [] };
  const series = [{ kind: "all" as const, value: null, total: 0, counts: [0] }];
  assert.equal(isEmptyResult({ ...quality, series }), false);
  assert.equal(isEmptyResult({ ...quality, series: [] }), true);
});

Deno.test("a funnel shows its conversion and what each step loses", () => {
  const body = {
    steps: [{ event: "viewed" }, { event: "added" }, { event: "paid" }],
    since: "2026-11-01",
    until: "2026-11-03",
  };
  const picture = drawResult({ kind: "funnel", body } as Question, {
    is_exact: true,
    sampled_share: 1,
    steps: [
      { event: "viewed", customers: 122, median_seconds: 0 },
      { event: "added", customers: 100, median_seconds: 60 },
      { event: "paid", customers: 80, median_seconds: 5400 },
    ],
  });
  assert.equal(picture.answer, "65.6% converted");
  assert.equal(picture.most, 122);
  assert.deepEqual(picture.barTexts?.map(({ long }) => long), [
    "100%",
    "82% converted, 18% dropped off",
    "65.6% converted, 20% dropped off",
  ]);
  assert.deepEqual(picture.barTexts?.map(({ short }) => short), [
    "100%",
    "82% (−18%)",
    "65.6% (−20%)",
  ]);
  assert.deepEqual(picture.columns, ["Step", "Customers", "Conversion", "Drop-off", "Median time"]);
  assert.deepEqual(picture.rows[2], ["3. paid", 80, "65.6%", "20%", "1.5 h"]);
  assert.deepEqual(picture.links?.[0]?.[1]?.search, {
    filter: '{"all":[{"event":"viewed","since":"2026-11-01","until":"2026-11-03"}]}',
  });
});

Deno.test("a funnel leads to customers only where a filter finds the same ones", () => {
  const linkOf = (event: object, { is_exact = true, customers = 9 } = {}) => {
    const body = { steps: [event, { event: "paid" }], since: "2026-11-01", until: "2026-11-03" };
    const steps = [{ event: "", customers, median_seconds: 0 }];
    const result = { is_exact, sampled_share: 1, steps };
    return drawResult({ kind: "funnel", body } as Question, result).links?.[0]?.[1];
  };
  const where = [{ property: "plan", op: "eq", value: "pro" }];
  assert.ok(linkOf({ event: "viewed", where })?.search.filter?.includes('"where":[{"property"'));
  assert.equal(linkOf({ event: "viewed" }, { is_exact: false }), undefined);
  assert.equal(linkOf({ event: "viewed" }, { customers: 0 }), undefined);
  assert.equal(linkOf({ event: "email_opened" }), undefined);
});

Deno.test("retention shades its later shares, and leaves out names, counts and the start", () => {
  const body = {
    start: { event: "viewed" },
    return: { event: "paid" },
    interval: "week",
    periods: 2,
    since: "2026-11-01",
    until: "2026-11-15",
  };
  const { rows, shades } = drawResult({ kind: "retention", body } as Question, {
    is_exact: true,
    sampled_share: 1,
    zone: "UTC",
    cohorts: [
      { at: "2026-11-02T00:00:00.000Z", customers: 10, returned: [10, 5, 0] },
      { at: "2026-11-09T00:00:00.000Z", customers: 10, returned: [10, 2, null] },
    ],
  });
  assert.deepEqual(shades, [[0, 0, 0, 0.7, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0.4, 0]]);
  assert.deepEqual(rows.map(({ length }) => length), shades?.map(({ length }) => length));
});

Deno.test("retention leaves out the cohorts before the first customer, and keeps later empty ones", () => {
  const body = {
    start: { event: "viewed" },
    return: { event: "paid" },
    interval: "week",
    periods: 1,
    since: "2026-11-01",
    until: "2026-11-29",
  };
  const { rows, shades } = drawResult({ kind: "retention", body } as Question, {
    is_exact: true,
    sampled_share: 1,
    zone: "UTC",
    cohorts: [
      { at: "2026-10-26T00:00:00.000Z", customers: 0, returned: [0, 0] },
      { at: "2026-11-02T00:00:00.000Z", customers: 0, returned: [0, 0] },
      { at: "2026-11-09T00:00:00.000Z", customers: 10, returned: [10, 5] },
      { at: "2026-11-16T00:00:00.000Z", customers: 0, returned: [0, 0] },
      { at: "2026-11-23T00:00:00.000Z", customers: 4, returned: [4, null] },
    ],
  });
  assert.deepEqual(rows.map(([name, customers]) => [name, customers]), [
    ["All", 14],
    ["9 Nov", 10],
    ["16 Nov", 0],
    ["23 Nov", 4],
  ]);
  assert.equal(shades?.length, rows.length);
});

Deno.test("retention leaves out the periods that no cohort has reached", () => {
  const body = {
    start: { event: "viewed" },
    return: { event: "paid" },
    periods: 8,
    since: "2026-11-01",
    until: "2026-11-15",
  };
  const ahead = Array.from({ length: 6 }, () => null);
  const { columns, labels } = drawResult({ kind: "retention", body } as Question, {
    is_exact: true,
    sampled_share: 1,
    zone: "UTC",
    cohorts: [
      { at: "2026-10-26T00:00:00.000Z", customers: 0, returned: [0, 0, 0, 0, ...ahead.slice(1)] },
      { at: "2026-11-02T00:00:00.000Z", customers: 10, returned: [10, 5, 0, ...ahead] },
      { at: "2026-11-09T00:00:00.000Z", customers: 10, returned: [10, 2, null, ...ahead] },
    ],
  });
  assert.deepEqual(columns, ["First event", "Customers", "Week 0", "Week 1", "Week 2"]);
  assert.deepEqual(labels, ["Week 0", "Week 1", "Week 2"]);
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
