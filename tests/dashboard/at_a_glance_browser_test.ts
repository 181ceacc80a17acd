import assert from "node:assert/strict";
import { openDashboardWorld, signIn } from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import { fillPages } from "../../testing/browser/pages/fill_pages.ts";
import { resizeWindow } from "../../testing/browser/resize.ts";
import { sendEntries } from "../../testing/browser/sample_calls.ts";
import { waitFor } from "../../testing/browser/wait_for.ts";

const phone = { width: 390, height: 844 };

Deno.test("pages say at a glance what their rows are about", async (t) => {
  await using world = await openDashboardWorld();
  await using data = await fillPages({ info: world.info, text: "" });
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const open = (path: string) => page.goto(`${workspace}${path}`);

  await t.step("the number of new customers says that it has those merged later", async () => {
    await open("");
    await page.getByTitle("Customers who were merged later are counted too. The list has fewer.")
      .getByText("New customers").waitFor();
    await open("/settings/usage");
    await page.getByText("including those merged later").waitFor();
    await page.getByText("with profile updates and aliases").waitFor();
  });

  await t.step("a request of a source begins with its event, above its message ID", async () => {
    await open(`/sources/${data.sourceId}`);
    const request = page.getByRole("table", { name: "Received requests" })
      .getByRole("link", { name: "invoice_paid msg_1" });
    await request.click();
    await page.getByRole("dialog", { name: "Request" }).waitFor();
  });

  await t.step("the mapping is tested on a request that is named by its event", async () => {
    await open(`/sources/${data.sourceId}?tab=try`);
    const request = page.getByRole("combobox", { name: "Received request" });
    await waitFor(async () => {
      return / · invoice_paid$/.test(await request.inputValue()) || undefined;
    });
    await page.getByText("Accepted", { exact: true }).waitFor();
    assert.ok(
      await request.evaluate((input) => {
        const { scrollWidth, clientWidth } = input as unknown as {
          scrollWidth: number;
          clientWidth: number;
        };
        return scrollWidth <= clientWidth;
      }),
      "the name is cut",
    );
  });

  await t.step("the settings of a source lead to its mapping, which has one place", async () => {
    await open(`/sources/${data.sourceId}?tab=settings`);
    await page.getByText("Source ID").waitFor();
    assert.equal(await page.getByText('"/user"').count(), 0);
    await page.getByRole("link", { name: "Custom mapping" }).click();
    await page.waitForURL(/tab=try$/);
    await page.getByText("Accepted", { exact: true }).waitFor();
  });

  await t.step("a campaign says to whom it went, and how many opened and clicked", async () => {
    await open("/campaigns");
    const table = page.getByRole("table", { name: "Campaigns" });
    await table.getByText("To Regulars").first().waitFor();
    for (const name of ["Sent", "Opened", "Clicked", "Not sent"]) {
      await table.getByRole("columnheader", { name, exact: true }).waitFor();
    }
    await table.getByRole("row", { name: /^Autumn sale To .* Completed .* Started$/ }).waitFor();
  });

  await t.step("a search by name has no arrow of a list", async () => {
    await open("/campaigns");
    const search = page.getByRole("combobox", { name: "Find a campaign" });
    const field = page.locator(".mantine-Input-wrapper").filter({ has: search });
    await field.locator("svg").first().waitFor();
    assert.equal(await field.locator("svg").count(), 1);
  });

  await t.step("senders show how many messages bounced", async () => {
    await open("/senders");
    await page.getByRole("columnheader", { name: "Bounced (24 h)" }).waitFor();
    await page.getByRole("row", { name: /^Inbox .* 0% / }).click();
    for (const label of ["Bounce rate", "Complaint rate"]) {
      const figure = page.getByRole("link", { name: new RegExp(`^${label} 0% in 24 hours$`) });
      await figure.waitFor();
    }
  });

  await t.step("the catalogue shows the days of each event", async () => {
    await open("/catalogue");
    await page.getByRole("img", { name: /^order_created per day, the last 8 days: \d/ }).waitFor();
  });

  await t.step("the two tables of the catalogue align", async () => {
    const places = async (name: string) => {
      const table = page.getByRole("table", { name });
      await table.locator("tbody tr").first().waitFor();
      return await table.getByRole("columnheader").evaluateAll((cells) =>
        (cells as unknown as { offsetLeft: number }[]).map(({ offsetLeft }) => offsetLeft)
      );
    };
    assert.deepEqual(await places("Built-in events"), await places("Event names"));
  });

  await t.step("the catalogue begins with the most events, and keeps another order", async () => {
    const order = (name: string) =>
      page.getByRole("table", { name: "Event names" }).getByRole("columnheader", { name })
        .getAttribute("aria-sort");
    assert.deepEqual([await order("Last 8 days"), await order("First seen")], ["descending", null]);
    await page.getByRole("button", { name: "First seen" }).first().click();
    await page.waitForURL(/[?&]sort=newest/);
    assert.deepEqual([await order("Last 8 days"), await order("First seen")], [null, "descending"]);
    await page.getByRole("button", { name: "Last 8 days" }).first().click();
    await page.waitForURL((url) => !url.searchParams.has("sort"));
    const counts = await page.getByRole("table", { name: "Event names" })
      .locator("tbody td:nth-child(4) .tabular").allInnerTexts();
    const numbers = counts.map((text) => Number(text.replaceAll(",", "")));
    assert.ok(numbers.length > 2);
    assert.deepEqual(numbers, numbers.toSorted((a, b) => b - a));
  });

  await t.step("a property of a catalogued event leads to the trend of its values", async () => {
    await open("/catalogue/event?name=order_created");
    await page.getByTitle("Explore the values of note").click();
    await page.waitForURL(/\/explore\?.*property=note/);
    await page.getByRole("heading", { name: "order_created by note" }).waitFor();
  });

  await t.step("counted customers lead to their list", async () => {
    const steps = ["product_viewed", "checkout_started"].map((event) => ({ event }));
    const search = `events=${encodeURIComponent(JSON.stringify(steps))}&kind=funnel`;
    const one = `events=${encodeURIComponent(JSON.stringify(steps.slice(0, 1)))}&measure=customers`;
    for (const question of [search, one]) {
      await open(`/explore?${question}`);
      const link = page.getByRole("link", { name: /^\d+$/ });
      const count = Number(await link.innerText());
      assert.equal((await findProblems(page)).join("\n"), "");
      await link.click();
      await page.waitForURL(/\/customers\?filter=/);
      await page.getByText(new RegExp(`^${count} customers`)).first().waitFor();
    }
  });

  await t.step("the paths through an event stand out at the mouse and at the focus", async () => {
    const start = encodeURIComponent(JSON.stringify([{ event: "product_viewed" }]));
    await open(`/explore?kind=paths&events=${start}&within=90d`);
    const table = page.getByRole("table", { name: "After product_viewed" });
    const canvas = page.locator("canvas");
    await canvas.waitFor();
    const draw = () =>
      canvas.evaluate((drawn) => (drawn as unknown as { toDataURL(): string }).toDataURL());
    const onPath = table.locator("tr.on-path");
    const plain = await draw();
    const [row, place] = [table.locator("tbody tr").first(), table.getByRole("button").first()];
    await row.hover();
    await onPath.first().waitFor();
    assert.notEqual(await draw(), plain);
    await page.getByRole("heading", { level: 1 }).hover();
    await onPath.first().waitFor({ state: "detached" });
    const box = (await canvas.boundingBox())!;
    await page.mouse.move(box.x + 4, box.y + box.height / 2);
    await onPath.first().waitFor();
    assert.equal(await onPath.count(), await table.locator("tbody tr").count());
    await page.getByRole("heading", { level: 1 }).hover();
    await onPath.first().waitFor({ state: "detached" });
    await place.focus();
    await onPath.first().waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await place.getAttribute("aria-pressed"), "true");
    await place.blur();
    await onPath.first().waitFor();
    assert.equal((await findProblems(page)).join("\n"), "");
    await place.click();
    await place.blur();
    await onPath.first().waitFor({ state: "detached" });
    assert.equal(await draw(), plain);
  });

  await t.step("a catalogued event shows its newest events, which open", async () => {
    await open("/catalogue/event?name=order_created");
    const events = page.getByRole("list", { name: "Newest events" }).getByRole("listitem");
    await events.first().getByRole("button").click();
    await page.getByRole("dialog").getByText("Raw event").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL((url) => !url.searchParams.has("event"));
    assert.equal(await events.count() <= 5, true);
  });

  await t.step("the overview lists rejected entries beside failing destinations", async () => {
    const wrong = Array.from({ length: 11 }, () => ({ external_id: "null", name: "wrong" }));
    await sendEntries(world.info, wrong);
    await open("");
    await page.getByRole("heading", { name: "Needs attention" }).waitFor();
    await page.getByRole("link", { name: /^CRM / }).waitFor();
    await page.getByRole("link", { name: /^Rejected entries .* 12 in 24 h$/ }).click();
    await page.getByRole("heading", { name: "Rejected entries" }).waitFor();
  });

  await t.step("a customer's unknown fields share one line", async () => {
    await open(`/customers/${data.customerId}`);
    await page.getByText(/^Not known: phone/).waitFor();
  });

  await t.step("the settings say how long records are kept", async () => {
    await open("/settings");
    await page.getByRole("heading", { name: "Retention" }).waitFor();
    await page.getByText("30 days").first().waitFor();
  });

  await t.step("what needs attention stands above the charts, also on a phone", async () => {
    for (const screen of [{ width: 1440, height: 900 }, phone]) {
      await resizeWindow(page, screen);
      await open("");
      const attention = page.getByRole("heading", { name: "Needs attention" });
      await page.getByRole("link", { name: /^CRM / }).waitFor();
      const chart = page.locator("figure").first();
      await chart.waitFor();
      const [above, below] = [await attention.boundingBox(), await chart.boundingBox()];
      assert.ok(above!.y < below!.y, `${above!.y} is below ${below!.y}`);
      assert.equal(await attention.count(), 1);
      assert.deepEqual(await findProblems(page), []);
    }
  });

  await t.step("on a phone, lists keep what a row is about", async () => {
    await resizeWindow(page, phone);
    const shown = [
      ["/templates", "Hello {{ customer.first_name }}"],
      ["/settings/audit-log", "Ledger"],
      ["/sources", "Last received:"],
      ["/destinations", /\d+ waiting$/],
    ] as const;
    for (const [path, text] of shown) {
      await open(path);
      await page.getByRole("table").getByText(text).filter({ visible: true }).first().waitFor();
    }
  });

  await t.step("on a phone, a customer's timeline stands above the fold", async () => {
    await open(`/customers/${data.customerId}`);
    const day = page.getByText(/^Today, /).first();
    await day.waitFor();
    assert.ok((await day.boundingBox())!.y < phone.height, "the first day is in sight");
    assert.equal(await page.getByText("Attributes", { exact: true }).isVisible(), false);
    await page.getByRole("button", { name: "All fields and attributes" }).click();
    await page.getByRole("heading", { name: "Attributes" }).waitFor();
    await page.getByRole("button", { name: "Fewer fields" }).click();
    await page.getByRole("heading", { name: "Attributes" }).waitFor({ state: "hidden" });
  });
});
