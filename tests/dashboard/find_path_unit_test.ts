import assert from "node:assert/strict";
import { findPath } from "../../dashboard/src/charts/find_path.ts";

const flow = {
  streams: ["start a", "start b", "a c", "a d", "b d", "d end"].map((pair) => {
    const [from = "", to = ""] = pair.split(" ");
    return { from, to, count: 1 };
  }),
};

function list(passage: { from: string; to: string }): string[] {
  return [...findPath(flow, passage)].toSorted()
    .map((index) => `${flow.streams[index]!.from} ${flow.streams[index]!.to}`);
}

Deno.test("findPath() finds what leads to a place and what follows it", () => {
  assert.deepEqual(list({ from: "a", to: "a" }), ["start a", "a c", "a d", "d end"]);
  assert.deepEqual(list({ from: "d", to: "d" }), ["start a", "start b", "a d", "b d", "d end"]);
  assert.deepEqual(list({ from: "start", to: "start" }).length, flow.streams.length);
});

Deno.test("findPath() of a stream leaves out its neighbours", () => {
  assert.deepEqual(list({ from: "a", to: "d" }), ["start a", "a d", "d end"]);
  assert.deepEqual(list({ from: "b", to: "d" }), ["start b", "b d", "d end"]);
});

Deno.test("findPath() ends where events follow each other in a circle", () => {
  const circle = [{ from: "a", to: "b", count: 1 }, { from: "b", to: "a", count: 1 }];
  assert.equal(findPath({ streams: circle }, { from: "a", to: "a" }).size, 2);
});
