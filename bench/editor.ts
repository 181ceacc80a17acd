import { join } from "node:path";
import { parseArgs } from "node:util";
import type { CDPSession, Page } from "playwright-core";
import { openBrowser } from "../testing/browser/browser.ts";
import { signIn } from "../testing/browser/dashboard_world.ts";
import { resizeWindow } from "../testing/browser/resize.ts";
import { makeLongDefinition } from "../testing/data/journeys.ts";
import { createEmptyDatabase } from "../testing/postgres/database.ts";
import { startTestStack } from "../testing/service/stack.ts";
import { createApiClient } from "../supabase/functions/api/contract/client.ts";
import { startBenchCluster } from "./support/bench_cluster.ts";
import { describeMachine } from "./support/machine.ts";
import { quantile } from "./support/quantile.ts";
import { print, printRow } from "./support/table.ts";

const widths = [28, 9, 8, 8, 8, 8, 8];
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** A frame of a screen with 60 a second, with what a clock is off by. */
const frameMs = 1000 / 60 + 1;

/** Edits a long journey in a real browser, and prints how long its frames took. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      steps: { type: "string", default: "60" },
      rounds: { type: "string", default: "20" },
      /** Folder for pictures of the editor at both widths. */
      pictures: { type: "string" },
    },
  });
  const [steps, rounds] = [Number(values.steps), Number(values.rounds)];
  print(describeMachine());
  await using _cluster = await startBenchCluster();
  await using db = await createEmptyDatabase();
  await using stack = await startTestStack({ args: ["--database-url", db.url] });
  const { base_url, api_key, user } = stack.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const definition = makeLongDefinition(steps);
  const { id } = await api.call("POST /journeys", { body: { name: "Long", definition } });
  await using browser = await openBrowser();
  const context = await browser.page.context().browser()!
    .newContext({ baseURL: base_url, viewport: desktop });
  const page = await context.newPage();
  const workspace = await signIn(page, user);
  await page.goto(`${workspace}/journeys/${id}?tab=draft`);
  await page.locator('[data-step="step-0"]').waitFor();
  print(`A journey of ${steps} steps, ${rounds} times each\n`);
  printRow(["", "work ms", "frames", "p50 ms", "p99 ms", "longest", "late"], widths);
  const clock = await openThreadClock(page);
  for (const [name, act] of actions) {
    const before = await readThreadMs(clock);
    await page.evaluate(startFrames);
    for (let round = 0; round < rounds; round++) await act(page, round);
    const frames = await page.evaluate<number[]>(stopFrames);
    printFrames({ name, frames, workMs: (await readThreadMs(clock) - before) / rounds });
  }
  if (values.pictures !== undefined) await takePictures(page, values.pictures);
  await context.close();
}

/** Acts of a person in the editor, each once. */
const actions: readonly (readonly [string, (page: Page, round: number) => Promise<void>])[] = [
  ["nothing", (page) => nextFrames(page, 10)],
  ["dragging the canvas", drag],
  ["scrolling over the canvas", async (page, round) => {
    await page.mouse.move(500, 500);
    for (let n = 0; n < 10; n++) await page.mouse.wheel(round % 2 === 0 ? 60 : -60, 0);
    await nextFrames(page, 5);
  }],
  ["zooming", async (page, round) => {
    await page.getByRole("button", { name: round % 2 === 0 ? "Zoom Out" : "Zoom In" }).click();
    await nextFrames(page, 5);
  }],
  ["going to the next step", async (page, round) => {
    if (round === 0) await page.locator('[data-step="@entry"]').focus();
    await page.keyboard.press("ArrowRight");
    await nextFrames(page, 5);
  }],
  ["typing into a step", async (page, round) => {
    const time = page.getByRole("textbox", { name: "Time", exact: true });
    if (round === 0) await openFirst(page);
    await time.press(`${1 + round % 9}`);
    await nextFrames(page, 5);
  }],
  ["adding a step", async (page, round) => {
    if (round > 0) await page.getByRole("button", { name: "Undo" }).click();
    await openFirst(page);
    await page.getByRole("button", { name: "Add a step after this" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^Update/ }).click();
    await page.locator('[data-step="update"]').waitFor();
    await nextFrames(page, 5);
  }],
  ["undoing and redoing", async (page) => {
    await page.getByRole("button", { name: "Undo" }).click();
    await nextFrames(page, 5);
    await page.getByRole("button", { name: "Redo" }).click();
    await nextFrames(page, 5);
  }],
];

/** Opens the first step; the keyboard finds it wherever the canvas stands. */
async function openFirst(page: Page): Promise<void> {
  await page.locator('[data-step="@entry"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Wait" }).waitFor();
}

/** Drags the background back and forth. */
async function drag(page: Page, round: number): Promise<void> {
  const pane = (await page.locator(".react-flow__pane").boundingBox())!;
  const y = pane.y + pane.height - 40;
  const [from, to] = round % 2 === 0 ? [700, 300] : [300, 700];
  await page.mouse.move(pane.x + from, y);
  await page.mouse.down();
  await page.mouse.move(pane.x + to, y, { steps: 20 });
  await page.mouse.up();
  await nextFrames(page, 2);
}

async function nextFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let left = ${count};
    const next = () => --left < 0 ? resolve() : requestAnimationFrame(next);
    next();
  })`);
}

/** Notes the time of each frame from now on. Scripts run in the page. */
const startFrames = `(() => {
  const frames = globalThis.benchFrames = [];
  const note = (time) => {
    if (globalThis.benchFrames !== frames) return;
    frames.push(time);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
})()`;

/** Returns the times between two frames, in ms. */
const stopFrames = `(() => {
  const frames = globalThis.benchFrames;
  globalThis.benchFrames = undefined;
  return frames.slice(1).map((time, n) => time - frames[n]);
})()`;

interface Measured {
  name: string;
  frames: readonly number[];
  /** Processor time of the page's thread, per act. */
  workMs: number;
}

function printFrames({ name, frames, workMs }: Measured): void {
  const share = (part: number) => quantile(frames, part).toFixed(0);
  const late = frames.filter((ms) => ms > frameMs).length / frames.length * 100;
  const cells = [`${frames.length}`, share(0.5), share(0.99), share(1), `${late.toFixed(1)} %`];
  printRow([name, workMs.toFixed(1), ...cells], widths);
}

/** Opens the clock of the page's thread, which stands still while others use the processor. */
async function openThreadClock(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
  await session.send("Performance.enable");
  return session;
}

async function readThreadMs(clock: CDPSession): Promise<number> {
  const { metrics } = await clock.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
}

/** Takes pictures of the canvas and the list at both widths. */
async function takePictures(page: Page, folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const take = async (name: string) => {
    await nextFrames(page, 10);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  };
  await page.reload();
  await page.locator('[data-step="step-0"]').waitFor();
  await take("canvas-1440");
  await page.getByRole("button", { name: "Fit View" }).click();
  await take("canvas-1440-whole");
  await openFirst(page);
  await take("canvas-1440-step");
  await page.getByRole("button", { name: "List" }).click();
  await take("list-1440");
  await resizeWindow(page, phone);
  await page.reload();
  await page.getByRole("list", { name: "Steps" }).waitFor();
  await take("list-390");
  await page.getByRole("button", { name: "Canvas", exact: true }).click();
  await page.locator('[data-step="step-0"]').waitFor();
  await take("canvas-390");
}
