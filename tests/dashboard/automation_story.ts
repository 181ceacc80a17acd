import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import postgres from "postgres";
import { type DashboardWorld, signUp } from "../../testing/browser/dashboard_world.ts";
import type { Hands } from "../../testing/browser/hands.ts";

/** A workspace in which a person builds, watches and stops automation. */
export interface Story {
  world: DashboardWorld;
  page: Page;
  /** Makes the hands that act on a page: a mouse or a keyboard. */
  makeHands: (page: Page) => Hands;
  /** The hands on the dashboard. */
  hands: Hands;
  /** Address of the workspace, such as "/w/…". */
  workspace: string;
  /** Key that may send events. */
  key: string;
}

interface StoryOptions {
  world: DashboardWorld;
  makeHands: (page: Page) => Hands;
  email: string;
}

/** Signs a person up, who creates a key on the page. */
export async function startStory({ world, makeHands, email }: StoryOptions): Promise<Story> {
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signUp(page, email);
  const hands = makeHands(page);
  const story: Story = { world, page, makeHands, hands, workspace, key: "" };
  await open(story, "Getting started");
  await hands.press(page.getByRole("button", { name: "Create a key" }));
  story.key = await page.getByTestId("secret").innerText();
  return story;
}

/** Opens a page of the navigation. */
export async function open({ page, hands }: Story, name: string): Promise<void> {
  const navigation = page.getByRole("navigation", { name: "Main" });
  await hands.press(navigation.getByRole("link", { name, exact: true }));
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** Returns the button with this exact name. */
export function button(place: Page | Locator, name: string | RegExp): Locator {
  return place.getByRole("button", { name, exact: typeof name === "string" });
}

/** Returns the field for text with this label. */
export function field(place: Page | Locator, name: string | RegExp): Locator {
  return place.getByRole("textbox", { name });
}

/** Returns the list of options with this label. */
export function list(place: Page | Locator, name: string): Locator {
  return place.getByRole("combobox", { name, exact: true });
}

/** Sends entries as a customer's server does. A workspace at its quota asks to come again. */
export async function track({ world, key }: Story, events: readonly object[]): Promise<void> {
  const response = await fetch(`${world.info.base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ events }),
  });
  assert.equal(response.status, 200, await response.text());
}

/** Moves what happened in the workspace into the past, so that time passes for runs and sends. */
export async function letTimePass(story: Story, length: string): Promise<void> {
  await query(story, (sql, workspaceId) =>
    sql`
      with moved as (
        update public.journey_runs as r
        set
          entered_at = r.entered_at - ${length}::text::interval,
          stepped_at = r.stepped_at - ${length}::text::interval,
          wake_at = r.wake_at - ${length}::text::interval,
          due_at = r.due_at - ${length}::text::interval
        where r.workspace_id = ${workspaceId} and r.state = 'active'
        returning r.journey_id, r.due_at
      ),
      announced as (
        insert into private.run_arrivals (workspace_id, journey_id, due_at)
        select ${workspaceId}, m.journey_id, min(m.due_at) from moved as m
        where m.due_at < 'infinity'
        group by m.journey_id
      )
      update public.sends as s
      set sent_at = s.sent_at - ${length}::text::interval
      where s.workspace_id = ${workspaceId}`);
}

/** Adds up figures at once, instead of within ten seconds. */
export async function addUp(story: Story): Promise<void> {
  await query(story, (sql) => sql`select private.fold_usage(), private.fold_journey_stats(10000)`);
}

async function query(
  { world, workspace }: Story,
  run: (sql: postgres.Sql, workspaceId: string) => Promise<unknown>,
): Promise<void> {
  const sql = postgres(world.info.db_url, { max: 1, fetch_types: false });
  try {
    await run(sql, workspace.split("/").at(-1)!);
  } finally {
    await sql.end();
  }
}
