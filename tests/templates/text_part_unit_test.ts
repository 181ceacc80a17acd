import assert from "node:assert/strict";
import { makeTextPart } from "../../supabase/functions/api/resources/templates/text_part.ts";

const cases: { title: string; html: string; text: string }[] = [
  { title: "paragraphs", html: "<p>One</p><p>Two\n  lines</p>", text: "One\n\nTwo lines" },
  { title: "line breaks", html: "a<br>b<br/>c", text: "a\nb\nc" },
  { title: "lists", html: "<ul><li>One</li><li>Two</li></ul>", text: "- One\n- Two" },
  {
    title: "links",
    html: '<a class="x" href="https://a.example/?b=1">Read <b>more</b></a>',
    text: "Read more (https://a.example/?b=1)",
  },
  {
    title: "links that show their address",
    html: '<a href="https://a.example">https://a.example</a>',
    text: "https://a.example",
  },
  { title: "links on images", html: '<a href="u"><img src="i" alt="Shop"></a>', text: "Shop (u)" },
  {
    title: "entities",
    html: "a &amp; b &lt;c&gt; &#8364; &#x20ac; &nope;",
    text: "a & b <c> € € &nope;",
  },
  {
    title: "head, styles and comments left out",
    html: "<head><title>x</title></head><style>p{}</style><!--[if mso]><p>y</p><![endif]-->z",
    text: "z",
  },
  {
    title: "Liquid that looks like a tag kept",
    html: '<p>{% if a < b %}{{ "<p>" | escape }}{% endif %}</p>',
    text: '{% if a < b %}{{ "<p>" | escape }}{% endif %}',
  },
];

for (const { title, html, text } of cases) {
  Deno.test(`makeTextPart(): ${title}`, () => assert.equal(makeTextPart(html), text));
}
