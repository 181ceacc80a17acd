import type { Explained, PlanNode } from "./query_plan.ts";

/**
 * A partition this small is read fastest as it is: one that has just begun, the oldest one with the
 * rest of a day, or one that is still empty. What is thrown away of its few rows does not count: how
 * much that is depends on the time of day.
 */
const fewPages = 16;

/** Pages an index scan may touch: some, and a few for each time it is entered and each row. */
const pages = { always: 60, each: 8 };

/** Rows and pages that one statement reads of one table with all its partitions. */
export interface TableUse {
  table: string;
  /** Rows that were read, found or thrown away. */
  rows: number;
  /** Rows that may not have been read: Postgres rounds the rows of a loop. */
  rounding: number;
  pages: number;
  entries: number;
  problems: string[];
}

/** Limits for the plans of statements. */
export interface Rules {
  /** The large tables, with the most rows that one statement may look at. */
  mostRows: Readonly<Record<string, number>>;
  /** Pages of each partition. */
  partitionPages: ReadonlyMap<string, number>;
}

/** Lists the large tables that a statement reads, with the problem of each. */
export function judgePlan({ Plan }: Explained, rules: Rules): TableUse[] {
  const uses = new Map<string, TableUse>();
  for (const node of listNodes(Plan)) {
    const table = tableOf(node);
    if (table === undefined || !(table in rules.mostRows)) continue;
    const use = uses.get(table) ??
      { table, rows: 0, rounding: 0, pages: 0, entries: 0, problems: [] };
    uses.set(table, use);
    addScan(use, node, rules);
  }
  return [...uses.values()].map((use) => ({
    ...use,
    problems: [...new Set([...use.problems, ...judgeAmounts(use, rules)])],
  }));
}

/** A node with all nodes below it. */
export function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

/** The table that a node reads; what it writes was found by another node. */
function tableOf(node: PlanNode): string | undefined {
  if (node["Node Type"] === "ModifyTable") return undefined;
  return node["Relation Name"]?.replace(/_(\d{8}|default)$/, "");
}

function addScan(use: TableUse, node: PlanNode, rules: Rules): void {
  const loops = node["Actual Loops"];
  const found = node["Actual Rows"];
  const indexes = listIndexScans(node);
  if (loops > 1 && found > 0) use.rounding += loops / 2;
  const isSmall = (rules.partitionPages.get(node["Relation Name"]!) ?? Infinity) <= fewPages;
  if (indexes.length === 0) {
    if (!isSmall) use.problems.push(`${node["Node Type"]} of "${use.table}"`);
    use.rows += Math.round(found * loops);
    return;
  }
  const wasted = isSmall ? 0 : (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  use.rows += Math.round((found + wasted) * loops);
  for (const index of indexes) {
    if (index["Index Cond"] === undefined) {
      use.problems.push(`walk over all of an index of "${use.table}"`);
    }
  }
  use.entries += loops * indexes.length;
  use.pages += node["Shared Hit Blocks"] + node["Shared Read Blocks"];
}

/** Of a bitmap: the scans below it. */
function listIndexScans(node: PlanNode): PlanNode[] {
  if (node["Node Type"] !== "Bitmap Heap Scan") return node["Index Name"] ? [node] : [];
  return listNodes(node).filter((inner) => inner["Node Type"] === "Bitmap Index Scan");
}

function judgeAmounts(use: TableUse, { mostRows }: Rules): string[] {
  const problems = [];
  if (use.rows - use.rounding > mostRows[use.table]!) {
    problems.push(`${use.rows} rows read of "${use.table}"`);
  }
  const most = pages.always + pages.each * (use.rows + use.entries);
  if (use.pages > most) {
    problems.push(`${use.pages} pages read of "${use.table}" for ${use.rows} rows`);
  }
  return problems;
}
