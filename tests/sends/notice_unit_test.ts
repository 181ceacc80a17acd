import assert from "node:assert/strict";
import { notice } from "../../supabase/functions/_shared/templates/notice.ts";
import { renderTemplate } from "../../supabase/functions/_shared/templates/render_template.ts";

function render(trigger: Record<string, unknown>) {
  const facts = { customer: {}, trigger, workspace: {}, unsubscribe_url: "", preferences_url: "" };
  return renderTemplate(notice, { ...facts, now: new Date(0) }, false);
}

Deno.test("a notice shows its text line by line, as text, in HTML too", () => {
  const { subject, html, text } = render({
    subject: "<b>Down</b>",
    text: "One <i>two</i>\nthree\n",
  });
  assert.deepEqual([subject, text], ["<b>Down</b>", "One <i>two</i>\nthree\n"]);
  assert.ok(html!.includes("<title>&lt;b&gt;Down&lt;/b&gt;</title>"));
  assert.match(html!, /One &lt;i&gt;two&lt;\/i&gt;<br \/>\s*three</);
  assert.ok(!html!.includes("<a "));
});

Deno.test("a subject hides nothing in an encoded word", () => {
  const { subject } = render({ subject: "Join =?utf-8?B?PGI+?= now", text: "Open" });
  assert.equal(subject, "Join = ?utf-8?B?PGI+?= now");
});

Deno.test("a notice that asks for something shows a button instead of an address", () => {
  const url = "https://example.com/?a=1&b=2";
  const action = { before: 'Ada & "Co"', label: "See it", url, after: "Ends\n<script>" };
  const { html } = render({ subject: "Join", text: `Open ${url}`, action });
  assert.match(html!, /<a href="https:\/\/example\.com\/\?a=1&amp;b=2" style="[^"]+">See it<\/a>/);
  assert.ok(html!.includes("Ada &amp; &#34;Co&#34;"));
  assert.match(html!, /Ends<br \/>\s*&lt;script&gt;/);
  assert.ok(!html!.includes(`Open https`));
});
