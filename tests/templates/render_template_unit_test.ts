import assert from "node:assert/strict";
import { maxOutputBytes, RenderError } from "../../supabase/functions/_shared/templates/liquid.ts";
import {
  renderTemplate,
  type TemplateContents,
  type TemplateFacts,
} from "../../supabase/functions/_shared/templates/render_template.ts";

const facts: TemplateFacts = {
  customer: { first_name: "<b>Ada</b> & Co", email: "ada@example.com", attributes: { seats: 3 } },
  trigger: { items: [{ name: "A" }, { name: "B" }] },
  workspace: { id: "w", name: "Acme" },
  unsubscribe_url: "https://example.com/u?a=1&b=2",
  preferences_url: "https://example.com/p",
  now: new Date("2026-11-22T09:30:00Z"),
};

function render(contents: Partial<TemplateContents>, isStrict = false) {
  const rendered = renderTemplate(
    { subject: "Hello", html: null, text: null, ...contents },
    facts,
    isStrict,
  );
  return contents.html ? rendered.html : contents.text ? rendered.text : rendered.subject;
}

const cases: { title: string; contents: Partial<TemplateContents>; expected: string }[] = [
  {
    title: "values are escaped in HTML",
    contents: { html: '<p title="{{ customer.first_name }}">{{ customer.first_name }}</p>' },
    expected: '<p title="&lt;b&gt;Ada&lt;/b&gt; &amp; Co">&lt;b&gt;Ada&lt;/b&gt; &amp; Co</p>',
  },
  {
    title: "what is captured is escaped once, and its HTML is HTML",
    contents: {
      html: "{% capture name %} <i>{{ customer.first_name }}</i> {% endcapture %}" +
        "{{ name | strip }}{% if name contains 'Ada' %}!{% endif %}",
    },
    expected: "<i>&lt;b&gt;Ada&lt;/b&gt; &amp; Co</i>!",
  },
  {
    title: "what is captured is a text in conditions",
    contents: {
      html: "{% capture none %} {% endcapture %}{% capture one %}1{% endcapture %}" +
        "{% if none == blank and one != blank and one == '1' and '1' == one and one.size == 1 %}" +
        "yes{% endif %}{% unless none %}no{% endunless %}{% case one %}{% when '1' %}1{% endcase %}" +
        "{{ one | plus: 1 }}{{ one | json }}",
    },
    expected: "yes12&#34;1&#34;",
  },
  {
    title: "every tag that writes what is captured leaves its HTML",
    contents: {
      html: "{% capture b %}<b>{{ '<' }}</b>{% endcapture %}{% assign list = b | split: ',' %}" +
        "{% echo b %}{% cycle b, 'x' %}{% liquid echo b %}{% assign c = b %}{{ c }}{% echo '<' %}",
    },
    expected: "<b>&lt;</b>".repeat(4) + "&lt;",
  },
  {
    title: "a filter for escaping escapes once",
    contents: { html: "{{ customer.first_name | escape }}" },
    expected: "&lt;b&gt;Ada&lt;/b&gt; &amp; Co",
  },
  {
    title: "a filter that changes what is escaped makes a value of it",
    contents: { html: "{{ '<' | escape | append: '<' }}" },
    expected: "&amp;lt;&lt;",
  },
  {
    title: "line breaks become HTML, and the rest is escaped",
    contents: { html: "{{ '<b>\na' | newline_to_br }}{{ '<b>' | newline_to_br | raw }}" },
    expected: "&lt;b&gt;<br />\na&lt;b&gt;",
  },
  {
    title: "values are not escaped in text and subject",
    contents: { text: "{{ customer.first_name }}" },
    expected: "<b>Ada</b> & Co",
  },
  {
    title: "the filter raw leaves HTML as it is",
    contents: { html: "{{ customer.first_name | raw }}" },
    expected: "<b>Ada</b> & Co",
  },
  {
    title: "a missing variable is empty",
    contents: { text: "[{{ customer.nothing.at.all }}{{ moon }}]" },
    expected: "[]",
  },
  {
    title: "a subject is one line",
    contents: { subject: "  Hello\r\nBcc: x@example.com\n{{ workspace.name }} " },
    expected: "Hello Bcc: x@example.com Acme",
  },
  {
    title: "loops, conditions, filters and dates work",
    contents: {
      text:
        "{% for i in trigger.items %}{{ i.name | downcase }}{% unless forloop.last %},{% endunless %}" +
        '{% endfor %} {{ now | date: "%Y-%m-%d" }} {% if customer.attributes.seats > 2 %}team{% endif %}',
    },
    expected: "a,b 2026-11-22 team",
  },
  {
    title: "prototypes cannot be reached",
    contents: {
      text: "[{{ customer.constructor }}{{ customer.__proto__ }}{{ customer.toString }}" +
        "{{ trigger.items.constructor.name }}{{ workspace.name.constructor }}]",
    },
    expected: "[]",
  },
];

for (const { title, contents, expected } of cases) {
  Deno.test(`renderTemplate(): ${title}`, () => assert.equal(render(contents), expected));
}

const failures: {
  title: string;
  text: string;
  reason: RenderError["reason"];
  isStrict?: boolean;
}[] = [
  { title: "files cannot be included", text: '{% include "/etc/passwd" %}', reason: "syntax" },
  { title: "files cannot be rendered", text: '{% render "../x" %}', reason: "syntax" },
  { title: "files cannot be layouts", text: '{% layout "/etc/passwd" %}x', reason: "syntax" },
  { title: "an unknown filter fails", text: "{{ 1 | moon }}", reason: "syntax" },
  { title: "an unknown tag fails", text: "{% moon %}", reason: "syntax" },
  {
    title: "a long loop runs out of time or memory",
    text: "{% for i in (1..100000000) %}{% endfor %}",
    reason: "too_large",
  },
  {
    title: "nested loops run out of time",
    text:
      "{% for i in (1..9999) %}{% for j in (1..999) %}{% assign k = j | plus: i %}{% endfor %}{% endfor %}",
    reason: "too_slow",
  },
  {
    title: "doubling a text runs out of memory",
    text:
      '{% assign s = "aaaaaaaaaaaaaaaa" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}',
    reason: "too_large",
  },
  {
    title: "an output over 256 KiB fails",
    text: `{% for i in (1..300) %}${"x".repeat(1000)}{% endfor %}`,
    reason: "too_large",
  },
  {
    title: "a missing variable stops a strict template",
    text: "{{ customer.nothing }}",
    reason: "missing_variable",
    isStrict: true,
  },
];

for (const { title, text, reason, isStrict } of failures) {
  Deno.test(`renderTemplate(): ${title}`, () => {
    assert.throws(() => render({ text }, isStrict), (error) => {
      assert(error instanceof RenderError);
      assert.equal(error.reason, reason, error.message);
      return true;
    });
  });
}

Deno.test("renderTemplate(): strict allows defaults and conditions", () => {
  const text = '{{ customer.nothing | default: "you" }}{% if customer.nothing %}x{% endif %}';
  assert.equal(render({ text }, true), "you");
});

Deno.test("renderTemplate(): an output of 256 KiB is rendered, counted in UTF-8", () => {
  const text = "ü".repeat(maxOutputBytes / 2);
  assert.equal(render({ text })?.length, maxOutputBytes / 2);
  assert.throws(() => render({ text: `${text}x` }), { name: "RenderError", reason: "too_large" });
});
