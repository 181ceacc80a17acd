import { parseArgs } from "node:util";
import postgres from "postgres";
import { createApiKey, createPlan, createWorkspace } from "../testing/data/factories.ts";
import { startTestStack } from "../testing/service/stack.ts";
import type { Load, LoadResult } from "./support/load.ts";
import { describeMachine } from "./support/machine.ts";
import { runScript } from "./support/processes.ts";
import { median } from "./support/quantile.ts";
import { formatCount, print, printMarkdown } from "./support/table.ts";

/** Keys of three workspaces: all in the first cell, and one in each. */
interface Keys {
  together: string[];
  apart: string[];
}

interface Shape {
  name: string;
  size: number;
  /** Per workspace. */
  connections: number;
}

const cells = 3;
const rounds = 5;
const knownCustomers = 1_000;
const warmUpSeconds = 2;
const mostDifference = 0.15;
const headings = ["", "one cell, entries/s", "three cells, entries/s", "ratio"];
const shapes: Shape[] = [
  { name: "single calls, 192 connections", size: 1, connections: 64 },
  { name: "bulks of 100, 6 connections", size: 100, connections: 2 },
];

/**
 * Three workspaces in one cell, in turns with three workspaces in a cell each, behind one instance
 * of every function and one server. Fails if a request is refused, or if the median of the ratios is
 * over 15 % from 1.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: "string", default: "4" } } });
  const seconds = Number(values.seconds);
  print(describeMachine());
  await using stack = await startTestStack({ args: ["--cells", String(cells)] });
  const keys = await createKeys([
    ["00", stack.info.db_url],
    ...Object.entries(stack.info.cell_db_urls ?? {}),
  ]);
  const url = `${stack.info.base_url}/functions/v1/track`;
  const measured: string[][] = [];
  const different: string[] = [];
  for (const shape of shapes) {
    await measure(url, keys.together, { ...shape, seconds: warmUpSeconds });
    await measure(url, keys.apart, { ...shape, seconds: warmUpSeconds });
    const turns: { together: number; apart: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const together = await measure(url, keys.together, { ...shape, seconds });
      const apart = await measure(url, keys.apart, { ...shape, seconds });
      turns.push({ together, apart });
    }
    const ratio = median(turns.map(({ together, apart }) => apart / together));
    if (Math.abs(ratio - 1) > mostDifference) different.push(shape.name);
    measured.push([
      shape.name,
      formatCount(median(turns.map(({ together }) => together))),
      formatCount(median(turns.map(({ apart }) => apart))),
      ratio.toFixed(2),
    ]);
  }
  printMarkdown(headings, measured);
  if (different.length > 0) throw new Error(`Over 15 % apart: ${different.join("; ")}`);
}

async function createKeys(urls: [cell: string, url: string][]): Promise<Keys> {
  const keys: Keys = { together: [], apart: [] };
  for (const [cell, url] of urls) {
    const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
    const planId = await createPlan(sql, { ingestPerSecond: 10_000_000, ingestBurst: 10_000_000 });
    const create = async () => {
      const workspaceId = await createWorkspace(sql, { planId });
      return await createApiKey(sql, { workspaceId, cell });
    };
    keys.apart.push(await create());
    if (cell === "00") { for (let n = 0; n < cells; n++) keys.together.push(await create()); }
    await sql.end();
  }
  return keys;
}

/** Sends with each key at once; returns the entries per second of all. */
async function measure(
  url: string,
  keys: readonly string[],
  { size, connections, seconds }: Shape & { seconds: number },
): Promise<number> {
  const results = await Promise.all(keys.map((apiKey) => {
    const run = crypto.randomUUID().slice(0, 8);
    const entries = { hasKeys: true, customers: knownCustomers, run };
    const load: Load = { url, apiKey, connections, seconds, size, entries };
    return runScript<LoadResult>("load.ts", load);
  }));
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`Cannot trust the run: ${failed} requests failed`);
  return results.reduce((sum, result) => sum + result.requests * size / result.seconds, 0);
}
