import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Liquid } from "liquidjs";
import { boundFilters } from "../../supabase/functions/_shared/templates/bounded_filters.ts";
import { parseLiquid, renderLiquid } from "../../supabase/functions/_shared/templates/liquid.ts";

const options = { isHtml: false, isStrict: false };
const variables = {
  name: "Ada",
  tags: ["b", "a", "a"],
  people: [{ n: "x", age: 2 }, { n: "y", age: 1 }],
  now: new Date("2026-11-22T09:30:00Z"),
};

function render(text: string): string {
  return renderLiquid(parseLiquid(text, options), variables, options);
}

/** Names in code marks in the rows of the table of docs/api.md that begin with these words. */
function readDocumented(row: RegExp): string[] {
  const text = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("| ") && row.test(line));
  assert(rows.length > 0);
  const names = rows.flatMap((line) => [...line.split("|")[2]!.matchAll(/`([^`]+)`/g)]);
  return names.map(([, name]) => name!).sort();
}

Deno.test("docs/api.md lists every filter and tag of a template, and no other", () => {
  const engine = new Liquid();
  boundFilters(engine);
  assert.deepEqual(readDocumented(/^\| (?:other )?filters\b/), Object.keys(engine.filters).sort());
  // The tags that lead to other templates.
  const others = ["block", "include", "layout", "render"];
  const tags = Object.keys(engine.tags).filter((name) => !others.includes(name)).sort();
  assert.deepEqual(readDocumented(/^\| tags \|/), tags);
});

const cases: [text: string, expected: string][] = [
  ["{% assign a = name | upcase %}{{ a }}", "ADA"],
  ["{% capture a %}x{% endcapture %}{{ a }}{% echo a %}", "xx"],
  ["{% if name == 'Ada' and tags contains 'a' %}y{% else %}n{% endif %}", "y"],
  ["{% if name == 'Bob' %}1{% elsif name != nil %}2{% endif %}", "2"],
  ["{% if not missing %}y{% endif %}{% unless true %}a{% else %}b{% endunless %}", "yb"],
  ["{% if 1 == '1' %}y{% else %}n{% endif %}{% if '' == blank %}b{% endif %}", "nb"],
  ["{% case name %}{% when 'Bob', 'Ada' %}known{% else %}new{% endcase %}", "known"],
  [
    "{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}",
    "13",
  ],
  ["{% for i in tags limit: 1 offset: 1 %}{{ forloop.index }}{{ i }}{% endfor %}", "1a"],
  ["{% for i in nothing %}x{% else %}none{% endfor %}", "none"],
  ["{% for i in (1..3) reversed %}{{ i }}{% endfor %}", "321"],
  [
    "{% tablerow i in (1..2) cols: 2 %}{{ i }}{% endtablerow %}",
    '<tr class="row1"><td class="col1">1</td><td class="col2">2</td></tr>',
  ],
  ["{% cycle 'a', 'b' %}{% cycle 'a', 'b' %}{% increment c %}{% decrement d %}", "ab0-1"],
  ["{% raw %}{{ x }}{% endraw %}{% comment %}x{% endcomment %}{% # note %}", "{{ x }}"],
  ["{% liquid assign z = 1\n echo z %}|{{- ' a ' -}}  |", "1| a |"],
  ["{{ tags[0] }}{{ tags[-1] }}{{ tags.size }}{{ people.first.n }}{{ people[1]['n'] }}", "ba3xy"],
  ["{{ tags | uniq | sort | join: '-' }} {{ tags | compact | concat: tags | size }}", "a-b 6"],
  [
    "{{ people | where: 'n', 'x' | map: 'age' | first }}{{ people | sort: 'age' | map: 'n' | join: '' }}",
    "2yx",
  ],
  ["{{ people | where_exp: 'p', 'p.age > 1' | size }}{{ people | sum: 'age' }}", "13"],
  [
    "{{ people | group_by: 'n' | map: 'name' | join }} {{ people | find: 'n', 'y' | json }}",
    'x y {"n":"y","age":1}',
  ],
  ["{{ now | date: '%d %B %Y %H:%M' }}", "22 November 2026 09:30"],
  [
    "{{ now | date: '%H:%M', 'Europe/Berlin' }} {{ '2026-01-31' | date: '%b %-d' }}",
    "10:30 Jan 31",
  ],
  ["{{ 'now' | date: '%Y-%m-%d' }} {{ 'today' | date: '%d' }}", "2026-11-22 22"],
  ["{{ missing | default: 'you' }}{{ false }}{{ nil }}{{ 1.50 }}", "youfalse1.5"],
  [
    "{{ 10 | divided_by: 4 }} {{ 7 | modulo: 3 }} {{ 1 | plus: '2' }} {{ 3.14159 | round: 2 }}",
    "2.5 1 3 3.14",
  ],
  ["{{ -4.6 | abs | ceil }} {{ 4 | at_least: 5 | at_most: 4 | times: 2 | minus: 1 }}", "5 7"],
  [
    "{{ 'Hello world' | truncate: 8 }} {{ 'a b c' | truncatewords: 2 }} {{ 'abc' | slice: 1, 1 }}",
    "Hello... a b... b",
  ],
  ["{{ ' a  b ' | strip | squish | replace: ' ', '_' | append: '!' | prepend: '>' }}", ">a_b!"],
  [
    "{{ '<a> & b' | escape }} {{ 'a b&' | url_encode }} {{ '<b>x</b>' | strip_html }}",
    "&lt;a&gt; &amp; b a+b%26 x",
  ],
  [
    "{{ 'a,b' | split: ',' | reverse | join: '' }}{{ 'ä' | upcase }}{{ 'a b' | base64_encode }}",
    "baÄYSBi",
  ],
];

for (const [text, expected] of cases) {
  Deno.test(`a template renders ${text.replaceAll("\n", " ")}`, () => {
    assert.equal(render(text), expected);
  });
}

/** Most milliseconds on a busy machine; without limits each of these takes seconds, or gigabytes. */
const patienceMs = 1_500;

const fill = (text: string, times: number) =>
  `{% capture f %}{% for i in (1..${times}) %}${text}{% endfor %}{% endcapture %}`;

const attacks: Record<string, string> = {
  "an expression for each item of a large list":
    '{% assign a = (1..1900000) | where_exp: "i", "i == 0" %}',
  "an expression for each item of a list that is allowed":
    '{% assign a = (1..900000) | group_by_exp: "i", "i" %}',
  "a list that is filtered by a property": '{% assign a = (1..1900000) | where: "x", "y" %}',
  "sorting a large list": "{% assign a = (1..1900000) | sort %}",
  "a range that fills the memory": "{% assign a = (1..900000000) %}",
  "a format of many dates": `${fill("%c", 30_000)}{{ now | date: f }}`,
  "a wide format": '{{ now | date: "%99999999Y" }}',
  "an endless condition": `{% if ${"a == b and ".repeat(15_000)} a %}x{% endif %}`,
  "a chain of filters": `{{ a ${"| upcase ".repeat(20_000)} }}`,
  "a long path": `{{ ${"a.".repeat(50_000)}b }}`,
  "blocks in blocks": `${"{% if a %}".repeat(1_900)}${"{% endif %}".repeat(90)}`,
  "texts that double":
    '{% assign s = "aaaaaaaaaaaaaaaa" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}',
  "replacements that multiply": `${fill("aaaaaaaaaa", 5_000)}{{ f | replace: "a", f }}`,
  "tags that are never closed": `${fill("<script", 20_000)}{{ f | strip_html }}`,
  "spaces before the end": `${fill("          ", 20_000)}{{ f | append: "x" | rstrip | slugify }}`,
  "loops in loops":
    "{% for i in (1..9999) %}{% for j in (1..999) %}{% assign k = j %}{% endfor %}{% endfor %}",
};

for (const [title, text] of Object.entries(attacks)) {
  Deno.test(`a template ends soon: ${title}`, () => {
    const startedAt = performance.now();
    try {
      render(text);
    } catch (error) {
      assert.equal((error as Error).name, "RenderError", `${error}`);
    }
    const ms = performance.now() - startedAt;
    assert(ms < patienceMs, `${ms} ms`);
  });
}

const prototypes = [
  "{{ name.constructor }}{{ tags.constructor }}{{ people[0].__proto__ }}{{ people[0].toString }}",
  "{% assign __proto__ = 'x' %}{{ a.b }}{% assign constructor = 1 %}{{ people[0].constructor }}",
  "{{ people | map: 'constructor' | join: '' }}{{ people | map: '__proto__' | join: '' }}",
  "{{ people | where: 'constructor' | size | replace: '0', '' }}",
  "{{ people | group_by: '__proto__' | map: 'name' | join: '' }}",
  "{{ people | sum: 'constructor' | replace: '0', '' }}{{ tags['length'].constructor }}",
];

for (const text of prototypes) {
  Deno.test(`a template reaches no prototype: ${text}`, () => {
    assert.equal(render(text), "");
    assert.deepEqual(Object.keys(Object.prototype), []);
  });
}
