import assert from "node:assert/strict";
import postgres from "postgres";
import type { StackInfo } from "../../local/stack.ts";
import { createApiClient } from "../../supabase/functions/api/contract/client.ts";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";
import { makeMouse } from "../../testing/browser/hands.ts";
import { makeKeyboard } from "../../testing/browser/keyboard.ts";

const definition = {
  trigger: {
    event: "order_created",
    where: [{ property: "total", op: "gte" as const, value: 10 }],
  },
  start: "pause",
  steps: { pause: { wait: { for: "2d" }, next: "end" }, end: { exit: {} } },
};

Deno.test("a journey is tested with an event in fields, by mouse and by keyboard", async (t) => {
  await using world = await openDashboardWorld();
  const { base_url, api_key, user } = world.info;
  const api = createApiClient({
    functionsUrl: `${base_url}/functions/v1`,
    headers: () => ({ authorization: `Bearer ${api_key}` }),
  });
  const { id } = await api.call("POST /journeys", { body: { name: "Reminder", definition } });
  await track(world.info, { name: "order_created", properties: { total: 42, items: [1, 2] } });
  await track(world.info, { name: "cart_emptied", properties: { cart: "c-1" } });
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, user);
  const panel = page.getByRole("complementary", { name: "Details" });
  const run = panel.getByRole("button", { name: "Run the test" });
  const onPath = page.locator('[data-step="pause"][data-on-path]');
  const first = panel.getByRole("group", { name: "Event 1" });
  const total = first.getByRole("group", { name: "total" }).getByRole("textbox", { name: "Value" });
  const input = panel.getByRole("textbox", { name: "Input" });

  for (const hands of [makeMouse(page), makeKeyboard(page)]) {
    await t.step(`the last event fills in the first one, with the ${hands.name}`, async () => {
      await page.goto(`${workspace}/journeys/${id}?tab=draft`);
      await page.evaluate("sessionStorage.clear()");
      await page.reload();
      await hands.press(page.getByRole("button", { name: "Test", exact: true }));
      await first.getByText(/^As in the last order_created/).waitFor();
      const name = first.getByRole("combobox", { name: "Name", exact: true });
      assert.equal(await name.inputValue(), "order_created");
      assert.equal(await total.inputValue(), "42");
      await first.getByLabel("Value of items as JSON").waitFor();
      assert.equal((await findProblems(page)).join("\n"), "");
    });

    await t.step(`a changed property changes the result, with the ${hands.name}`, async () => {
      await hands.press(run);
      await onPath.waitFor();
      await hands.type(total, "5");
      await hands.press(run);
      await panel.getByText("The customer does not enter").waitFor();
    });

    await t.step(
      `another event takes the focus, and can be left out, with the ${hands.name}`,
      async () => {
        await hands.press(panel.getByRole("button", { name: "Add an event" }));
        const second = panel.getByRole("group", { name: "Event 2" });
        const name = second.getByRole("combobox", { name: "Name", exact: true });
        await second.locator("input:focus").waitFor();
        await hands.type(name, "cart_emptied");
        await second.getByText(/^As in the last cart_emptied/).waitFor();
        await hands.press(second.getByRole("button", { name: "Leave out event 2" }));
        await second.waitFor({ state: "detached" });
        await panel.getByRole("button", { name: "Add an event" }).and(page.locator(":focus"))
          .waitFor();
      },
    );

    await t.step(`JSON is another view of the same input, with the ${hands.name}`, async () => {
      const json = panel.getByRole("button", { name: "JSON" });
      const fields = panel.getByRole("button", { name: "Fields" });
      await hands.press(json);
      assert.deepEqual(JSON.parse(await input.inputValue()), {
        events: [{ name: "order_created", properties: { total: 5, items: [1, 2] } }],
      });
      await hands.type(input, "{");
      await panel.getByText("Must be an object with these fields").waitFor();
      assert.ok(await fields.isDisabled() && await run.isDisabled());
      const event = { name: "order_created", occurred_at: "2024-03-05T10:00:00Z" };
      const events = [{ ...event, properties: { total: 70 } }];
      await hands.type(input, JSON.stringify({ events }));
      assert.equal((await findProblems(page)).join("\n"), "");
      await hands.press(fields);
      await first.getByRole("button", { name: /^Happens at/ }).getByText("5 Mar 2024").waitFor();
      assert.equal(await total.inputValue(), "70");
      await hands.press(run);
      await panel.getByRole("region", { name: "Result of the test" }).getByText("5 Mar 2024")
        .first()
        .waitFor();
    });
  }

  await t.step("a colleague's rehearsal is shown in another browser, and after a 409", async () => {
    const { id } = await api.call("POST /journeys", { body: { name: "Shared", definition } });
    const earlier = await insertRehearsals(world.info, id);
    const path = `${workspace}/journeys/${id}?tab=rehearse`;
    const theirs = await world.openPage();
    await signIn(theirs, user);
    await theirs.goto(path);
    await theirs.getByText("1 of 4 customers").waitFor();
    await theirs.context().close();
    await page.goto(`${path}&job=${earlier}`);
    await page.getByText("Would have entered", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Rehearse" }).click();
    await page.getByText("another rehearsal of it is not finished").waitFor();
    await page.getByText("1 of 4 customers").waitFor();
    await page.getByText("25%", { exact: true }).waitFor();
    await page.getByText("You can leave this page: the rehearsal continues.").waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
  });

  await t.step("a rehearsal in the address that is gone is forgotten", async () => {
    await page.goto(`${workspace}/journeys/${id}?tab=rehearse&job=${crypto.randomUUID()}`);
    await page.getByText("See this journey before it runs").waitFor();
    await page.getByRole("button", { name: "Rehearse" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("job"), null);
  });

  await t.step("a viewer reads why they cannot rehearse", async () => {
    await makeViewer(world.info);
    await page.reload();
    await page.getByText("Your role can’t rehearse journeys").waitFor();
    assert.equal(await page.getByRole("button", { name: "Rehearse" }).count(), 0);
    assert.equal((await findProblems(page)).join("\n"), "");
  });
});

/** Stores a rehearsal that is done, whose id it returns, and then one that runs on and on. */
async function insertRehearsals({ db_url }: StackInfo, journeyId: string): Promise<string> {
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  try {
    const [done] = await sql`
      insert into public.rehearsals (
        workspace_id, journey_id, definition, since, until, state, finished_at
      )
      select workspace_id, id, definition, now() - interval '7 days', now(), 'done', now()
      from public.journeys where id = ${journeyId}
      returning id`;
    await sql`
      insert into public.rehearsals (
        workspace_id, journey_id, definition, since, until, state, done, total, lease_until
      )
      select
        workspace_id, id, definition, now() - interval '7 days', now(), 'running', 1, 4,
        now() + interval '1 day'
      from public.journeys where id = ${journeyId}`;
    return done!.id;
  } finally {
    await sql.end();
  }
}

async function track({ base_url, api_key }: StackInfo, event: object): Promise<void> {
  const response = await fetch(`${base_url}/functions/v1/track`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ external_id: "ada", ...event }),
  });
  assert.ok(response.ok, await response.text());
}
