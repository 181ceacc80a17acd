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
  {
    title: "quotes that contain the end of a tag",
    html: '<a title="a > b" href="u">go</a> <img src="i" alt="x > y">',
    text: "go (u) x > y",
  },
  {
    title: "a quote that is not around a value",
    html: "<p title=don't>a</p>it's",
    text: "a\n\nit's",
  },
  {
    title: "what is never closed",
    html: "a {{ b <!-- c <style> d <a href='u'>e < f",
    text: "a {{ b d e < f",
  },
];

for (const { title, html, text } of cases) {
  Deno.test(`makeTextPart(): ${title}`, () => assert.equal(makeTextPart(html), text));
}

// Each of these took seconds or minutes where the time grew with the square of the length.
const long: Record<string, string> = {
  "outputs that are not closed": "{{",
  "tags that are not closed": "{% ",
  "brackets": "<",
  "brackets before an end": "<a <a =",
  "links": "<a href='",
  "links that are not closed": "<a href='u'>",
  "images": "<img alt=",
  "comments": "<!--",
  "heads": "<head>",
  "styles in one another": "<style><title",
  "spaces": "\u00a0",
  "entities of spaces": "&nbsp;",
};

for (const [title, part] of Object.entries(long)) {
  Deno.test(`makeTextPart(): many ${title} are read at once`, () => {
    for (const end of ["", ">"]) makeTextPart(part.repeat(500_000 / part.length) + end);
  });
}
