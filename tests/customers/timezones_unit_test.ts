import assert from "node:assert/strict";
import { canonicalTimezone } from "../../supabase/functions/_shared/entries/timezones.ts";

Deno.test("canonicalTimezone() follows links and keeps the zones of countries apart", () => {
  for (
    const [name, canonical] of [
      ["Europe/Berlin", "Europe/Berlin"],
      ["EUROPE/BERLIN", "Europe/Berlin"],
      ["Europe/Kiev", "Europe/Kyiv"],
      ["Asia/Calcutta", "Asia/Kolkata"],
      ["US/Pacific", "America/Los_Angeles"],
      ["Iceland", "Atlantic/Reykjavik"],
      ["Europe/Stockholm", "Europe/Stockholm"],
      ["UTC", "Etc/UTC"],
      ["Etc/GMT+12", "Etc/GMT+12"],
    ] as const
  ) assert.equal(canonicalTimezone(name), canonical, name);
});

Deno.test("canonicalTimezone() knows no offsets, no unknown names and no lists", () => {
  for (const name of ["", "+02:00", "Mars/Olympus", "Europe/Berlin Europe/Rome", "Etc/Unknown"]) {
    assert.equal(canonicalTimezone(name), undefined, name);
  }
});

Deno.test("canonicalTimezone() knows every zone of the runtime", () => {
  const unknown = Intl.supportedValuesOf("timeZone")
    .filter((name) => canonicalTimezone(name) === undefined);
  assert.deepEqual(unknown, []);
});
