import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import type { StackInfo } from "../local/stack.ts";
import { openBrowser } from "../testing/browser/browser.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { type PageSpec, patternOf } from "../testing/browser/pages/page_spec.ts";
import { fillLargeWorkspace, type LargeWorkspace } from "../testing/data/large_workspace.ts";
import { fullSize, type WorkspaceSize } from "../testing/data/workspace_size.ts";
import { createEmptyDatabase, type TestDatabase } from "../testing/postgres/database.ts";
import { startTestStack } from "../testing/service/stack.ts";
import { startBenchCluster } from "./support/bench_cluster.ts";
import { listExplorations, listLargePages } from "./support/large_pages.ts";
import { describeMachine } from "./support/machine.ts";
import { median, quantile } from "./support/quantile.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const widths = [20, 12, 12];
const limitMs = 700;
const explorationLimitMs = 2_000;
const visits = 5;
const scrolls = 40;

/**
 * Builds one large workspace and times how long each page takes from its address to its content,
 * in a real browser; then scrolls a long timeline. Fails over 700 ms, and over 2 s for Explore
 * (median).
 */
export async function run(args: string[]): Promise<void> {
  const { size, only } = readOptions(args);
  print(describeMachine());
  await using _cluster = await startBenchCluster();
  await using db = await createEmptyDatabase();
  const dataDir = await Deno.makeTempDir({ prefix: "signalpost-bench-" });
  await Deno.chmod(dataDir, 0o711);
  const options = { args: ["--database-url", db.url], dataDir };
  const large = await fillBeforeStart(db, { options, size });
  await using stack = await startTestStack(options);
  print(
    `${formatCount(size.events)} events, ${formatCount(size.customers)} customers, ` +
      `${formatCount(size.deliveries)} deliveries\n`,
  );
  await using browser = await openBrowser();
  const context = await browser.page.context().browser()!.newContext({
    baseURL: stack.info.base_url,
  });
  const visitor = await context.newPage();
  const slow = await visitPages(visitor, { info: stack.info, large, only });
  await context.close();
  await Deno.remove(dataDir, { recursive: true });
  if (slow.length > 0) throw new Error(`Too slow: ${slow.join(", ")}`);
}

function readOptions(args: string[]): { size: WorkspaceSize; only: string | undefined } {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: String(fullSize.events) },
      customers: { type: "string", default: String(fullSize.customers) },
      deliveries: { type: "string", default: String(fullSize.deliveries) },
      only: { type: "string" },
    },
  });
  const size = {
    ...fullSize,
    events: Number(values.events),
    customers: Number(values.customers),
    deliveries: Number(values.deliveries),
  };
  return { size, only: values.only };
}

interface FillOptions {
  options: { args: string[]; dataDir: string };
  size: WorkspaceSize;
}

/** Fills the demo workspace while nothing runs, and leaves no work that is due. */
async function fillBeforeStart(
  { sql }: TestDatabase,
  { options, size }: FillOptions,
): Promise<LargeWorkspace> {
  const first = await startTestStack(options);
  const workspaceId = first.info.workspace_id;
  await first.stop();
  const large = await fillLargeWorkspace(sql, { workspaceId, size });
  await sql`update private.send_queue set due_at = now() + interval '1 day'`;
  return large;
}

interface Visit {
  info: StackInfo;
  large: LargeWorkspace;
  /** Part of the names of the pages to visit; all by default. */
  only: string | undefined;
}

/** Prints the times of all pages. Returns the names of those that are too slow. */
async function visitPages(page: Page, { info, large, only }: Visit): Promise<string[]> {
  const workspace = await signIn(page, info.user);
  const slow: string[] = [];
  const time = async (spec: PageSpec, limit: number) => {
    if (only !== undefined && !spec.name.includes(only)) return;
    const times: number[] = [];
    for (let visit = 0; visit < visits; visit++) {
      await page.goto(spec.path);
      times.push(await page.evaluate<number>(contentScript(spec.shows)));
    }
    const typical = median(times);
    printRow([spec.name, typical.toFixed(0), Math.max(...times).toFixed(0)], widths);
    if (typical > limit) slow.push(spec.name);
  };
  printRow(["", "content, ms", "longest"], widths);
  for (const spec of listLargePages(workspace, large)) await time(spec, limitMs);
  for (const spec of listExplorations(workspace)) await time(spec, explorationLimitMs);
  if (only === undefined) await scrollTimeline(page, `${workspace}/customers/${large.busiestId}`);
  return slow;
}

async function scrollTimeline(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("button", { name: "Load more" }).waitFor();
  const frames = await page.evaluate<number[]>(scrollScript());
  const share = (part: number) => quantile(frames, part).toFixed(0);
  print(
    `\nScrolling the busiest timeline, ms a frame: half within ${share(0.5)}, ` +
      `99 % within ${share(0.99)}, longest ${share(1)}`,
  );
}

/** Milliseconds after which a page has no content, and the benchmark ends. */
const patienceMs = 30_000;

/**
 * Source of a script that runs in the page and measures it. Resolves when a text is shown, no
 * skeleton is left and everything is drawn, with the time since the navigation started, in ms.
 */
function contentScript(shows: PageSpec["shows"]): string {
  const wanted = JSON.stringify(patternOf(shows));
  return `new Promise((resolve, reject) => {
    const look = () => {
      const isWhole = document.querySelector(".mantine-Skeleton-root") === null;
      if (isWhole && new RegExp(${wanted}).test(document.body.innerText)) {
        // Charts draw themselves once they stand in the page: in the next frame they are seen.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      } else if (performance.now() > ${patienceMs}) {
        const seen = document.body.innerText.replaceAll(/\\s+/g, " ").slice(0, 2000);
        reject(new Error("Cannot find " + ${wanted} + " at " + location + ": " + seen));
      } else {
        requestAnimationFrame(look);
      }
    };
    look();
  })`;
}

/** Scrolls on and on; the time of each frame in ms. */
function scrollScript(): string {
  return `(async () => {
    const frames = [];
    let last = performance.now();
    for (let step = 0; step < ${scrolls}; step++) {
      scrollBy(0, 400);
      for (let frame = 0; frame < 10; frame++) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
      }
    }
    return frames;
  })()`;
}
