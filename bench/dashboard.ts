import { parseArgs } from "node:util";
import { openBrowser } from "../testing/browser/browser.ts";
import { createTemplate, startTestCluster } from "../testing/postgres/cluster.ts";
import type { PageSpec } from "../testing/browser/dashboard_pages.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { createEmptyDatabase } from "../testing/postgres/database.ts";
import { fillLargeWorkspace, type LargeWorkspace } from "../testing/data/large_workspace.ts";
import { fullSize } from "../testing/data/workspace_size.ts";
import { startTestStack } from "../testing/service/stack.ts";
import { describeMachine } from "./support/machine.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const widths = [20, 12];
const limitMs = 1000;
const visits = 5;
const scrolls = 40;

/**
 * Builds one large workspace and times how long each page takes from its address to its content,
 * in a real browser; then scrolls a long timeline. Fails over a second (median).
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: "string", default: String(fullSize.events) },
      customers: { type: "string", default: String(fullSize.customers) },
      deliveries: { type: "string", default: String(fullSize.deliveries) },
    },
  });
  print(describeMachine());
  await using cluster = await startTestCluster();
  Deno.env.set("TEST_DB_URL", cluster.url);
  Deno.env.set("TEST_TEMPLATE", await createTemplate(cluster));
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const workspaceId = stack.info.workspace_id;
  const size = {
    ...fullSize,
    events: Number(values.events),
    customers: Number(values.customers),
    deliveries: Number(values.deliveries),
  };
  const large = await fillLargeWorkspace(db.sql, { workspaceId, size });
  print(
    `${formatCount(size.events)} events, ${formatCount(size.customers)} customers, ` +
      `${formatCount(size.deliveries)} deliveries\n`,
  );
  await using browser = await openBrowser();
  const page = browser.page;
  const context = await page.context().browser()!.newContext({ baseURL: stack.info.base_url });
  const visitor = await context.newPage();
  const workspace = await signIn(visitor, stack.info.user);
  printRow(["", "content, ms"], widths);
  const slow: string[] = [];
  for (const spec of listLargePages(workspace, large)) {
    const times: number[] = [];
    for (let visit = 0; visit < visits; visit++) {
      await visitor.goto(spec.path);
      times.push(await visitor.evaluate<number>(contentScript(spec.shows)));
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(visits / 2)] ?? 0;
    printRow([spec.name, median.toFixed(0)], widths);
    if (median > limitMs) slow.push(spec.name);
  }
  await visitor.goto(`${workspace}/customers/${large.busiestId}`);
  await visitor.getByRole("list", { name: "Timeline" }).waitFor();
  const frames = await visitor.evaluate<number[]>(scrollScript());
  const sorted = frames.toSorted((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(0);
  print(
    `\nScrolling the busiest timeline, ms a frame: half within ${share(0.5)}, ` +
      `99 % within ${share(0.99)}, longest ${share(1)}`,
  );
  await context.close();
  if (slow.length > 0) throw new Error(`Over ${limitMs} ms: ${slow.join(", ")}`);
}

function listLargePages(workspace: string, large: LargeWorkspace): PageSpec[] {
  const page = (name: string, path: string, shows: string): PageSpec => ({
    name,
    path: `${workspace}${path}`,
    shows,
  });
  return [
    page("overview", "", "Top events"),
    page("overview, 30 days", "?range=30d", "Top events"),
    page("getting started", "/getting-started", "Your first event is here"),
    page("events", "/events", "event_"),
    page("event", `/events?event=${large.eventIds[0]}`, "Everything it holds"),
    page("customers", "/customers", "@example.com"),
    page("customer search", "/customers?q=ada", "@example.com"),
    page("busiest customer", `/customers/${large.busiestId}`, "event_"),
    page("its ids", `/customers/${large.busiestId}?tab=identities`, "Merge history"),
    page("its devices", `/customers/${large.busiestId}?tab=devices`, "token-"),
    page("destinations", "/destinations", "Backlog"),
    page("new destination", "/destinations/new", "Only these"),
    page("destination", `/destinations/${large.destinationIds[0]}`, "Delivered"),
    page("deliveries", "/deliveries", "Delivered"),
    page("failed deliveries", "/deliveries?ok=false", "Failed"),
    page("delivery", `/deliveries/${large.deliveryIds[0]}`, "Attempts"),
    page("sources", "/sources", "Last received"),
    page("source", `/sources/${large.sourceIds[0]}`, "accepted"),
    page("rejected entries", "/rejected", "Invalid input"),
    page("api keys", "/api-keys", "Active"),
    page("team", "/team", "@example.com"),
    page("usage", "/usage", "The busiest"),
    page("audit log", "/audit-log", "Who changed what"),
    page("settings", "/settings", "Delete the workspace"),
  ];
}

/**
 * Source of a script that runs in the page and measures it. Resolves when a text is shown, no
 * skeleton is left and everything is drawn, with the time since the navigation started, in ms.
 */
function contentScript(shows: string): string {
  return `new Promise((resolve) => {
    const look = () => {
      const isWhole = document.querySelector(".mantine-Skeleton-root") === null;
      if (isWhole && document.body.innerText.includes(${JSON.stringify(shows)})) {
        // Charts draw themselves once they stand in the page: in the next frame they are seen.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
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
