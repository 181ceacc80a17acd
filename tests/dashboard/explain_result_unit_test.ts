import assert from "node:assert/strict";
import { explainResult } from "../../dashboard/src/pages/explore/explain_result.ts";

const range = { since: "2026-11-03T10:00:00.000Z", until: "2026-12-01T10:00:00.000Z" };
const viewed = { event: "product_viewed" };
const ordered = { event: "order_completed" };
const quality = { is_exact: true, sampled_share: 1 };
const zone = "Asia/Tokyo";

Deno.test("a funnel counts from the start of the range, in the zone of the page", () => {
  const body = { steps: [viewed, ordered], within: "7d", ...range };
  assert.equal(
    explainResult({ kind: "funnel", body }, { ...quality, steps: [] }, zone),
    "Counts customers who did step 1 from 3 Nov 2026, 19:00 to 1 Dec 2026, 19:00 (Asia/Tokyo), even if they had done it before. Later steps count within 7 days of step 1, even after the range.",
  );
});

Deno.test("retention counts first events ever from the start of a week, in the zone of the weeks", () => {
  const at = "2026-11-02T00:00:00.000Z";
  const explain = (customers: number, periods = 1) =>
    explainResult(
      { kind: "retention", body: { start: viewed, return: ordered, periods, ...range } },
      { ...quality, zone: "UTC", cohorts: [{ at, customers, returned: [customers] }] },
      zone,
    );
  const text =
    "Counts customers whose first product_viewed ever was from 2 Nov 2026, 00:00 to 1 Dec 2026, 10:00 (UTC), by week. Later weeks count even after the range.";
  assert.equal(explain(1), text);
  assert.equal(explain(0), `${text} The weeks before the first customer are left out.`);
  assert.equal(explain(1, 8), `${text} The weeks that lie ahead are left out.`);
  const both = "weeks before the first customer and weeks that lie ahead";
  assert.equal(explain(0, 8), `${text} The ${both} are left out.`);
});

Deno.test("trends count events, or each customer once per interval", () => {
  const result = { ...quality, zone: "UTC", starts: [range.since], series: [] };
  const body = { event: viewed, ...range };
  const times = "from 3 Nov 2026, 10:00 to 1 Dec 2026, 10:00 (UTC)";
  assert.equal(
    explainResult({ kind: "counts", body, compared: [] }, result, zone),
    `Counts events that happened ${times}.`,
  );
  assert.equal(
    explainResult(
      { kind: "counts", body: { ...body, measure: "customers" }, compared: [] },
      result,
      zone,
    ),
    `Counts customers with an event ${times}: each once per day, and once in total.`,
  );
  const counted = { kind: "range" as const, value: null, range: { from: 0, to: 10 } };
  assert.equal(
    explainResult(
      { kind: "counts", body: { ...body, property: "total" }, compared: [] },
      { ...result, series: [{ ...counted, total: 1, counts: [1] }] },
      zone,
    ),
    `Counts events that happened ${times}. Each range of numbers includes its first number, but not its last.`,
  );
});

Deno.test("paths follow customers from their first start in the range", () => {
  const body = { start: viewed, within: "1d", ...range };
  assert.equal(
    explainResult({ kind: "paths", body }, { ...quality, customers: 0, links: [] }, "UTC"),
    "Follows customers for 1 day after their first product_viewed from 3 Nov 2026, 10:00 to 1 Dec 2026, 10:00 (UTC), even after the range. Repeats of an event in a row count as one.",
  );
});
