import assert from "node:assert/strict";
import { createTestDatabase } from "../../testing/postgres/database.ts";

/** Local times with the first instant at which the clocks show them, or after which they are past. */
const cases: [local: string, zone: string, instant: string][] = [
  ["2027-03-14 02:30", "America/New_York", "2027-03-14T07:00:00Z"],
  ["2026-11-01 01:30", "America/New_York", "2026-11-01T05:30:00Z"],
  ["2027-03-28 02:30", "Europe/Berlin", "2027-03-28T01:00:00Z"],
  ["2026-10-25 02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"],
  ["2026-10-04 02:15", "Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["2027-04-04 01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00Z"],
  ["2018-11-04 00:00", "America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  ["2026-04-24 00:30", "Africa/Cairo", "2026-04-23T22:00:00Z"],
  ["2027-03-28 00:30", "Asia/Beirut", "2027-03-27T22:00:00Z"],
  ["2026-09-06 00:30", "America/Santiago", "2026-09-06T04:00:00Z"],
  ["2011-12-30 09:00", "Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["2026-06-01 09:00", "Asia/Kathmandu", "2026-06-01T03:15:00Z"],
  ["2026-10-25 03:00", "Europe/Berlin", "2026-10-25T02:00:00Z"],
  ["2027-03-28 03:00", "Europe/Berlin", "2027-03-28T01:00:00Z"],
  ["2027-03-28 01:59:59.5", "Europe/Berlin", "2027-03-28T00:59:59.5Z"],
  ["2026-12-31 23:59", "Pacific/Kiritimati", "2026-12-31T09:59:00Z"],
];

Deno.test("private.first_instant() takes the first of two equal times, and the end of a gap", async (t) => {
  await using db = await createTestDatabase();
  for (const [local, zone, instant] of cases) {
    await t.step(`${local} ${zone}`, async () => {
      const [row] = await db.sql<{ at: Date }[]>`
        select private.first_instant(${local}::text::timestamp, ${zone}) as at`;
      assert.equal(new Date(row!.at).toISOString(), new Date(instant).toISOString());
    });
  }
});

interface QuietNow {
  from: string;
  to: string;
  zone: string;
  now: string;
  /** Null outside of the quiet hours. */
  until: string | null;
}

const quietNow: readonly QuietNow[] = [
  { from: "21:00", to: "08:00", zone: "UTC", now: "2026-06-01T20:59Z", until: null },
  { from: "21:00", to: "08:00", zone: "UTC", now: "2026-06-01T21:00Z", until: "2026-06-02T08:00Z" },
  { from: "21:00", to: "08:00", zone: "UTC", now: "2026-06-02T07:59Z", until: "2026-06-02T08:00Z" },
  { from: "21:00", to: "08:00", zone: "UTC", now: "2026-06-02T08:00Z", until: null },
  { from: "12:00", to: "14:00", zone: "UTC", now: "2026-06-01T13:00Z", until: "2026-06-01T14:00Z" },
  { from: "12:00", to: "14:00", zone: "UTC", now: "2026-06-01T14:00Z", until: null },
  // A time that occurs twice is the first one.
  {
    from: "21:00",
    to: "01:30",
    zone: "America/New_York",
    now: "2026-11-01T04:55Z",
    until: "2026-11-01T05:30Z",
  },
  { from: "21:00", to: "01:30", zone: "America/New_York", now: "2026-11-01T06:15Z", until: null },
  {
    from: "01:30",
    to: "03:00",
    zone: "America/New_York",
    now: "2026-11-01T06:15Z",
    until: "2026-11-01T08:00Z",
  },
  // A time that is left out is the end of the gap.
  {
    from: "21:00",
    to: "02:30",
    zone: "Africa/Casablanca",
    now: "2027-03-13T22:10Z",
    until: "2027-03-14T02:00Z",
  },
  {
    from: "21:00",
    to: "02:30",
    zone: "Europe/Berlin",
    now: "2027-03-27T23:00Z",
    until: "2027-03-28T01:00Z",
  },
  { from: "02:15", to: "02:45", zone: "Europe/Berlin", now: "2027-03-28T01:00Z", until: null },
];

Deno.test("quiet hours begin and end at the first instant of a local time", async () => {
  await using db = await createTestDatabase();
  for (const { from, to, zone, now, until } of quietNow) {
    const hours = JSON.stringify({ from, to });
    const [row] = await db.sql<{ until: Date | null }[]>`
      select private.quiet_until(${hours}::text::jsonb, ${zone}, ${now}::text::timestamptz) as until`;
    const expected = until === null ? null : new Date(until);
    assert.deepEqual(row!.until && new Date(row!.until), expected, `${hours} ${zone} ${now}`);
  }
});

Deno.test("private.first_instant() is the inverse of the clocks in every zone", async () => {
  await using db = await createTestDatabase();
  // Every seven hours of two years: the clocks show the local time of an instant then or earlier.
  const [row] = await db.sql<{ checked: number; wrong: number }[]>`
    with times as materialized (
      select z.name, t.at, private.first_instant(t.at at time zone z.name, z.name) as found
      from pg_timezone_names as z
      cross join generate_series(
        timestamptz '2026-03-01 00:10Z', timestamptz '2027-11-30 00:00Z', interval '163 hours'
      ) as t (at)
      where z.name ~ '^(Africa|America|Asia|Australia|Europe|Pacific)/' and z.name !~ 'posix'
    )
    select
      count(*)::int as checked,
      count(*) filter (
        where t.found > t.at or t.found at time zone t.name <> t.at at time zone t.name
      )::int as wrong
    from times as t`;
  assert(row!.checked > 30_000, String(row!.checked));
  assert.equal(row!.wrong, 0);
});

Deno.test("private.next_local_time() is at or after the given instant, within a day of the zone", async (t) => {
  await using db = await createTestDatabase();
  const days: [from: string, time: string, zone: string, next: string][] = [
    ["2026-12-01T08:00:00Z", "09:00", "Europe/Berlin", "2026-12-01T08:00:00Z"],
    ["2026-12-01T08:00:01Z", "09:00", "Europe/Berlin", "2026-12-02T08:00:00Z"],
    ["2026-12-01T08:00:00Z", "09:00", "Asia/Tokyo", "2026-12-02T00:00:00Z"],
    ["2026-12-01T08:00:00Z", "09:00", "America/New_York", "2026-12-01T14:00:00Z"],
    ["2027-03-27T08:00:00Z", "02:30", "Europe/Berlin", "2027-03-28T01:00:00Z"],
    ["2026-10-25T00:40:00Z", "02:30", "Europe/Berlin", "2026-10-26T01:30:00Z"],
  ];
  for (const [from, time, zone, next] of days) {
    await t.step(`${time} ${zone} from ${from}`, async () => {
      const [row] = await db.sql<{ at: Date }[]>`
        select private.next_local_time(${time}::text::time, ${zone}, ${from}::text::timestamptz) as at`;
      assert.equal(new Date(row!.at).toISOString(), new Date(next).toISOString());
    });
  }
});
