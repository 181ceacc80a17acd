import assert from "node:assert/strict";
import { describeCount } from "../../dashboard/src/pages/customers/describe_count.ts";

Deno.test("describeCount() tells an exact number, an estimate and a limit apart", () => {
  const texts: [
    count: number,
    isExact: boolean,
    list: "all" | "search" | "filter",
    text: string,
  ][] = [
    [1, true, "all", "1 customer"],
    [1_234, true, "all", "1,234 customers"],
    [10_000, false, "all", "10,000+ customers"],
    [0, true, "search", "0 customers match"],
    [1, true, "search", "1 customer matches"],
    [10_000, false, "search", "10,000+ customers match"],
    [120_000, false, "filter", "About 120,000 customers match"],
    [1, true, "filter", "1 customer matches"],
  ];
  for (const [count, isExact, list, text] of texts) {
    const isNarrowed = list !== "all";
    const isEstimated = list === "filter";
    assert.equal(describeCount({ count, isExact, isNarrowed, isEstimated }), text);
  }
});
