import assert from "node:assert/strict";
import { Temporal } from "temporal-polyfill";
import {
  chooseZone,
  dateInstant,
  nextTimeOfDay,
  readDuration,
  toInstant,
} from "../../supabase/functions/automation/local_time.ts";

const iso = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(ms).toISOString().replace(":00.000Z", "Z");

/** Local time, zone, and the instant: the end of a gap, or the first of two. */
const localTimes = [
  ["2027-03-14T02:30", "America/New_York", "2027-03-14T07:00Z"],
  ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30Z"],
  ["2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:00Z"],
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30Z"],
  ["2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:30Z"],
  ["2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45Z"],
  ["2018-11-04T00:00", "America/Sao_Paulo", "2018-11-04T03:00Z"],
  ["2026-04-24T00:30", "Africa/Cairo", "2026-04-23T22:00Z"],
  ["2027-03-28T00:30", "Asia/Beirut", "2027-03-27T22:00Z"],
  ["2026-09-06T00:30", "America/Santiago", "2026-09-06T04:00Z"],
  // A day that the zone left out.
  ["2011-12-30T09:00", "Pacific/Apia", "2011-12-30T10:00Z"],
  ["2026-06-01T09:00", "Asia/Kathmandu", "2026-06-01T03:15Z"],
] as const;

for (const [local, zone, instant] of localTimes) {
  Deno.test(`${local} in ${zone} is ${instant}`, () => {
    assert.equal(iso(toInstant(Temporal.PlainDateTime.from(local), zone)), instant);
  });
}

Deno.test("a weekday is the customer's, not that of UTC", () => {
  const since = Date.parse("2023-12-19T23:00Z");
  const rule = { at: "05:00", weekdays: ["thu"] as const };
  assert.equal(iso(nextTimeOfDay(since, rule, "Asia/Tokyo")), "2023-12-20T20:00Z");
});

Deno.test("a time of day that is now is now, and one that has passed is tomorrow's", () => {
  const at = Date.parse("2026-11-22T08:00Z");
  const rule = { at: "09:00" };
  assert.equal(iso(nextTimeOfDay(at, rule, "Europe/Berlin")), "2026-11-22T08:00Z");
  assert.equal(iso(nextTimeOfDay(at + 1, rule, "Europe/Berlin")), "2026-11-23T08:00Z");
});

Deno.test("a day that changes its clock has 23 or 25 hours", () => {
  const rule = { at: "09:00" };
  const spring = nextTimeOfDay(Date.parse("2027-03-27T08:00:01Z"), rule, "Europe/Berlin");
  assert.equal(iso(spring), "2027-03-28T07:00Z");
  const autumn = nextTimeOfDay(Date.parse("2026-10-24T07:00:01Z"), rule, "Europe/Berlin");
  assert.equal(iso(autumn), "2026-10-25T08:00Z");
});

Deno.test("dates are days or instants, moved by days of the calendar if there is a time of day", () => {
  const berlin = "Europe/Berlin";
  const cases = [
    [["2027-03-29", { offset: "-3d", at: "09:00" }], "2027-03-26T08:00Z"],
    [["2027-03-29", { offset: "-1d" }], "2027-03-27T22:00Z"],
    [["2027-03-29T00:30:00+02:00", { at: "09:00" }], "2027-03-29T07:00Z"],
    [["2027-03-28T23:30:00Z", { at: "09:00" }], "2027-03-29T07:00Z"],
    [["2027-03-28 23:30", {}], "2027-03-28T23:30Z"],
    [["2027-03-29", { offset: "-36h", at: "09:00" }], "2027-03-27T19:00Z"],
    [["2027-02-30", {}], undefined],
    [["soon", {}], undefined],
    [[20270329, {}], undefined],
    [[undefined, {}], undefined],
  ] as const;
  for (const [[value, rule], expected] of cases) {
    assert.equal(iso(dateInstant(value, rule, berlin)), expected, `${value}`);
  }
});

Deno.test("an unknown zone is passed over, and durations have days of 24 hours", () => {
  assert.equal(chooseZone("Mars/Olympus", null, "Europe/Berlin"), "Europe/Berlin");
  assert.equal(chooseZone(undefined), "UTC");
  assert.equal(readDuration("-2w"), -14 * 86_400_000);
});
