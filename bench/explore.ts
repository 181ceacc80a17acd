import { parseArgs } from "node:util";
import { createEmptyDatabase } from "../testing/postgres/database.ts";
import { createApiKey } from "../testing/data/factories.ts";
import { insertHistory } from "../testing/data/large_history.ts";
import { insertLargeTotals } from "../testing/data/large_totals.ts";
import { fullSize } from "../testing/data/workspace_size.ts";
import { startTestStack } from "../testing/service/stack.ts";
import { startBenchCluster } from "./support/bench_cluster.ts";
import { describeMachine } from "./support/machine.ts";
import { median } from "./support/quantile.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const widths = [44, 12, 12];
const limitMs = 2000;
const visits = 3;
const dayMs = 86_400_000;

/**
 * Builds one large workspace and times explorations of it over the api. Fails over two seconds
 * (median), and if an exploration is refused.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: String(fullSize.events) },
      customers: { type: "string", default: String(fullSize.customers) },
    },
  });
  print(describeMachine());
  await using _cluster = await startBenchCluster();
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const workspaceId = stack.info.workspace_id;
  const size = {
    ...fullSize,
    events: Number(values.events),
    customers: Number(values.customers),
    deliveries: 1000,
  };
  await insertHistory(db.sql, { workspaceId, size });
  await insertLargeTotals(db.sql, workspaceId);
  await db.sql`vacuum analyze public.events, public.identities`;
  print(`${formatCount(size.events)} events, ${formatCount(size.customers)} customers\n`);
  const key = await createApiKey(db.sql, { workspaceId, scopes: ["events:read"] });
  printRow(["", "median, ms", "read"], widths);
  const slow: string[] = [];
  for (const [name, kind, body] of listExplorations()) {
    const times: number[] = [];
    let share = "";
    for (let visit = 0; visit < visits; visit++) {
      const startedAt = performance.now();
      const response = await fetch(`${stack.info.base_url}/functions/v1/api/explore/${kind}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { sampled_share, error } = await response.json();
      times.push(response.ok ? performance.now() - startedAt : Infinity);
      share = response.ok ? `${(sampled_share * 100).toFixed(0)} %` : String(error);
    }
    const typical = median(times);
    printRow([name, typical.toFixed(0), share], widths);
    if (typical > limitMs) slow.push(name);
  }
  if (slow.length > 0) throw new Error(`Over ${limitMs} ms: ${slow.join(", ")}`);
}

function listExplorations(): [name: string, kind: string, body: object][] {
  const range = (days: number) => ({
    since: new Date(Date.now() - days * dayMs).toISOString(),
    until: new Date().toISOString(),
  });
  const named = (n: number) => ({ event: `event_${n}` });
  const where = [{ property: "total", op: "gte", value: 250 }];
  return [
    ["the most frequent event, 90 days", "counts", { event: named(0), ...range(90) }],
    ["its customers", "counts", { event: named(0), measure: "customers", ...range(90) }],
    ["by a property", "counts", { event: named(0), property: "total", ...range(90) }],
    ["the sum of a property", "counts", {
      event: named(0),
      measure: "sum",
      value: "total",
      ...range(90),
    }],
    ["by 9,999 values", "counts", { event: named(1), property: "path", ...range(30) }],
    ["with a test, by hour", "counts", {
      event: { ...named(1), where },
      interval: "hour",
      ...range(30),
    }],
    ["funnel of three steps, 30 days", "funnel", {
      steps: [named(0), named(1), named(2)],
      within: "7d",
      ...range(30),
    }],
    ["funnel of three steps, 90 days", "funnel", {
      steps: [named(0), named(1), named(2)],
      within: "7d",
      ...range(90),
    }],
    ["funnel with a test", "funnel", {
      steps: [named(1), { ...named(2), where }],
      within: "7d",
      ...range(30),
    }],
    ["retention by week", "retention", { start: named(0), return: named(1), ...range(90) }],
    ["paths", "paths", { start: named(0), ...range(30) }],
  ];
}
