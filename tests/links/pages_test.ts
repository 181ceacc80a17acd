import assert from "node:assert/strict";
import { createLinksWorld, isSubscribed, person, postForm } from "../../testing/data/links.ts";
import { readEngagements } from "../../testing/data/sent_messages.ts";

const oneClick = { "List-Unsubscribe": "One-Click" };

Deno.test("the page unsubscribes by its button and leads to the preferences", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend();
  const page = await (await world.open(links.unsubscribeUrl)).text();
  assert.match(page, /<p class="workspace">Ada &amp; &lt;Co&gt;<\/p>\s*<h1>Unsubscribe<\/h1>/);
  assert.match(page, /stop receiving “Offers” from Ada &amp; &lt;Co&gt;\?/);
  const [, name, value] = /<button class="main" name="(\w+)" value="(\w+)">/.exec(page)!;
  const done = await world.open(links.unsubscribeUrl, postForm({ [name!]: value! }));
  assert.match(await done.text(), /<p role="status">You are unsubscribed\.<\/p>/);
  assert.equal(await isSubscribed(world, "offers"), false);
  const [, next] = /<a href="\.\.\/(p\/[\w-]+)">/.exec(page)!;
  const preferences = await world.open(`http://127.0.0.1/links/${next}`);
  assert.match(await preferences.text(), /<h1>Your preferences<\/h1>/);
});

Deno.test("the page of preferences shows each topic with its state, and changes those it showed", async () => {
  await using world = await createLinksWorld();
  const { topics } = world;
  const { id, links } = await world.createSend();
  const page = await (await world.open(links.preferencesUrl)).text();
  assert.match(page, new RegExp(`value="${topics.offers}" checked>`));
  assert.match(page, new RegExp(`value="${topics.news}">`));
  assert.match(page, /News<small>Once a &quot;month&quot;<\/small>/);
  const saved = await world.open(
    links.preferencesUrl,
    postForm([["confirm", "save"], ["shown", topics.news], ["shown", topics.offers], [
      "topic",
      topics.news,
    ]]),
  );
  assert.match(await saved.text(), /Your choice is saved/);
  assert.deepEqual([await isSubscribed(world, "news"), await isSubscribed(world, "offers")], [
    true,
    false,
  ]);
  const events = await readEngagements(world.db.sql, world.workspaceId);
  const said = events.map(({ name, properties }) => [name, properties.topic, properties.send_id]);
  assert.deepEqual(said.sort(), [["subscribed", "news", id], ["unsubscribed", "offers", id]]);
  // A topic that was not on the page keeps its state, and so does all that says the same again.
  await world.open(
    links.preferencesUrl,
    postForm([["confirm", "save"], ["shown", topics.offers], ["topic", "x"]]),
  );
  assert.equal(await isSubscribed(world, "news"), true);
  assert.equal((await readEngagements(world.db.sql, world.workspaceId)).length, 2);
});

Deno.test("the page of preferences withdraws everything by one button", async () => {
  await using world = await createLinksWorld();
  const { id, links } = await world.createSend();
  await world.open(links.preferencesUrl, postForm({ all: "unsubscribe" }));
  assert.equal(await isSubscribed(world, "offers"), false);
  const events = await readEngagements(world.db.sql, world.workspaceId);
  assert.deepEqual(events.map(({ name, properties }) => [name, properties]), [
    ["unsubscribed", { send_id: id, email: "ada@example.com" }],
  ]);
});

Deno.test("where functions serve no HTML, pages redirect to the static page, which reads JSON and posts", async () => {
  const pagesUrl = "https://dashboard.example/preferences.html";
  await using world = await createLinksWorld({ pagesUrl });
  const { links } = await world.createSend();
  const token = links.unsubscribeUrl.split("/").at(-1);
  const redirect = await world.open(links.unsubscribeUrl);
  assert.equal(redirect.status, 302);
  assert.equal(redirect.headers.get("location"), `${pagesUrl}#u/${token}`);
  const headers = { ...person, accept: "application/json", origin: "https://dashboard.example" };
  const read = await world.open(links.unsubscribeUrl, { headers });
  assert.equal(read.headers.get("access-control-allow-origin"), "*");
  const view = await read.json();
  assert.deepEqual([view.kind, view.workspace, view.notice], ["unsubscribe", "Ada & <Co>", null]);
  const posted = await world.open(
    links.unsubscribeUrl,
    postForm({ confirm: "unsubscribe" }, headers),
  );
  assert.equal((await posted.json()).notice, "You are unsubscribed.");
  assert.equal(await isSubscribed(world, "offers"), false);
  // One click stays a POST to the function.
  assert.equal((await world.open(links.unsubscribeUrl, postForm(oneClick))).status, 200);
});

Deno.test("pages are in the customer's language, else the reader's, from right to left where it is so", async () => {
  await using world = await createLinksWorld();
  const { links } = await world.createSend();
  const setLocale = (locale: string | null) =>
    world.db.sql`update public.customers set locale = ${locale}`;
  const read = async (acceptLanguage: string) => {
    const headers = { ...person, "accept-language": acceptLanguage };
    return await (await world.open(links.unsubscribeUrl, { headers })).text();
  };
  await setLocale("ar-EG");
  assert.match(await read("de"), /<html lang="ar" dir="rtl">/);
  await setLocale(null);
  assert.match(await read("xx, de;q=0.5, fr;q=0.9"), /<html lang="fr" dir="ltr">/);
  await setLocale("tlh");
  assert.match(await read("xx"), /<html lang="en" dir="ltr">/);
});
