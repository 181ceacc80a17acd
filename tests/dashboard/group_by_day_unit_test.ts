import assert from "node:assert/strict";
import { groupByDay } from "../../dashboard/src/pages/customers/group_by_day.ts";

Deno.test("events stand below their day by the clock of the zone, in their order", () => {
  const events = [
    { id: 1, occurred_at: "2026-11-23T05:30:00.000Z" },
    { id: 2, occurred_at: "2026-11-23T04:30:00.000Z" },
    { id: 3, occurred_at: "2026-11-22T12:00:00.000Z" },
  ];
  const days = groupByDay(events, "America/New_York");
  assert.deepEqual(days.map(({ day, events }) => [day, events.map(({ id }) => id)]), [
    ["23 Nov 2026", [1]],
    ["22 Nov 2026", [2, 3]],
  ]);
});
