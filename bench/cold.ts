import { parseArgs } from "node:util";
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";
import type { StackInfo } from "../local/stack.ts";
import { openBrowser } from "../testing/browser/browser.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { fillPages, type PagesData } from "../testing/browser/pages/fill_pages.ts";
import { createPageMaker, type PageSpec, patternOf } from "../testing/browser/pages/page_spec.ts";
import { createEmptyDatabase } from "../testing/postgres/database.ts";
import { startTestStack } from "../testing/service/stack.ts";
import { startBenchCluster } from "./support/bench_cluster.ts";
import { describeMachine } from "./support/machine.ts";
import { median } from "./support/quantile.ts";
import { print, printRow } from "./support/table.ts";

const widths = [13, 11, 9, 8, 8, 8, 8, 8];
const network = {
  offline: false,
  latency: 400,
  downloadThroughput: 50 * 1024,
  uploadThroughput: -1,
};
const kinds = ["Script", "Stylesheet", "Font"] as const;

/**
 * Opens pages with an empty cache over 50 KB/s and 400 ms. Prints after what time something can be
 * read, after what time the content is shown, and how much was transferred until then.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      visits: { type: "string", default: "3" },
      /** Name of the only page to visit. */
      only: { type: "string" },
      /** Also prints each request of the first visit. */
      requests: { type: "boolean", default: false },
    },
  });
  print(describeMachine());
  await using _cluster = await startBenchCluster();
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  await using data = await fillPages({ info: stack.info, text: "" });
  await visitPages(stack.info, {
    data,
    visits: Number(values.visits),
    only: values.only,
    isVerbose: values.requests,
  });
}

interface VisitOptions {
  data: PagesData;
  visits: number;
  only: string | undefined;
  isVerbose: boolean;
}

async function visitPages(info: StackInfo, options: VisitOptions): Promise<void> {
  await using opened = await openBrowser();
  const browser = opened.page.context().browser()!;
  const open = (more: BrowserContextOptions) =>
    browser.newContext({ baseURL: info.base_url, ...more });
  const first = await open({});
  const workspace = await signIn(await first.newPage(), info.user);
  const session = await first.storageState();
  await first.close();
  const pages = listPages(workspace, options.data)
    .filter(({ name }) => name === (options.only ?? name));
  printRow(["", "readable s", "usable s", "KB", "script", "style", "font", "rest"], widths);
  for (const spec of pages) {
    const found: Visit[] = [];
    for (let visit = 0; visit < options.visits; visit++) {
      const context = await open(spec.name === "sign-in" ? {} : { storageState: session });
      found.push(await visitPage(await context.newPage(), spec));
      await context.close();
    }
    printVisits(spec.name, found);
    if (options.isVerbose) printRequests(found[0]!.requests);
  }
}

/** Lists a page of each kind: lists, figures, resources and editors. */
function listPages(workspace: string, data: PagesData): PageSpec[] {
  const page = createPageMaker(workspace);
  const journey = `/journeys/${data.journeyId}`;
  return [
    { name: "sign-in", path: "/sign-in", shows: "Forgot your password?" },
    page("overview", ["", "Top events"]),
    page("events", ["/events", "order_created"]),
    page("explore", ["/explore", "Total"]),
    page("customers", ["/customers", "Ada Lovelace"]),
    page("customer", [`/customers/${data.customerId}`, "Attributes"]),
    page("segment", [`/segments/${data.ruleId}/edit`, "Save"]),
    page("journey", [journey, "Publish"]),
    page("draft", [`${journey}?tab=draft`, "Goal and exits"]),
    page("campaigns", ["/campaigns", "Autumn sale"]),
    page("campaign", [`/campaigns/${data.draftCampaignId}`, "Will get it"]),
    page("template", [`/templates/${data.offerId}`, "Save as a new version"]),
    page("destinations", ["/destinations", "Warehouse"]),
    page("messages", ["/messages", "order_created"]),
    page("alerts", ["/alerts", "Warehouse is down"]),
    page("settings", ["/settings", "Delete workspace"]),
  ];
}

interface Visit {
  readableMs: number;
  usableMs: number;
  requests: Transfer[];
}

interface Transfer {
  path: string;
  kind: string;
  startMs: number;
  endMs: number;
  bytes: number;
}

async function visitPage(page: Page, { path, shows }: PageSpec): Promise<Visit> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", network);
  const requests = listTransfers(devtools);
  await page.goto(path, { waitUntil: "commit" });
  const times = await page.evaluate<{ readableMs: number; usableMs: number }>(watchScript(shows));
  return { ...times, requests: requests() };
}

/** Collects the requests of a page; their times count from the first one. */
function listTransfers(devtools: CDPSession): () => Transfer[] {
  const transfers = new Map<string, Transfer>();
  let zero: number | undefined;
  devtools.on("Network.requestWillBeSent", ({ requestId, request, type, timestamp }) => {
    zero ??= timestamp;
    transfers.set(requestId, {
      path: new URL(request.url).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…"),
      kind: type ?? "Other",
      startMs: (timestamp - zero) * 1000,
      endMs: NaN,
      bytes: 0,
    });
  });
  devtools.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId);
    if (transfer) transfer.bytes += encodedDataLength;
  });
  devtools.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => {
    const transfer = transfers.get(requestId);
    if (transfer) {
      transfer.endMs = (timestamp - zero!) * 1000;
      transfer.bytes = encodedDataLength;
    }
  });
  return () => [...transfers.values()];
}

function printVisits(name: string, visits: readonly Visit[]): void {
  const seconds = (of: (visit: Visit) => number) => (median(visits.map(of)) / 1000).toFixed(1);
  const sum = (isOf: (transfer: Transfer) => boolean) =>
    (visits[0]!.requests.filter(isOf).reduce((all, { bytes }) => all + bytes, 0) / 1024).toFixed(0);
  printRow([
    name,
    seconds(({ readableMs }) => readableMs),
    seconds(({ usableMs }) => usableMs),
    sum(() => true),
    ...kinds.map((kind) => sum((each) => each.kind === kind)),
    sum(({ kind }) => !(kinds as readonly string[]).includes(kind)),
  ], widths);
}

function printRequests(requests: readonly Transfer[]): void {
  for (const { path, startMs, endMs, bytes } of requests) {
    const times = [startMs, endMs].map((ms) => ms.toFixed(0).padStart(6)).join(" ");
    print(`  ${times} ${bytes.toString().padStart(7)} ${path}`);
  }
}

/** Source of a script that waits for a text and for the last skeleton to go. */
function watchScript(shows: PageSpec["shows"]): string {
  const wanted = JSON.stringify(patternOf(shows));
  return `new Promise((resolve, reject) => {
    const look = () => {
      const isWhole = document.querySelector(".mantine-Skeleton-root") === null;
      if (isWhole && new RegExp(${wanted}).test(document.body?.innerText ?? "")) {
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        const usableMs = performance.now();
        requestAnimationFrame(() => resolve({ readableMs: paint?.startTime ?? usableMs, usableMs }));
      } else if (performance.now() > 60_000) {
        reject(new Error("Cannot find the content of " + location.pathname));
      } else requestAnimationFrame(look);
    };
    look();
  })`;
}
