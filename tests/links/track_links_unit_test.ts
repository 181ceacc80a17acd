import assert from "node:assert/strict";
import { createMessageLinks } from "../../supabase/functions/send-dispatch/message_links.ts";
import { trackLinks } from "../../supabase/functions/send-dispatch/track_links.ts";

const links = createMessageLinks({
  linksUrl: "https://project.example/functions/v1/links/",
  workspaceId: "0199a000-0000-7000-8000-00000000000a",
  sendId: "0199a000-0000-7000-8000-00000000000b",
  key: new Uint8Array(32),
});

function track(html: string, options: { opens?: boolean; clicks?: boolean } = {}) {
  const { opens = false, clicks = true } = options;
  return trackLinks(html, { links, tracksOpens: opens, tracksClicks: clicks });
}

Deno.test("createMessageLinks() puts no address into a URL, and makes the same URLs again", () => {
  const all = [links.unsubscribeUrl, links.preferencesUrl, links.openUrl, links.clickUrl(1)];
  for (const [i, letter] of ["u", "p", "o", "c"].entries()) {
    const form = new RegExp(`^https://project\\.example/functions/v1/links/${letter}/[\\w-]{70}$`);
    assert.match(all[i]!, form);
  }
  assert.notEqual(links.clickUrl(0), links.clickUrl(1));
});

Deno.test("trackLinks() replaces http links in any form of quotes, and keeps the rest of the tag", () => {
  const { html, links: table } = track(
    `<p><a class="b" href="https://a.example/?x=1&amp;y=%20" title='>'>A</a>` +
      `<A HREF='http://b.example/#f'>B</A><area shape="rect" href=https://c.example/d>` +
      `<!--[if mso]><v:roundrect xmlns:v="urn" href="https://a.example/?x=1&#38;y=%20"><![endif]-->`,
  );
  assert.deepEqual(table, [
    "https://a.example/?x=1&y=%20",
    "http://b.example/#f",
    "https://c.example/d",
  ]);
  assert.equal(
    html,
    `<p><a class="b" href="${links.clickUrl(0)}" title='>'>A</a>` +
      `<A HREF="${links.clickUrl(1)}">B</A><area shape="rect" href="${links.clickUrl(2)}">` +
      `<!--[if mso]><v:roundrect xmlns:v="urn" href="${links.clickUrl(0)}"><![endif]-->`,
  );
});

Deno.test("trackLinks() reads a tag as browsers do: what is in a value is not an attribute", () => {
  const injected = "Bob href=https://evil.example/ href=//evil.example/2 onclick=x";
  const url = "https://good.example/a";
  const cases: [html: string, start: string, end: string][] = [
    [`<a title="${injected}" href="${url}">`, `<a title="${injected}" href=`, ">"],
    [`<a title='${injected}' href='${url}' >`, `<a title='${injected}' href=`, " >"],
    [`<a title="x"href="${url}"class=b>`, `<a title="x"href=`, "class=b>"],
    [`<a title=x"y href=${url}>`, `<a title=x"y href=`, ">"],
    [
      `<a data-x href = "${url}" href="https://b.example/"/>`,
      "<a data-x href = ",
      ' href="https://b.example/"/>',
    ],
    [`<a/href="${url}">`, "<a/href=", ">"],
    [
      `<a title="<a href='https://b.example/'>" href="${url}">`,
      `<a title="<a href='https://b.example/'>" href=`,
      ">",
    ],
  ];
  for (const [html, start, end] of cases) {
    const tracked = track(html);
    assert.deepEqual(tracked, { html: `${start}"${links.clickUrl(0)}"${end}`, links: [url] }, html);
  }
});

Deno.test("trackLinks() leaves a tag that it cannot read, and takes no longer for many", () => {
  for (const html of [`<a href="https://a.example/`, `<a b= href="https://a.example/`, "<a b "]) {
    const many = html.repeat(20_000);
    assert.equal(track(many).html.length >= many.length, true);
  }
});

Deno.test("trackLinks() leaves links to unsubscribe and to preferences as they are", () => {
  const html = `<a href="${links.unsubscribeUrl}">U</a><a href="${links.preferencesUrl}">P</a>`;
  assert.deepEqual(track(html), { html, links: [] });
});

Deno.test("trackLinks() leaves what is not an http link as it is", () => {
  const others = [
    `<a href="mailto:a@example.com">`,
    `<a href="tel:1">`,
    `<a href="#top">`,
    `<a href="/relative">`,
    `<a href="javascript:alert(1)">`,
    `<a href="data:text/html,x">`,
    `<a href="">`,
    `<a href="https://">`,
    `<a href="https://a.example/${"x".repeat(2000)}">`,
    `<a name="x">`,
    `<link href="https://a.example/">`,
    `<img src="https://a.example/">`,
    `<abbr href="https://a.example/">`,
    `<a data-href="https://a.example/">`,
    `<a href="https://a.example/`,
  ];
  for (const html of others) assert.deepEqual(track(html), { html, links: [] }, html);
});

Deno.test("trackLinks() adds the image at the end of the body, once, and only if opens are tracked", () => {
  const html = "<html><body>x</body></html>";
  const tracked = track(html, { opens: true }).html;
  assert.equal(tracked.split(links.openUrl).length, 2);
  assert.match(tracked, /<img src="[^"]+" width="1" height="1" alt=""/);
  assert.ok(track("x", { opens: true }).html.endsWith(">"));
  assert.equal(track(html).html, html);
});

Deno.test("trackLinks() changes nothing if nothing is tracked", () => {
  const html = `<a href="https://a.example/">A</a></body>`;
  assert.deepEqual(track(html, { clicks: false }), { html, links: [] });
});

Deno.test("trackLinks() reads hostile HTML in linear time", () => {
  const pieces = ["<a ", `<a "`, "<a href='", "</body ", "<a href=&#"];
  for (const piece of pieces) {
    const html = piece.repeat(256 * 1024 / piece.length);
    const startedAt = performance.now();
    track(html, { opens: true });
    assert.ok(performance.now() - startedAt < 2000, piece);
  }
});
