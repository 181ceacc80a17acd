import { parseArgs } from "node:util";
import { openBrowser } from "../tests/support/browser.ts";
import { createTemplate, startTestCluster } from "../tests/support/cluster.ts";
import { openSpec, type PageSpec } from "../tests/support/dashboard_pages.ts";
import { signIn } from "../tests/support/dashboard_world.ts";
import { createEmptyDatabase } from "../tests/support/database.ts";
import {
  fillLargeWorkspace,
  fullSize,
  type LargeWorkspace,
} from "../tests/support/large_workspace.ts";
import { startTestStack } from "../tests/support/stack.ts";
import { describeMachine } from "./support/machine.ts";
import { formatCount, print, printRow } from "./support/table.ts";

const WIDTHS = [20, 12];
const LIMIT_MS = 1000;
const VISITS = 3;
const SCROLLS = 40;

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
  printRow(["", "content, ms"], WIDTHS);
  const slow: string[] = [];
  for (const spec of listLargePages(workspace, large)) {
    const times: number[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const started = performance.now();
      await openSpec(visitor, spec);
      times.push(performance.now() - started);
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(VISITS / 2)] ?? 0;
    printRow([spec.name, median.toFixed(0)], WIDTHS);
    if (median > LIMIT_MS) slow.push(spec.name);
  }
  await visitor.goto(`${workspace}/customers/${large.busiestId}`);
  await visitor.getByRole("list", { name: "Timeline" }).waitFor();
  const worst = await visitor.evaluate<number>(scrollScript());
  print(`\nLongest frame while scrolling the busiest timeline: ${worst.toFixed(0)} ms`);
  await context.close();
  if (slow.length > 0) throw new Error(`Over ${LIMIT_MS} ms: ${slow.join(", ")}`);
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
    page("events", "/events", "event_"),
    page("event", `/events?event=${large.eventIds[0]}`, "Everything it holds"),
    page("customers", "/customers", "@example.com"),
    page("customer search", "/customers?q=ada", "@example.com"),
    page("busiest customer", `/customers/${large.busiestId}`, "Attributes"),
    page("destinations", "/destinations", "Backlog"),
    page("destination", `/destinations/${large.destinationIds[0]}`, "Recent deliveries"),
    page("deliveries", "/deliveries", "Delivered"),
    page("failed deliveries", "/deliveries?ok=false", "Failed"),
    page("delivery", `/deliveries/${large.deliveryIds[0]}`, "Attempts"),
    page("usage", "/usage", "The busiest"),
    page("team", "/team", "Invite"),
    page("audit log", "/audit-log", "Who changed what"),
  ];
}

/** As text: what runs there is the page's. Scrolls on and on; the longest time between frames. */
function scrollScript(): string {
  return `(async () => {
    let worst = 0;
    let last = performance.now();
    for (let step = 0; step < ${SCROLLS}; step++) {
      scrollBy(0, 400);
      for (let frame = 0; frame < 10; frame++) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        worst = Math.max(worst, now - last);
        last = now;
      }
    }
    return worst;
  })()`;
}
