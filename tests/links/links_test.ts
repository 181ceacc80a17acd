import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createLinksWorld, isSubscribed, person, postForm } from "../../testing/data/links.ts";
import { readEngagements, readSendState } from "../../testing/data/sent_messages.ts";
import { createWorkspace } from "../../testing/data/factories.ts";

const target = "https://shop.example/offer?a=1&b=ü";

const oneClick = { "List-Unsubscribe": "One-Click" };

Deno.test("an image records an open of the send, and a click leads to the stored URL", async () => {
  await using world = await createLinksWorld();
  const { id, links } = await world.createSend({ links: ["https://a.example/", target] });
  const image = await world.open(links.openUrl);
  assert.equal(image.headers.get("content-type"), "image/gif");
  assert.equal(image.headers.get("cache-control"), "no-store");
  assert.equal(Buffer.from(await image.arrayBuffer()).subarray(0, 6).toString(), "GIF89a");
  const click = await world.open(links.clickUrl(1));
  assert.equal(click.status, 302);
  assert.equal(click.headers.get("location"), new URL(target).href);
  assert.equal(click.headers.get("referrer-policy"), "no-referrer");
  const events = await readEngagements(world.db.sql, world.workspaceId);
  const about = { send_id: id, topic: "offers", email: "ada@example.com" };
  assert.deepEqual(events, [
    { name: "email_opened", externalId: "ada", properties: about },
    { name: "email_clicked", externalId: "ada", properties: { ...about, url: target } },
  ]);
  const { opened, clicked } = await readSendState(world.db.sql, id);
  assert.deepEqual([opened, clicked], [true, true]);
});

Deno.test("an open and a click are recorded once per minute", async () => {
  let time = Date.now();
  await using world = await createLinksWorld({ now: () => new Date(time) });
  const { links } = await world.createSend({ links: [target] });
  const visit = async () => {
    await world.open(links.openUrl);
    await world.open(links.clickUrl(0));
  };
  await visit();
  await visit();
  time += 60_000;
  await visit();
  const names = (await readEngagements(world.db.sql, world.workspaceId)).map(({ name }) => name);
  assert.deepEqual(names.sort(), [
    "email_clicked",
    "email_clicked",
    "email_opened",
    "email_opened",
  ]);
});

const machines: Record<string, Record<string, string>> = {
  "Google's image proxy": {
    "user-agent":
      "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  },
  "Yahoo's proxy": { "user-agent": "YahooMailProxy; https://help.yahoo.com/kb/SLN28749.html" },
  "Apple Mail Privacy Protection": { "user-agent": "Mozilla/5.0" },
  "a link scanner": { "user-agent": "Mozilla/5.0 (compatible; Barracuda Sentinel)" },
  "a preview": { "user-agent": "Mozilla/5.0 (compatible; BingPreview/1.0b)" },
  "a program": { "user-agent": "python-requests/2.31" },
  "no name": { "user-agent": "" },
  "a prefetch": { ...person, "sec-purpose": "prefetch;prerender" },
};

for (const [title, headers] of Object.entries(machines)) {
  Deno.test(`an open and a click by ${title} are automated`, async () => {
    await using world = await createLinksWorld();
    const { id, links } = await world.createSend({ links: [target] });
    await world.open(links.openUrl, { headers });
    assert.equal((await world.open(links.clickUrl(0), { headers })).status, 302);
    const events = await readEngagements(world.db.sql, world.workspaceId);
    assert.deepEqual(events.map(({ properties }) => properties.automated), [true, true]);
    const { opened, clicked } = await readSendState(world.db.sql, id);
    assert.deepEqual([opened, clicked], [false, false]);
  });
}

Deno.test("a click within 5 s of the hand-over is automated, a later one is not", async () => {
  const sentAt = new Date("2026-11-20T12:00:00Z");
  let time = sentAt.getTime() + 4_999;
  await using world = await createLinksWorld({ now: () => new Date(time) });
  const { links } = await world.createSend({ links: [target], sentAt });
  await world.open(links.clickUrl(0));
  time += 1;
  await world.open(links.clickUrl(0));
  const events = await readEngagements(world.db.sql, world.workspaceId);
  assert.deepEqual(events.map(({ properties }) => properties.automated), [true, undefined]);
});

Deno.test("clicks on all links of a message within seconds are automated, but for the first", async () => {
  let time = Date.now();
  await using world = await createLinksWorld({ now: () => new Date(time) });
  const { links } = await world.createSend({ links: [1, 2, 3].map((n) => `${target}${n}`) });
  for (const index of [0, 1, 2]) {
    await world.open(links.clickUrl(index));
    time += 900;
  }
  // A person reads on, and follows another link.
  time += 5_000;
  await world.open(links.clickUrl(1));
  const events = await readEngagements(world.db.sql, world.workspaceId);
  assert.deepEqual(events.map(({ properties }) => properties.automated), [
    undefined,
    true,
    true,
    undefined,
  ]);
});

Deno.test("GET and HEAD of the pages, and HEAD of anything, change nothing", async () => {
  let time = Date.now();
  // Calls are far enough apart for their limit.
  await using world = await createLinksWorld({ now: () => new Date(time += 6_000) });
  const { links } = await world.createSend({ links: [target] });
  const before = await world.readAll();
  const urls = [links.unsubscribeUrl, links.preferencesUrl, links.openUrl, links.clickUrl(0)];
  for (const url of urls) {
    const response = await world.open(url, { method: "HEAD" });
    assert.equal(response.status, url === links.clickUrl(0) ? 302 : 200, url);
    assert.equal(await response.text(), "");
  }
  for (const url of urls.slice(0, 2)) {
    for (const headers of [person, ...Object.values(machines)]) {
      const response = await world.open(url, { headers });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("set-cookie"), null);
    }
  }
  assert.equal(await world.readAll(), before);
});

Deno.test("one click unsubscribes: POST without cookies, with no redirect, repeated at will", async () => {
  await using world = await createLinksWorld();
  const { id, links } = await world.createSend();
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  // As RFC 8058 shows both, and as a mail program sends them: without a name.
  const requests: RequestInit[] = [
    { method: "POST", body: new URLSearchParams(oneClick) },
    { method: "POST", body: multipart },
    { method: "POST", body: "List-Unsubscribe=One-Click" },
  ];
  for (const init of requests) {
    const response = await world.open(links.unsubscribeUrl, { ...init, headers: {} });
    assert.equal(response.status, 200, await response.text());
    assert.equal(response.headers.get("set-cookie"), null);
    assert.equal(response.headers.get("location"), null);
  }
  assert.equal(await isSubscribed(world, "offers"), false);
  const events = await readEngagements(world.db.sql, world.workspaceId);
  assert.deepEqual(events, [{
    name: "unsubscribed",
    externalId: "ada",
    properties: { send_id: id, topic: "offers", email: "ada@example.com" },
  }]);
  assert.equal((await readSendState(world.db.sql, id)).unsubscribed, true);
});

Deno.test("one click withdraws everything if the send has no topic, or its topic is deleted", async () => {
  await using world = await createLinksWorld();
  const transactional = await world.createSend({ topicId: null });
  await world.open(transactional.links.unsubscribeUrl, postForm(oneClick));
  assert.equal(await isSubscribed(world, "offers"), false);
  const [event] = await readEngagements(world.db.sql, world.workspaceId);
  assert.deepEqual(event!.properties, { send_id: transactional.id, email: "ada@example.com" });

  const orphan = await world.createSend({
    externalId: "bob",
    email: "bob@example.com",
    topicId: world.topics.news,
  });
  await world.db.sql`delete from public.topics where id = ${world.topics.news}`;
  await world.open(orphan.links.unsubscribeUrl, postForm(oneClick));
  assert.equal(await isSubscribed(world, "offers", "bob@example.com"), false);
});

Deno.test("a POST that says neither one click nor a button of the page changes nothing", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend();
  const before = await world.readAll();
  const bodies = ["", "List-Unsubscribe=", "confirm=save", "x=1", "{}"];
  for (const body of bodies) {
    const response = await world.open(links.unsubscribeUrl, { method: "POST", body });
    assert.equal(response.status, 400, body);
    const other = await world.open(links.preferencesUrl, {
      method: "POST",
      body: body.replace("confirm=save", ""),
    });
    assert.equal(other.status, 400, body);
  }
  for (const shown of ["x", "' or true --", world.workspaceId.toUpperCase()]) {
    const init = postForm({ confirm: "save", shown, topic: shown });
    assert.equal((await world.open(links.preferencesUrl, init)).status, 400, shown);
  }
  const huge = await world.open(links.unsubscribeUrl, postForm({ x: "y".repeat(70_000) }));
  assert.equal(huge.status, 413);
  assert.equal(await world.readAll(), before);
});

Deno.test("forged, truncated and foreign tokens get one response and change nothing", async () => {
  await using world = await createLinksWorld();
  const { sql } = world.db;
  const { id, links } = await world.createSend({ links: [target] });
  const other = await createWorkspace(sql);
  const forged = await world.linksOf(id, other);
  const before = await world.readAll();
  const tokenOf = (url: string) => url.split("/").at(-1)!;
  const own = tokenOf(links.unsubscribeUrl);
  const flipped = Buffer.from(own, "base64url");
  flipped[40]! ^= 1;
  const tokens = [
    "x",
    own.slice(0, -1),
    `${own}A`,
    flipped.toString("base64url"),
    // Another purpose.
    tokenOf(links.openUrl),
    // The key of another workspace, for this send, and with the name of this workspace.
    tokenOf(forged.unsubscribeUrl),
    Buffer.concat([
      Buffer.from(own, "base64url").subarray(0, 36),
      Buffer.from(tokenOf(forged.unsubscribeUrl), "base64url").subarray(36),
    ]).toString("base64url"),
    "%00",
    encodeURIComponent("' or true --"),
  ];
  const pages = new Set<string>();
  for (const token of tokens) {
    for (const init of [{}, postForm(oneClick), { method: "HEAD" }]) {
      const response = await world.open(`http://127.0.0.1/links/u/${token}`, init);
      assert.equal(response.status, 404, token);
      pages.add(await response.text());
    }
  }
  // The page, and nothing for HEAD.
  assert.equal(pages.size, 2);
  assert.equal(await world.readAll(), before);
  const asProgram = await world.open("http://127.0.0.1/links/c/x", { headers: {} });
  assert.equal((await asProgram.json()).code, "not_found");
});

Deno.test("a click names a row of the table: no index, letter or stored text leads elsewhere", async () => {
  await using world = await createLinksWorld();
  const stored = ["javascript:alert(1)", "data:text/html,x", "//evil.example", "x", ""];
  const { links } = await world.createSend({ links: stored });
  for (const index of [0, 1, 2, 3, 4, 5, 0xffff]) {
    const response = await world.open(links.clickUrl(index));
    assert.equal(response.status, 404, `${index}`);
    assert.equal(response.headers.get("location"), null);
  }
  const url = `${links.clickUrl(0)}?url=https://evil.example&index=1`;
  assert.equal((await world.open(url)).headers.get("location"), null);
});

Deno.test("links of a send that is gone lead to a page that says so", async () => {
  await using world = await createLinksWorld();
  const { id, links } = await world.createSend({ links: [target] });
  await world.db.sql`delete from public.sends where id = ${id}`;
  for (const url of [links.clickUrl(0), links.unsubscribeUrl, links.preferencesUrl]) {
    const response = await world.open(url);
    assert.equal(response.status, 404);
    assert.match(await response.text(), /This link no longer works/);
  }
  const image = await world.open(links.openUrl);
  assert.equal(image.status, 200);
  assert.equal((await world.open(links.unsubscribeUrl, postForm(oneClick))).status, 404);
  assert.deepEqual(await readEngagements(world.db.sql, world.workspaceId), []);
});

Deno.test("a link is called 20 times at once and ten times per minute; more is not recorded", async () => {
  let time = Date.now();
  await using world = await createLinksWorld({ now: () => new Date(time) });
  const { links } = await world.createSend({ links: [target] });
  const statuses = [];
  for (let i = 0; i < 21; i++) statuses.push((await world.open(links.clickUrl(0))).status);
  assert.deepEqual(statuses.slice(-2), [302, 429]);
  const before = await world.readAll();
  assert.equal((await world.open(links.openUrl)).status, 200);
  assert.equal((await world.open(links.clickUrl(0))).headers.get("retry-after"), "6");
  assert.equal(await world.readAll(), before);
  time += 6_000;
  assert.equal((await world.open(links.clickUrl(0))).status, 302);
});

Deno.test("a test message leads to its links and records nothing", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend({ links: [target], purpose: "test" });
  await world.open(links.openUrl);
  assert.equal((await world.open(links.clickUrl(0))).status, 302);
  assert.deepEqual(await readEngagements(world.db.sql, world.workspaceId), []);
});

Deno.test("an open settles a send whose outcome was unknown, and records that it was sent", async () => {
  await using world = await createLinksWorld();
  const { id, links } = await world.createSend({ state: "unknown" });
  await world.open(links.openUrl);
  const { state, opened } = await readSendState(world.db.sql, id);
  assert.deepEqual([state, opened], ["sent", true]);
  const events = await readEngagements(world.db.sql, world.workspaceId);
  assert.deepEqual(events.map(({ name }) => name).sort(), ["email_opened", "email_sent"]);
});

/** A world whose function has forgotten the keys that it knew. */
async function createRotationWorld() {
  let time = Date.now();
  const world = await createLinksWorld({ now: () => new Date(time) });
  const unsubscribe = async (url: string) => {
    time += 6_000;
    return (await world.open(url, postForm(oneClick))).status;
  };
  return { world, unsubscribe };
}

Deno.test("after a rotation of the key, links of old messages work as long as they are kept", async () => {
  const { world, unsubscribe } = await createRotationWorld();
  await using _ = world;
  const { sql } = world.db;
  const old = (await world.createSend()).links.unsubscribeUrl;
  assert.equal(await unsubscribe(old), 200);
  await sql`select ops.rotate_link_key(${world.workspaceId})`;
  const message = { externalId: "bob", email: "bob@example.com" };
  const recent = (await world.createSend(message)).links.unsubscribeUrl;
  for (const url of [old, recent]) assert.equal(await unsubscribe(url), 200);
  const [kept] = await sql`
    select extract(day from expires_at - now())::integer as days from private.workspace_keys
    where workspace_id = ${world.workspaceId} and expires_at is not null`;
  assert.equal(kept!.days, 89, "as long as sends");
  await sql`update private.workspace_keys set expires_at = now() where expires_at is not null`;
  assert.deepEqual([await unsubscribe(old), await unsubscribe(recent)], [404, 200]);
  const [row] = await sql`select private.delete_expired_link_keys() as deleted`;
  assert.equal(row!.deleted, 1);
  assert.equal(await unsubscribe(recent), 200);
});

Deno.test("a link with a new key works at once, also where the old one is still remembered", async () => {
  const now = new Date();
  await using world = await createLinksWorld({ now: () => now });
  const old = (await world.createSend({ links: [target] })).links;
  assert.equal((await world.open(old.clickUrl(0))).status, 302);
  await world.db.sql`select ops.rotate_link_key(${world.workspaceId})`;
  const recent = (await world.createSend({ links: [target] })).links;
  for (const { clickUrl } of [recent, old]) {
    assert.equal((await world.open(clickUrl(0))).status, 302);
  }
});

Deno.test("forged tokens have the keys read again 20 times at once, and ten times per minute", async () => {
  let time = Date.now();
  await using world = await createLinksWorld({ now: () => new Date(time) });
  const { id, links } = await world.createSend({ links: [target] });
  const { openUrl } = await world.linksOf(id, await createWorkspace(world.db.sql));
  const forged = Buffer.concat([
    Buffer.from(links.openUrl.split("/").at(-1)!, "base64url").subarray(0, 36),
    Buffer.from(openUrl.split("/").at(-1)!, "base64url").subarray(36),
  ]).toString("base64url");
  for (let i = 0; i < 20; i++) {
    assert.equal((await world.open(`http://127.0.0.1/links/o/${forged}`)).status, 404);
  }
  await world.db.sql`select ops.rotate_link_key(${world.workspaceId})`;
  const recent = (await world.createSend({ links: [target] })).links.clickUrl(0);
  assert.equal((await world.open(recent)).status, 404, "no look-up is left");
  time += 6_000;
  assert.equal((await world.open(recent)).status, 302);
});

Deno.test("after a key has leaked, the links that it signed are refused, and new ones work", async () => {
  const { world, unsubscribe } = await createRotationWorld();
  await using _ = world;
  const rotate = (validFor: string) =>
    world.db.sql`select ops.rotate_link_key(${world.workspaceId}, ${validFor})`;
  const oldest = (await world.createSend()).links.unsubscribeUrl;
  // The leaked key may be one that was replaced already.
  await rotate("90 days");
  const message = { externalId: "bob", email: "bob@example.com" };
  const old = (await world.createSend(message)).links.unsubscribeUrl;
  await rotate("0");
  assert.deepEqual([await unsubscribe(oldest), await unsubscribe(old)], [404, 404]);
  assert.deepEqual(await readEngagements(world.db.sql, world.workspaceId), []);
  const other = { externalId: "eve", email: "eve@example.com" };
  assert.equal(await unsubscribe((await world.createSend(other)).links.unsubscribeUrl), 200);
});
