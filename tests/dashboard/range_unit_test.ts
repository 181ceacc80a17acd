import assert from "node:assert/strict";
import { resolveRange } from "../../dashboard/src/url/range.ts";
import { parseSearch } from "../../dashboard/src/url/search_params.ts";

const hourMs = 3_600_000;

Deno.test("resolveRange() starts with a whole bucket", () => {
  const cases = [["24h", 24, hourMs], ["7d", 168, 24 * hourMs], [
    "30d",
    720,
    24 * hourMs,
  ]] as const;
  for (const [range, hours, bucketMs] of cases) {
    const since = Date.parse(resolveRange({ range }).since);
    const latest = Date.now() - hours * hourMs;
    assert.equal(since % bucketMs, 0, range);
    assert.ok(since <= latest && since > latest - bucketMs - hourMs, range);
  }
});

Deno.test("resolveRange() keeps custom times", () => {
  const own = { since: "2026-01-01T10:20:30.000Z", until: "2026-01-02T00:00:00.000Z" };
  assert.deepEqual(resolveRange(own), { ...own, interval: "hour" });
  assert.equal(resolveRange({ since: "nonsense" }).interval, "hour");
});

Deno.test("parseSearch() leaves out a text in the place of a time or a range", () => {
  assert.deepEqual(parseSearch("?range=99x&since=foo&until=&name=foo"), { name: "foo" });
  const good = { range: "7d", since: "2026-01-01T10:20:30.000Z", until: "2026-01-02" };
  assert.deepEqual(parseSearch(`?${new URLSearchParams(good)}`), good);
});
