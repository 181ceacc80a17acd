import assert from "node:assert/strict";
import {
  listFixedPaths,
  listVariables,
  parseLiquid,
  readPaths,
} from "../../supabase/functions/_shared/templates/liquid.ts";
import {
  maxTagLength,
  maxTagNesting,
  maxTags,
} from "../../supabase/functions/_shared/templates/tag_limits.ts";

const options = { isHtml: false, isStrict: false };

function list(source: string): string[] {
  return listVariables(readPaths(parseLiquid(source, options), ["customer", "unsubscribe_url"]));
}

const own: Record<string, string> = {
  "an assigned name":
    "{% for i in (1..3) %}{% if seen %}, {% endif %}{{ i }}{% assign seen = true %}{% endfor %}",
  "an assigned name in unless":
    "{% for i in (1..3) %}{% unless seen %}a{% endunless %}{% assign seen = true %}{% endfor %}",
  "a captured name":
    "{% for i in (1..3) %}{{ last }}{% capture last %}{{ i }}{% endcapture %}{% endfor %}",
  "an incremented name": "{% for i in (1..3) %}{{ n }}{% increment n %}{% endfor %}",
  "a decremented name": "{% for i in (1..3) %}{{ n }}{% decrement n %}{% endfor %}",
  "a name of tablerow":
    "{% tablerow i in (1..3) %}{{ tablerowloop.row }}{{ last }}{% assign last = i %}{% endtablerow %}",
  "a name of an inner loop":
    "{% for i in (1..3) %}{{ last.size }}{% for j in (1..i) %}{{ forloop.index }}" +
    "{% assign last = j %}{% endfor %}{% endfor %}",
  "a name of the tag liquid": "{{ a }}{% liquid assign a = 1 %}",
  "offset: continue":
    "{% for i in (1..9) limit: 2 %}{{ i }}{% endfor %}{% for i in (1..9) offset: continue %}{% endfor %}",
  "the size of a text": "{{ 'abc'.size }}",
};

for (const [title, source] of Object.entries(own)) {
  Deno.test(`listVariables(): ${title} is not a variable from outside`, () => {
    assert.deepEqual(list(source), []);
  });
}

const outside: [source: string, variables: string[]][] = [
  ["{{ a.b['c d'][0] | append: e, f: g }}", ["a.b.c d.0", "e", "g"]],
  ["{{ a[b.c].d }}{{ [e].f }}", ["a.b,c.d", "b.c", "e"]],
  ["{% for i in (a..b) limit: c %}{{ i.x }}{{ d }}{% endfor %}{{ i }}", ["a", "b", "c", "d", "i"]],
  ["{% case a %}{% when b, 1 %}{{ c }}{% else %}{{ d }}{% endcase %}", ["a", "b", "c", "d"]],
  ["{% if a or b == c %}{% elsif d %}{% endif %}{% cycle e, 'f' %}", ["a", "b", "c", "d", "e"]],
  ["{% assign a = b %}{% capture c %}{{ d }}{% endcapture %}{% echo e %}", ["b", "d", "e"]],
  ["{{ (1..a).size }}", ["a"]],
  // A given variable is read before the text assigns it.
  [
    "{% assign unsubscribe_url = unsubscribe_url | append: '?a' %}{{ unsubscribe_url }}",
    ["unsubscribe_url"],
  ],
  ["{% assign customer = 1 %}{{ customer.email }}", []],
];

for (const [source, variables] of outside) {
  Deno.test(`listVariables(): ${source}`, () => assert.deepEqual(list(source), variables));
}

Deno.test("listFixedPaths(): a path ends before a name that a variable chooses", () => {
  const templates = parseLiquid("{{ a.b[c].d }}", options);
  assert.deepEqual(listFixedPaths(readPaths(templates)).sort(), [["a", "b"], ["c"]]);
});

for (const tag of ["include", "render", "layout"]) {
  Deno.test(`listVariables(): ${tag} is refused`, () => {
    assert.throws(() => list(`{% ${tag} "/etc/passwd" %}`), {
      name: "RenderError",
      message: "templates cannot include other templates",
    });
  });
}

Deno.test("parseLiquid(): a text has at most 2,000 tags, counting the lines of liquid", () => {
  const source = Array.from({ length: maxTags }, (_, n) => `{{ trigger.v${n} }}`).join("");
  assert.equal(list(source).length, maxTags);
  assertTooLarge(`${source}{{ a }}`, "Text has over 2000 tags");
  const lines = `{% liquid${"\necho a".repeat(maxTags / 2 - 1)} %}`;
  assert.deepEqual(list(lines + lines), ["a"]);
  assertTooLarge(`${lines + lines}{{ a }}`, "Text has over 2000 tags");
});

Deno.test("parseLiquid(): a tag has at most 10,000 characters, also those in quotes", () => {
  const write = (length: number) => `{{ "}}${"a".repeat(length - 9)}" }}`;
  assert.deepEqual(list(write(maxTagLength - 1)), []);
  assertTooLarge(write(maxTagLength + 1), "A tag has over 10000 characters");
});

function nest(levels: number): string {
  return `${"[b".repeat(levels)}${"]".repeat(levels)}`;
}

const nested: Record<string, (levels: number) => string> = {
  "square brackets": (levels) => `{{ a${nest(levels)} }}`,
  "ranges": (levels) => `{{ ${"(".repeat(levels)}1${"..2)".repeat(levels)} }}`,
  "brackets of both kinds": (levels) =>
    `{{ ${"a[(".repeat(levels / 2)}1${"..2)]".repeat(levels / 2)} }}`,
  "brackets in a line of liquid": (levels) => `{% liquid\necho 'a\necho a${nest(levels)} %}`,
  "brackets after a quote that the engine skips": (levels) =>
    `{{ a['b' ' ]${nest(levels)} | append: ' }}`,
};

for (const [title, write] of Object.entries(nested)) {
  Deno.test(`parseLiquid(): a tag has at most 20 levels of ${title}`, () => {
    parseLiquid(write(maxTagNesting), options);
    assertTooLarge(write(maxTagNesting + 2), "A tag has over 20 brackets inside of one another");
  });
}

Deno.test("parseLiquid(): brackets in quotes, in a row and in notes are not levels", () => {
  const brackets = "[(".repeat(100);
  const source = `{{ "${brackets}" | append: '\\'${brackets}' }}{% # ${brackets} %}`;
  assert.deepEqual(list(source), []);
  assert.equal(list(`{{ a${"['b']".repeat(100)} }}`)[0], `a${".b".repeat(100)}`);
});

Deno.test("parseLiquid(): a tag has at most 20 tags liquid inside of one another", () => {
  assert.deepEqual(list(`{% ${"liquid ".repeat(maxTagNesting)} echo a %}`), ["a"]);
  const source = `{% ${"liquid ".repeat(maxTagNesting + 1)} echo a %}`;
  assertTooLarge(source, 'A tag has over 20 tags "liquid" inside of one another');
});

function assertTooLarge(source: string, message: string): void {
  assert.throws(() => parseLiquid(source, options), {
    name: "RenderError",
    reason: "too_large",
    message,
  });
}

// Each of these took minutes where the time grew with the square of the length.
const long: Record<string, string> = {
  "variables": `{{ a | append: ${"b,".repeat(4900)}b }}`.repeat(50),
  "lines": "\n".repeat(300_000) + "{{ a | append: b, c, d, e, f, g, h, i, j }}".repeat(maxTags),
  "paths in paths": `{{ a${"[b".repeat(10) + "]".repeat(10)} }}`.repeat(maxTags),
  "segments": `{{ a${".b".repeat(4900)} }}`.repeat(50),
  "filters": `{{ a${" | upcase".repeat(1000)} }}`.repeat(50),
  "loops": "{% for a in b %}".repeat(maxTags / 2) + "{% endfor %}".repeat(maxTags / 2),
};

for (const [title, source] of Object.entries(long)) {
  Deno.test(`listVariables(): many ${title} are listed at once`, () => {
    assert(list(source).length > 0);
  });
}
