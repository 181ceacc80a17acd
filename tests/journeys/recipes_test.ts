import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Definition } from "../../supabase/functions/_shared/journeys/definition.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";
import {
  day,
  hour,
  type JourneyWorld,
  minute,
  readPaths,
  startJourneyWorld,
} from "./journey_world.ts";

const guide = readFileSync(new URL("../../docs/journeys.md", import.meta.url), "utf8");
const recipes = new Map(
  [...guide.matchAll(/^### ([^\n]+)\n(?:(?!##).*\n)*?```json\n([^]*?)```/gm)].map(
    ([, title = "", json = ""]) => [title, JSON.parse(json) as Definition],
  ),
);
const templates = [
  "welcome",
  "tips",
  "cart",
  "last-call",
  "renewal",
  "what-is-new",
  "gift",
  "nps",
  "confirm",
];

interface Shop extends JourneyWorld {
  /** Publishes a recipe of the guide by the api. */
  start(title: string): Promise<void>;
  put(path: string, body: unknown): Promise<void>;
  /** Tracks one event of a customer. */
  event(who: string, name: string, properties?: Record<string, unknown>): Promise<void>;
  /** Stores the attributes of a customer. */
  identify(who: string, attributes?: Record<string, unknown>): Promise<void>;
  /** The sends, each as "<customer> <template>", in their order. */
  readSends(): Promise<string[]>;
  readAttributes(who: string): Promise<Record<string, unknown>>;
}

/** A workspace with all that the recipes name, on a Monday at noon in UTC. */
async function openShop(): Promise<Shop> {
  const api = await createApiWorld();
  const token = await api.createKey([
    "journeys:write",
    "templates:write",
    "topics:write",
    "segments:write",
  ]);
  const call = async (method: string, path: string, body: unknown) => {
    const { status, body: answer } = await api.send({ method, path, token, body });
    assert(status < 300, `${method} ${path}: ${JSON.stringify(answer)}`);
  };
  const put = (path: string, body: unknown) => call("PUT", path, body);
  await put("/topics/news", { name: "News", default: "subscribed" });
  for (const key of templates) {
    await put(`/templates/${key}`, { name: key, subject: key, text: "{{ unsubscribe_url }}" });
  }
  await api.sql`
    insert into public.senders (workspace_id, key, name, provider, from_address)
    select ${api.workspaceId}, k, k, 'inbox', k || '@example.com'
    from unnest('{shop,billing}'::text[]) as k`;
  const world = startJourneyWorld(api);
  world.now = nextMonday(world.now) + 12 * hour;
  return Object.assign(world, {
    put,
    async start(title: string) {
      const definition = recipes.get(title);
      assert(definition, `no recipe "${title}"`);
      await put("/journeys/recipe", { name: title, definition });
      await call("POST", "/journeys/recipe/publish", {});
      await world.settle();
    },
    async event(who: string, name: string, properties = {}) {
      await world.track({ external_id: who, name, properties });
      await world.settle();
    },
    async identify(who: string, attributes = {}) {
      const profile = { email: `${who}@example.com` };
      await world.track({ kind: "identify", external_id: who, profile, attributes });
      await world.settle();
    },
    async readSends() {
      const rows = await api.sql<{ text: string }[]>`
        select split_part(s.email, '@', 1) || ' ' || t.key as text
        from public.sends as s
        join public.templates as t on t.workspace_id = s.workspace_id and t.id = s.template_id
        order by s.queued_at, s.id`;
      return rows.map(({ text }) => text);
    },
    async readAttributes(who: string) {
      const [row] = await api.sql<{ attributes: Record<string, unknown> }[]>`
        select c.attributes from public.customers as c
        join public.identities as i on i.workspace_id = c.workspace_id and i.customer_id = c.id
        where i.value = ${who}`;
      return row!.attributes;
    },
  });
}

function nextMonday(now: number): number {
  const midnight = Math.ceil(now / day) * day;
  return midnight + (8 - new Date(midnight).getUTCDay()) % 7 * day;
}

/** Runs each recipe of the guide, by its title. */
const stories: Readonly<Record<string, (shop: Shop) => Promise<void>>> = {
  async "Welcome"(shop) {
    for (const who of ["ada", "bob"]) {
      await shop.identify(who);
      await shop.event(who, "signed_up");
    }
    await shop.pass(day);
    await shop.event("bob", "project_created");
    await shop.pass(day);
    assert.deepEqual(await readPaths(shop), [
      "hello next, pause next, at morning",
      "hello next, pause exit, goal",
    ]);
    // Wednesday noon: the next morning of a weekday is Thursday's.
    await shop.pass(21 * hour - minute);
    assert.deepEqual((await shop.readSends()).toSorted(), ["ada welcome", "bob welcome"]);
    await shop.pass(minute);
    assert.deepEqual((await shop.readSends()).toSorted(), [
      "ada tips",
      "ada welcome",
      "bob welcome",
    ]);
  },

  async "Abandoned cart"(shop) {
    await shop.identify("ada");
    for (const cart_id of ["a", "b", "c"]) await shop.event("ada", "cart_updated", { cart_id });
    await shop.event("ada", "cart_updated", { cart_id: "a" });
    await shop.event("ada", "cart_emptied", { cart_id: "c" });
    await shop.pass(4 * hour);
    assert.deepEqual(await shop.readSends(), ["ada cart", "ada cart"]);
    await shop.event("ada", "order_completed", { cart_id: "a" });
    await shop.pass(day);
    const reasons = (await shop.readRuns()).map(({ key, reason }) => `${key} ${reason}`);
    assert.deepEqual(reasons, ["a goal", "b completed", "c exit_condition"]);
    assert.deepEqual(await shop.readSends(), ["ada cart", "ada cart", "ada last-call"]);
  },

  async "Renewal reminder"(shop) {
    const renews_at = new Date(shop.now + 10 * day).toISOString().slice(0, 10);
    await shop.identify("ada", { plan: "pro", renews_at });
    await shop.identify("bob", { plan: "free", renews_at });
    await shop.identify("cyd", { plan: "pro" });
    await shop.pass(2 * day);
    assert.deepEqual(await shop.readSends(), []);
    // Seven days before the day of renewal, at nine.
    await shop.pass(21 * hour - minute);
    assert.deepEqual(await shop.readSends(), []);
    await shop.pass(minute);
    await shop.pass(5 * day);
    assert.deepEqual(await shop.readSends(), ["ada renewal"]);
    await shop.identify("ada", {
      renews_at: new Date(shop.now + 30 * day).toISOString().slice(0, 10),
    });
    await shop.pass(23 * day);
    assert.deepEqual(await shop.readSends(), ["ada renewal", "ada renewal"]);
  },

  async "Win-back"(shop) {
    const people = Array.from({ length: 120 }, (_, n) => `user${n}`);
    for (const who of people) await shop.identify(who);
    await shop.pass(31 * day);
    const runs = await shop.readRuns();
    assert.equal(runs.length, people.length);
    const out = runs.filter(({ reason }) => reason === "holdout").length;
    // A tenth is held out at random: none, or three in ten, happens less than once in 100,000 runs.
    assert(out > 0 && out < 36, `${out} of ${people.length} are held out`);
    const sends = await shop.readSends();
    assert.equal(sends.length, people.length - out);
    const variants = new Set(sends.map((send) => send.split(" ")[1]));
    assert.deepEqual([...variants].toSorted(), ["gift", "what-is-new"]);
    await shop.sql`update public.customers set last_seen_at = ${new Date(shop.now)}`;
    await shop.event("user1", "page_viewed");
    // Not all of them are held out.
    for (const who of people.slice(2, 12)) await shop.event(who, "order_completed");
    const ended = (await shop.readRuns()).filter(({ state }) => state === "ended");
    assert(ended.length > out);
  },

  async "NPS after delivery"(shop) {
    for (const who of ["ada", "bob", "cyd"]) {
      await shop.identify(who);
      await shop.event(who, "order_delivered");
      await shop.event(who, "order_delivered");
    }
    await shop.pass(3 * day);
    assert.deepEqual((await shop.readSends()).toSorted(), ["ada nps", "bob nps", "cyd nps"]);
    await shop.event("ada", "nps_answered", { score: 3 });
    await shop.event("bob", "nps_answered", { score: 9 });
    await shop.pass(8 * day);
    assert.deepEqual(await readPaths(shop), [
      "pause next, question next, answer next, score 0, tag next, end end, completed",
      "pause next, question next, answer next, score else, end end, completed",
      "pause next, question next, answer timeout, end end, completed",
    ]);
    assert.deepEqual((await shop.readAttributes("ada")).nps, "detractor");
    assert.deepEqual((await shop.readAttributes("bob")).nps, undefined);
  },

  async "Double opt-in"(shop) {
    for (const who of ["ada", "bob", "cyd"]) {
      await shop.identify(who);
      await shop.event(who, "newsletter_requested");
    }
    await shop.event("ada", "newsletter_confirmed");
    await shop.pass(2 * day);
    await shop.event("bob", "newsletter_confirmed");
    await shop.pass(5 * day);
    assert.deepEqual(await readPaths(shop), [
      "ask next, answer next, confirmed next, end end, completed",
      "ask next, answer timeout, reminder next, second-answer next, confirmed next, end end, completed",
      "ask next, answer timeout, reminder next, second-answer timeout, end end, completed",
    ]);
    const sends = ["ada", "bob", "bob", "cyd", "cyd"].map((who) => `${who} confirm`);
    assert.deepEqual((await shop.readSends()).toSorted(), sends);
    assert.equal((await shop.readAttributes("bob")).newsletter, "confirmed");
    assert.equal((await shop.readAttributes("cyd")).newsletter, undefined);
  },
};

Deno.test("each recipe of docs/journeys.md does what its title says", async (t) => {
  assert.deepEqual([...recipes.keys()], Object.keys(stories));
  for (const [title, tell] of Object.entries(stories)) {
    await t.step(title, async () => {
      await using shop = await openShop();
      if (title === "Win-back") {
        const condition = { field: "last_seen_at", op: "not_within_last", value: "30d" };
        await shop.put("/segments/asleep", { name: "Asleep", condition });
      }
      await shop.start(title);
      await tell(shop);
    });
  }
});
