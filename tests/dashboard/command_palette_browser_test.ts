import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  openDashboardWorld,
  signIn,
  signOut,
  signUp,
} from "../../testing/browser/dashboard_world.ts";
import { findProblems } from "../../testing/browser/find_problems.ts";
import type { ApiInput } from "../../dashboard/src/api/api_client.ts";
import { createSampleApi, sendEntries } from "../../testing/browser/sample_calls.ts";
import { makeViewer } from "../../testing/browser/make_viewer.ts";

/** Texts to type, the action that each finds, and the page or the dialog that opens. */
const actions = [
  { typed: "new camp", title: "New campaign", path: "/campaigns/new" },
  { typed: "new seg", title: "New segment", path: "/segments/new" },
  { typed: "create dest", title: "New destination", path: "/destinations/new" },
  { typed: "new source", title: "New source", path: "/sources/new" },
  { typed: "journey new", title: "New journey", path: "/journeys", dialog: "New journey" },
  { typed: "new templ", title: "New template", path: "/templates", dialog: "New template" },
  { typed: "new topic", title: "New topic", path: "/topics", dialog: "New topic" },
  { typed: "new sender", title: "New sender", path: "/senders", dialog: "New sender" },
  { typed: "new api", title: "New API key", path: "/settings/api-keys", dialog: "New API key" },
  { typed: "new alert", title: "New alert rule", path: "/alerts", dialog: "New alert rule" },
  {
    typed: "invite",
    title: "Invite a person",
    path: "/settings/team",
    dialog: "Invite to the team",
  },
];

Deno.test("Ctrl K begins something by keyboard, for those who may", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, world.info.user);

  for (const { typed, title, path, dialog } of actions) {
    await t.step(`"${typed}" opens ${dialog ?? path}`, async () => {
      await search(page, typed);
      await page.getByRole("option", { name: title, exact: false, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${workspace}${path}`);
      if (dialog === undefined) {
        await page.getByRole("heading", { level: 1, name: title }).waitFor();
        return;
      }
      const opened = page.getByRole("dialog", { name: dialog });
      await opened.locator(":focus").waitFor();
      assert.deepEqual(await findProblems(page), []);
      await page.keyboard.press("Escape");
      await opened.waitFor({ state: "detached" });
    });
  }

  await t.step("a dialog opens again from its own page, and not after a reload", async () => {
    await page.goto(`${workspace}/templates`);
    const dialog = page.getByRole("dialog", { name: "New template" });
    for (let time = 0; time < 2; time++) {
      await search(page, "new templ");
      await page.getByRole("option", { name: /New template/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    await search(page, "new templ");
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.reload();
    await page.getByRole("button", { name: "New template" }).first().waitFor();
    assert.equal(await dialog.count(), 0);
  });

  for (
    const [typed, label] of [
      ["audiences", "Segments"],
      ["quota", "Usage"],
      ["events", "Live events"],
      ["contacts", "Customers"],
      ["why wasn't", "Why wasn’t it sent?"],
    ] as const
  ) {
    await t.step(`"${typed}" finds the page ${label}`, async () => {
      await search(page, typed);
      await page.getByRole("option", { name: label, exact: false, selected: true }).waitFor();
      await page.keyboard.press("Escape");
    });
  }

  await t.step("an address leads to its emails, and to why there is none", async () => {
    await sendEntries(world.info, [
      { type: "identify", external_id: "kay", email: "kay@example.com", first_name: "Kay" },
    ]);
    for (
      const [name, path] of [
        ["Emails to kay@example.com", "/sends"],
        ["Why wasn’t it sent to kay@example.com?", "/sends/explain"],
      ] as const
    ) {
      await search(page, "kay@example.com");
      await page.getByRole("option", { name }).click();
      await page.waitForURL((url) =>
        `${workspace}${path}`.endsWith(url.pathname) && url.searchParams.has("customer_id")
      );
    }
  });

  await t.step("a sender leads to its own page", async () => {
    const api = createSampleApi(world.info);
    const { data: [sender] } = await api.call("GET /senders", {});
    await search(page, sender!.name);
    await page.getByRole("option", { name: sender!.name }).first().click();
    await page.waitForURL(`${workspace}/senders/${sender!.id}`);
  });

  await t.step("saved views, questions and boards lead to their pages", async () => {
    const api = createSampleApi(world.info);
    const save = (body: ApiInput<"POST /views">["body"]) => api.call("POST /views", { body });
    await save({ list: "customers", name: "Quokkas", filters: { q: "quo" } });
    await save({ list: "audit-log", name: "Quokka keys", filters: { action: "api_key.create" } });
    const events = JSON.stringify([{ event: "seen" }]);
    await save({ list: "explore", name: "Quokka sales", filters: { events }, board: "Quokkary" });
    await page.reload();
    for (
      const [group, name, path] of [
        ["Views", /^Quokkas\s+Customers/, "/customers?q=quo"],
        [
          "Views",
          /^Quokka keys\s+Settings: Audit log/,
          "/settings/audit-log?action=api_key.create",
        ],
        [
          "Saved questions",
          /^Quokka sales\s+Explore/,
          `/explore?events=${encodeURIComponent(events)}`,
        ],
        ["Boards", /^Quokkary\s+Explore/, "/explore/board?board=Quokkary"],
      ] as const
    ) {
      await search(page, "quokka");
      await page.getByRole("group", { name: group }).getByRole("option", { name }).click();
      await page.waitForURL((url) => `${url.pathname}${url.search}` === `${workspace}${path}`);
    }
  });

  await t.step("a source has the name of its sender", async () => {
    const api = createSampleApi(world.info);
    await api.call("POST /sources", { body: { name: "Codehost", scheme: "github" } });
    await search(page, "codeh");
    await page.getByRole("option", { name: /^Codehost\s+GitHub/ }).waitFor();
    await page.keyboard.press("Escape");
  });

  await t.step("a viewer is offered nothing to begin", async () => {
    await makeViewer(world.info);
    await page.goto(`${workspace}/events`);
    await search(page, "new");
    await page.getByText("Nothing found.").waitFor();
    assert.equal(await page.getByRole("option").count(), 0);
    await page.keyboard.press("Escape");
  });

  await t.step("the theme is changed, and the person signs out", async () => {
    const scheme = (value: string) => page.locator(`html[data-mantine-color-scheme="${value}"]`);
    for (const value of ["dark", "light"]) {
      await search(page, `${value} the`);
      await page.getByRole("option", { name: /theme/, selected: true }).waitFor();
      await page.keyboard.press("Enter");
      await scheme(value).waitFor();
    }
    await search(page, "log out");
    await page.getByRole("option", { name: /Sign out/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/sign-in/);
  });
});

Deno.test("Ctrl K shows what was opened last, before anything is typed", async (t) => {
  await using world = await openDashboardWorld();
  await sendEntries(world.info, [{ external_id: "ada", name: "order_created" }]);
  const page = await world.openPage({ viewport: { width: 1440, height: 900 } });
  const workspace = await signIn(page, world.info.user);
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
  const readTitles = async () => {
    await search(page, "");
    await page.getByRole("option").first().waitFor();
    const titles = await recent.allInnerTexts();
    await page.keyboard.press("Escape");
    return titles.map((text) => text.split("\n")[0]);
  };
  const open = async (path: string, title: string) => {
    await page.goto(`${workspace}${path}`);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
  };

  await t.step("pages and entities follow each other, the last one first", async () => {
    await open("/topics", "Topics");
    await open("/customers", "Customers");
    await page.getByRole("link", { name: /ada/ }).first().click();
    await page.getByRole("heading", { level: 1, name: "ada" }).waitFor();
    await open("/catalogue/event?name=order_created", "order_created");
    await open("/settings/team", "Team");
    assert.deepEqual((await readTitles()).slice(0, 4), [
      "order_created",
      "ada",
      "Customers",
      "Topics",
    ]);
    await search(page, "");
    assert.deepEqual(await findProblems(page), []);
    await page.keyboard.type("zz");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    await search(page, "");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "ada" }).waitFor();
    await search(page, "");
    await page.getByRole("option", { name: /^order_created/ }).click();
    await page.waitForURL(/\/catalogue\/event\?name=order_created$/);
    await page.getByRole("heading", { level: 1, name: "order_created" }).waitFor();
  });

  await t.step("there are eight at most, without what is gone", async () => {
    const paths = ["sends", "senders", "sources", "segments", "journeys", "campaigns", "templates"];
    for (const path of paths) {
      await open(`/${path}`, `${path[0]!.toUpperCase()}${path.slice(1)}`);
    }
    await open("/alerts", "Alerts");
    const titles = await readTitles();
    assert.deepEqual(titles, [
      "Templates",
      "Campaigns",
      "Journeys",
      "Segments",
      "Sources",
      "Senders",
      "Sends",
      "order_created",
    ]);
    await page.goto(`${workspace}/segments/${crypto.randomUUID()}`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await open("/alerts", "Alerts");
    assert.deepEqual(await readTitles(), titles);
  });

  await t.step("an erased customer is not among them", async () => {
    await open("/customers", "Customers");
    await page.getByRole("link", { name: /ada/ }).first().click();
    await page.getByRole("button", { name: "Erase" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type ada to confirm").fill("ada");
    await dialog.getByRole("button", { name: "Erase permanently" }).click();
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
    assert.ok(!(await readTitles()).includes("ada"));
    assert.doesNotMatch(await readStorage(page), /ada/);
  });

  await t.step("another workspace has its own, and none stay after the sign-out", async () => {
    assert.match(await readStorage(page), /Templates/);
    const other = await world.openPage();
    await signUp(other, "grace@example.com");
    assert.doesNotMatch(await readStorage(other), /Templates/);
    await signOut(page);
    assert.equal(await readStorage(page), "");
  });
});

/** Reads the recent pages that the browser keeps, as text. */
function readStorage(page: Page): Promise<string> {
  return page.evaluate(() =>
    Object.entries(localStorage).filter(([key]) => key.startsWith("signalpost-recent:")).join()
  );
}

Deno.test("what is typed while the search opens is searched, and opens no page", async (t) => {
  await using world = await openDashboardWorld();
  const page = await world.openPage();
  const workspace = await signIn(page, world.info.user);
  const field = page.getByRole("combobox", { name: "Search" });
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  await page.route("**/assets/command_palette-*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${workspace}/customers`);
  await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
  const filter = page.getByRole("textbox", { name: "Search customers" });

  for (const [key, place] of [["/", "page"], ["Control+k", "page"], ["Control+k", "field"]]) {
    await t.step(`after ${key} on a ${place}`, async () => {
      if (place === "field") await filter.focus();
      await page.keyboard.press(key!);
      await page.keyboard.type("ge campaigns");
      release();
      await field.and(page.locator(":focus")).waitFor();
      await page.keyboard.type("!");
      assert.equal(await field.inputValue(), "ge campaigns!");
      assert.match(page.url(), /\/customers$/);
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "detached" });
      assert.equal(await filter.inputValue(), "");
    });
  }

  await t.step("the next search begins empty, and shortcuts work again", async () => {
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("/");
    await field.and(page.locator(":focus")).waitFor();
    assert.equal(await field.inputValue(), "");
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await page.keyboard.type("ge");
    await page.getByRole("heading", { level: 1, name: "Live events" }).waitFor();
  });
});

/** Opens the search and types. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type(text);
}
