import assert from "node:assert/strict";
import postgres from "postgres";
import type { Page } from "playwright-core";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";
import {
  type DashboardWorld,
  openDashboardWorld,
  signIn,
} from "../../testing/browser/dashboard_world.ts";
import { startReceiver } from "../../testing/receivers/receiver.ts";
import { respond } from "../../testing/receivers/receiver_behaviours.ts";

const hourMs = 3_600_000;

Deno.test("a destination's page shows success and latency for the chosen time range", async (t) => {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await openDashboardWorld());
  const receiver = await startReceiver({ behaviour: respond(200) });
  cleanup.defer(() => receiver.close());
  const id = await createDestination(world, receiver.port);
  const page = await world.openPage({ colorScheme: "light" });
  await page.addInitScript(collectDrawn);
  const address = `${await signIn(page, world.info.user)}/destinations/${id}`;

  await t.step("the page says what to do before the first attempt", async () => {
    await page.goto(address);
    await page.getByRole("heading", { name: "No attempts in this period" }).waitFor();
    await page.getByText("Choose a longer time range. Tests do not count.").waitFor();
  });

  await t.step("attempts of the last day are counted", async () => {
    await ping(page, "Delivered 200");
    for (const status of [200, 200, 500, 200]) {
      receiver.use(respond(status));
      await deliver(world, id);
    }
    await page.reload();
    await assertStat(page, "Success rate", ["75%", "3 of 4 attempts"]);
    await assertStat(page, "Failed attempts", ["1", "25%"]);
    await assertStat(page, "Mean latency", [/^[\d.]+ m?s$/, /^Median [\d.]+ m?s$/]);
    await assertStat(page, "p95 latency", [/^[\d.]+ m?s$/, /^Max [\d.]+ m?s$/]);
    await page.getByText("Outcomes: Delivered 3 in total, Failed 1 in total").waitFor();
    await page.getByText("Latency over time").waitFor();
  });

  await t.step("a failed attempt says that its message was canceled", async () => {
    await page.getByRole("row", { name: /order_created.*Failed 500/ }).first()
      .getByRole("link").click();
    await page.getByText("The message was canceled, so it is not sent again.").waitFor();
    await page.getByText("Canceled", { exact: true }).waitFor();
    assert.equal(await page.getByText(/No further attempts|Retries continue/).count(), 0);
    await page.getByRole("link", { name: "ada", exact: true }).waitFor();
    await page.goto(address);
    await page.getByText("Latency over time").waitFor();
  });

  await t.step("the figures stand above the list of deliveries", async () => {
    const headings = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    const place = (name: string) => headings.indexOf(name);
    assert.ok(place("Success and latency") >= 0);
    assert.ok(place("Success and latency") < place("Recent deliveries"), headings.join());
  });

  await t.step("a time is relative, and exact on hover", async () => {
    const time = page.getByRole("table", { name: "Recent deliveries" }).locator("time").first();
    assert.match((await time.textContent()) ?? "", /^(just now|\d+s ago)$/);
    const exact = await time.getAttribute("datetime");
    await time.hover();
    await page.getByRole("tooltip").getByText(`(${exact})`).waitFor();
    await page.getByRole("heading", { name: "Recent deliveries" }).hover();
    await page.getByRole("tooltip").waitFor({ state: "detached" });
  });

  await t.step("figures link to the attempts they count", async () => {
    await assertLeadsTo(page, /Failed attempts/, ["Failed 500"]);
    await assertLeadsTo(page, /Success rate/, ["Delivered 200", "Delivered 200", "Delivered 200"]);
    await assertLeadsTo(page, "See all: Outcomes", [
      "Delivered 200",
      "Failed 500",
      "Delivered 200",
      "Delivered 200",
    ]);
  });

  await t.step("a chosen time range stays in the address", async () => {
    await page.getByRole("combobox", { name: "Time range" }).click();
    await page.getByRole("option", { name: "Last 7 days" }).click();
    await page.waitForURL(/range=7d/);
    await assertStat(page, "Success rate", ["75%", "3 of 4 attempts"]);
    const hour = new Date(Math.floor(Date.now() / hourMs - 50 * 24) * hourMs);
    await insertTotals(world, id, hour);
    const until = new Date(hour.getTime() + hourMs / 2);
    await page.goto(`${address}?since=${hour.toISOString()}&until=${until.toISOString()}`);
    await assertStat(page, "Success rate", ["90%", "90 of 100 attempts"]);
    await assertStat(page, "Failed attempts", ["10", "10%"]);
    await assertStat(page, "Mean latency", ["620 ms", "Median 40 ms"]);
    await assertStat(page, "p95 latency", ["1.4 s", "Max 1.4 s"]);
    await page.getByText("Outcomes: Delivered 90 in total, Failed 10 in total").waitFor();
  });

  await t.step("both ends of a resend stand in one row", async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Resend failed" }).click();
    const dialog = page.getByRole("dialog", { name: "Resend failed messages" });
    const [from, to] = ["From", "To"].map((name) => dialog.getByLabel(name, { exact: true }));
    await to!.waitFor();
    assert.equal((await from!.boundingBox())!.y, (await to!.boundingBox())!.y);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  });

  await t.step("a chart shows the values under the pointer", async () => {
    await page.locator("canvas").first().hover();
    await waitForDrawn(page, ["Delivered: 90", "Failed: 10"]);
    await waitForDrawn(page, ['12px "Inter Variable", system-ui, sans-serif']);
    await page.locator("canvas").last().hover();
    await waitForDrawn(page, ["Mean: 620 ms", "p95: 1,360 ms"]);
  });

  await t.step("charts use the colours of the theme", async () => {
    // New figures would redraw the charts as well.
    await page.context().setOffline(true);
    for (const [scheme, line] of [["Dark", "#2f3240"], ["Light", "#e2e3ea"]] as const) {
      await page.evaluate("drawn.clear()");
      await page.getByRole("button", { name: /sign out/ }).click();
      await page.getByRole("menuitemradio", { name: scheme }).click();
      await waitForDrawn(page, [line]);
    }
    await page.context().setOffline(false);
  });

  await t.step(
    "a button that a lesser role may not use says so, and disappears",
    async () => {
      const disable = page.getByRole("button", { name: "Disable", exact: true });
      await disable.waitFor();
      await makeViewer(world.info);
      await disable.click();
      await page.getByRole("button", { name: "Disable destination" }).click();
      await page.getByText("Your role in this workspace is now viewer.").waitFor();
      await disable.waitFor({ state: "detached" });
    },
  );
});

/** Collects what charts draw on a canvas: texts, fonts and line colours. */
const collectDrawn = `
  window.drawn = new Set();
  const { fillText, stroke } = CanvasRenderingContext2D.prototype;
  Object.assign(CanvasRenderingContext2D.prototype, {
    fillText(text, ...place) {
      drawn.add(text).add(this.font);
      fillText.call(this, text, ...place);
    },
    stroke(...path) {
      drawn.add(this.strokeStyle);
      stroke.apply(this, path);
    },
  });`;

async function waitForDrawn(page: Page, expected: string[]): Promise<void> {
  await page.waitForFunction((expected) => {
    const { drawn } = globalThis as unknown as { drawn: Set<string> };
    return expected.every((each) => drawn.has(each));
  }, expected);
}

async function createDestination({ info }: DashboardWorld, port: number): Promise<string> {
  const api = createApiClient({
    functionsUrl: `${info.base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${info.api_key}` }),
  });
  const url = `http://127.0.0.1:${port}/hooks`;
  const body = { name: "Warehouse", url, event_types: ["order_created"] };
  return (await api.call("POST /destinations", { body })).id;
}

/** Sends an event, waits for its first attempt, and cancels further ones. */
async function deliver({ info }: DashboardWorld, destination_id: string): Promise<void> {
  const headers = { authorization: `Bearer ${info.api_key}` };
  const functionsUrl = `${info.base_url}/functions/v1`;
  const api = createApiClient({ functionsUrl, headers: () => headers });
  const query = { destination_id, event_type: "order_created", limit: 1 };
  const before = (await api.call("GET /deliveries", { query })).data[0]?.id;
  const sent = await fetch(`${functionsUrl}/track`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ external_id: "ada", name: "order_created" }),
  });
  assert.equal(sent.status, 200, await sent.text());
  while (true) {
    const delivery = (await api.call("GET /deliveries", { query })).data[0];
    if (delivery === undefined || delivery.id === before) continue;
    if (!delivery.ok) {
      await api.call("POST /messages/{id}/cancel", {
        params: { id: delivery.message_id },
        body: {},
      });
    }
    return;
  }
}

async function ping(page: Page, outcome: string): Promise<void> {
  await page.getByRole("button", { name: "Send test ping" }).click();
  await page.getByRole("dialog").getByText(outcome).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Checks a figure: its label, its value and the note below. */
async function assertStat(page: Page, label: string, texts: (string | RegExp)[]): Promise<void> {
  const stat = page.getByRole("link", { name: new RegExp(`^${label}`) });
  for (const text of texts) await stat.getByText(text, { exact: true }).waitFor();
}

/** Follows a link to the list, checks that it has exactly these attempts, and returns. */
async function assertLeadsTo(page: Page, name: string | RegExp, outcomes: string[]): Promise<void> {
  const address = page.url();
  await page.getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor();
  await page.getByRole("row", { name: /^order_created/ }).nth(outcomes.length - 1).waitFor();
  const rows = await page.getByRole("row", { name: /^order_created/ }).allInnerTexts();
  assert.deepEqual(rows.map((row) => /(?:Delivered|Failed) \d+/.exec(row)?.[0]), outcomes);
  await page.goto(address);
}

/** Inserts totals of an hour whose attempts are no longer logged: half took 40 ms, half 1.2 s. */
async function insertTotals({ info }: DashboardWorld, id: string, hour: Date): Promise<void> {
  const sql = postgres(info.db_url, { max: 1, fetch_types: false });
  try {
    await sql`
      insert into public.delivery_stats values (${info.workspace_id}, ${id}, ${hour}, 90, 10)`;
    await sql`
      insert into public.delivery_durations
      values
        (${info.workspace_id}, ${id}, ${hour}, 30, 50, 2000, 40),
        (${info.workspace_id}, ${id}, ${hour}, 1000, 50, 60000, 1400)`;
  } finally {
    await sql.end();
  }
}
