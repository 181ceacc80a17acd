import assert from "node:assert/strict";
import { listReads } from "../../dashboard/src/app/early/page_reads.ts";

const id = "01a22552-57a1-7c90-b70f-76d490bdf378";
const workspace = `/w/${id}`;

const cases: [says: string, path: string, search: string, routes: string[]][] = [
  ["a list", "/events", "", ["GET /events"]],
  ["a list and its drawer", "/events", `?event=${id}`, [
    "GET /events",
    "GET /events/{id}",
    "GET /events/{id}/deliveries",
  ]],
  ["a filtered list only with its page", "/events", "?name=order_paid", []],
  ["the drawer over a filtered list", "/messages", `?state=held&message=${id}`, [
    "GET /messages/{id}",
  ]],
  ["no drawer of another page", "/messages", `?event=${id}`, []],
  ["no drawer of a word", "/events", "?event=newest", []],
  ["filtered customers", "/customers", "?filter=%7B%7D", ["GET /customers"]],
  ["a resource, with any filter", `/segments/${id}`, "?tab=history", ["GET /segments/{id}"]],
  ["a customer, with what the profile says about emails", `/customers/${id}`, "", [
    "GET /customers/{id}",
    "GET /customers/{id}/events",
    "GET /customers/{id}/topics",
    "GET /sends/explain",
  ]],
  ["the runs of a journey", `/journeys/${id}`, "?tab=runs", [
    "GET /journeys/{id}",
    "GET /journeys/{id}/runs",
    "GET /journeys/{id}/versions",
  ]],
  ["a run over another tab", `/journeys/${id}`, `?tab=draft&run=${id}`, [
    "GET /journeys/{id}",
    "GET /runs/{id}",
  ]],
  ["nothing for a new item", "/destinations/new", "", []],
];

for (const [says, path, search, routes] of cases) {
  Deno.test(`requested early: ${says}`, () => {
    const read = listReads(workspace + path, search).map(({ route }) => route);
    assert.deepEqual(read.toSorted(), routes.toSorted());
  });
}
