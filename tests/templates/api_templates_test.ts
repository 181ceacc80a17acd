import assert from "node:assert/strict";
import { ingestFor } from "../../testing/data/erasures.ts";
import { type ApiWorld, createApiWorld } from "../../testing/service/api_world.ts";

async function createMember(world: ApiWorld) {
  const token = await world.signInAs("member");
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId: world.workspaceId, body });
}

const mjml = `<mjml><mj-body><mj-section><mj-column>
  <mj-text>Hello {{ customer.first_name }}</mj-text>
  <mj-button href="{{ trigger.url }}">Open</mj-button>
  <mj-text><a href="{{ unsubscribe_url }}">Unsubscribe</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`;

Deno.test("a template of MJML is compiled, gets a text part, and is rendered for a customer", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const made = await act("POST", "/templates", {
    key: "welcome",
    name: "Welcome",
    subject: "Hello {{ customer.first_name }} from {{ workspace.name }}",
    mjml,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.match(made.body.html, /^<!doctype html>[\s\S]*Hello {{ customer\.first_name }}/);
  assert.match(made.body.text, /^Hello {{ customer\.first_name }}\n\nOpen \({{ trigger\.url }}\)/);
  assert.deepEqual(made.body.variables, [
    "customer.first_name",
    "trigger.url",
    "unsubscribe_url",
    "workspace.name",
  ]);
  assert.deepEqual([made.body.warnings, made.body.version], [[], 1]);

  const [customer_id] = await ingestFor(world.sql, world.workspaceId, [
    { kind: "identify", external_id: "ada", profile: { first_name: "Ada <3" } },
  ]);
  const data = { url: "https://example.com/?a=1&b=2" };
  const { status, body } = await act("POST", "/templates/welcome/preview", { customer_id, data });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.subject, "Hello Ada <3 from Test");
  assert.match(body.html, /Hello Ada &lt;3/);
  assert.match(body.html, /href="https:\/\/example\.com\/\?a=1&amp;b=2"/);
  assert.match(body.text, /^Hello Ada <3\n\nOpen \(https:\/\/example\.com\/\?a=1&b=2\)/);
  const draft = await act("POST", "/templates/welcome/preview", {
    customer_id,
    subject: "Draft for {{ customer.first_name }}",
    mjml: null,
    html: "<p>{{ customer.last_name }} {{ trigger.order }} {{ typo }}</p>",
  });
  assert.deepEqual(
    [draft.body.subject, draft.body.html, draft.body.missing],
    ["Draft for Ada <3", "<p>  </p>", ["customer.last_name", "trigger.order", "typo"]],
  );
  assert.ok(draft.body.warnings.includes('Variable "typo" is always empty'));
  const broken = { subject: "Draft", html: "{{ customer.first_name" };
  assert.equal((await act("POST", "/templates/welcome/preview", broken)).status, 400);
  const customers = await world.createKey(["templates:read"]);
  const refused = await world.send({
    method: "POST",
    path: "/templates/welcome/preview",
    token: customers,
    body: { customer_id },
  });
  assert.deepEqual([refused.status, refused.body.code], [403, "insufficient_scope"]);
  const unknown = { customer_id: crypto.randomUUID() };
  assert.equal((await act("POST", "/templates/welcome/preview", unknown)).status, 404);
});

Deno.test("each change of the contents is a version, and versions do not change", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const first = { name: "News", subject: "One", html: "<p>One</p>" };
  await act("PUT", "/templates/news", first);
  assert.equal((await act("PATCH", "/templates/news", { name: "Our news" })).body.version, 1);
  const second = (await act("PATCH", "/templates/news", { html: "<p>Two</p>" })).body;
  assert.deepEqual([second.version, second.subject, second.text], [2, "One", "Two"]);
  const third = (await act("PATCH", "/templates/news", { text: "Written" })).body;
  const fourth = (await act("PATCH", "/templates/news", { html: "<p>Four</p>" })).body;
  assert.deepEqual([third.text, fourth.text, fourth.version], ["Written", "Written", 4]);
  const fifth = (await act("PATCH", "/templates/news", { mjml, text: null })).body;
  assert.match(fifth.text, /^Hello/);
  const sixth = (await act("PUT", "/templates/news", first)).body;
  assert.deepEqual([sixth.version, sixth.mjml, sixth.text, sixth.name], [6, null, "One", "News"]);

  const page = await act("GET", "/templates/news/versions?limit=4");
  const shown = page.body.data.map((row: { version: number; text: string }) => row.version);
  assert.deepEqual(shown, [6, 5, 4, 3]);
  const next = await act("GET", `/templates/news/versions?limit=4&cursor=${page.body.next_cursor}`);
  assert.deepEqual(next.body.data.map((row: { html: string }) => row.html), [
    "<p>Two</p>",
    "<p>One</p>",
  ]);
  const old = await act("POST", "/templates/news/preview", { version: 2 });
  assert.deepEqual([old.body.version, old.body.text], [2, "Two"]);
  assert.equal((await act("POST", "/templates/news/preview", { version: 7 })).status, 400);
});

const mistakes: { title: string; body: Record<string, unknown>; field: string; message: RegExp }[] =
  [
    { title: "no body", body: {}, field: "html", message: /^is required without mjml or text$/ },
    { title: "two bodies", body: { html: "x", mjml }, field: "", message: /not both/ },
    {
      title: "an open tag",
      body: { html: "{% if a %}" },
      field: "html",
      message: /not closed.*line:1/,
    },
    {
      title: "a bad subject",
      body: { subject: "{{", text: "x" },
      field: "subject",
      message: /Liquid/,
    },
    {
      title: "an unknown element",
      body: { mjml: mjml.replaceAll("mj-button", "mj-moon") },
      field: "mjml",
      message: /line 3: Element mj-moon doesn't exist/,
    },
    {
      title: "unclosed MJML",
      body: { mjml: mjml.replace("</mj-column>", "") },
      field: "mjml",
      message: /^line \d+: Element mj-column of line 1 is not closed before mj-section$/,
    },
    {
      title: "HTML over 512 KiB",
      body: { html: "\u20ac".repeat(200_000) },
      field: "html",
      message: /^must be at most 512 KiB in UTF-8$/,
    },
    {
      title: "a text over 256 KiB",
      body: { html: "x", text: "\u20ac".repeat(100_000) },
      field: "text",
      message: /^must be at most 256 KiB in UTF-8$/,
    },
    {
      title: "HTML whose text is over 256 KiB",
      body: { html: "\u20ac".repeat(100_000) },
      field: "text",
      message: /^is required: the text of the HTML has over 256 KiB$/,
    },
    {
      title: "MJML that compiles to over 512 KiB",
      body: {
        mjml: mjml.replace("</mj-column>", `${"<mj-text>x</mj-text>".repeat(2000)}</mj-column>`),
      },
      field: "mjml",
      message: /^must compile to at most 512 KiB of HTML$/,
    },
    { title: "no MJML", body: { mjml: "<p>Hello" }, field: "mjml", message: /MJML|mjml/ },
    {
      title: "Liquid between elements",
      body: { mjml: mjml.replace("<mj-button", "{% if a %}<mj-button") },
      field: "mjml",
      message: /^loses "{% if a %}": put Liquid between elements into mj-raw$/,
    },
  ];

Deno.test("a template that cannot be rendered is not saved", async (t) => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  for (const { title, body, field, message } of mistakes) {
    await t.step(title, async () => {
      const answer = await act("POST", "/templates", { name: "Bad", subject: "Bad", ...body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.equal(answer.body.details[0].field, field);
      assert.match(answer.body.details[0].message, message);
    });
  }
  assert.deepEqual((await act("GET", "/templates")).body.data, []);
});

Deno.test("a template names variables that are always empty, and a missing link to unsubscribe", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const { body } = await act("POST", "/templates", {
    name: "Typo",
    subject: "Hello {{ custmer.first_name }}",
    text: "{% for item in trigger.items %}{{ item.name }}{% endfor %}",
  });
  assert.deepEqual(body.warnings, [
    'Variable "custmer.first_name" is always empty: did you mean "customer.first_name"?',
    "Marketing sends cannot use it: the body has neither unsubscribe_url nor preferences_url",
  ]);
});

Deno.test("a template warns about names that no customer has, with the name that was meant", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const warn = async (text: string) => {
    const body = { name: "Typo", subject: "Hello", text: `${text} {{ unsubscribe_url }}` };
    const made = await act("POST", "/templates", body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.warnings;
  };
  const meant = {
    "customer.frist_name": "customer.first_name",
    "customer.firstName": "customer.first_name",
    "customer.plan": "customer.attributes.plan",
    "Custommer.attributes.plan": "customer.attributes.plan",
    "first_name": "customer.first_name",
    "attributes.plan": "customer.attributes.plan",
    "workspace.nam": "workspace.name",
    "unsubscribe_link": "unsubscribe_url",
    "order_total": undefined,
  };
  for (const [written, name] of Object.entries(meant)) {
    const end = name === undefined ? "" : `: did you mean "${name}"?`;
    assert.deepEqual(await warn(`{{ ${written} }}`), [
      `Variable "${written}" is always empty${end}`,
    ]);
  }
  const fine = "{% assign field = 'email' %}{{ customer[field] }}{{ customer[trigger.field] }}" +
    "{{ customer.external_ids[0] }}{{ customer.attributes['my plan'] }}{{ customer.size }}" +
    "{% for item in trigger.items %}{{ item.name }}{{ forloop.index }}{% endfor %}";
  assert.deepEqual(await warn(fine), []);
  const list =
    "{% for i in (1..3) %}{% if seen %}, {% endif %}{{ i }}{% assign seen = true %}{% endfor %}" +
    "{% for i in (1..9) offset: continue %}{{ i }}{% endfor %}";
  assert.deepEqual(await warn(list), []);
});

Deno.test("brackets over 20 levels deep are refused with their field", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const html = `{{ a${"[b".repeat(2000)}${"]".repeat(2000)} }}`;
  const { status, body } = await act("POST", "/templates", { name: "Deep", subject: "S", html });
  assert.equal(status, 400);
  const message = "is not Liquid: A tag has over 20 brackets inside of one another";
  assert.deepEqual(body.details, [{ field: "html", message }]);
});

Deno.test("a link behind many spaces is read at once", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const html = `a <a href=${" ".repeat(200_000)}>`;
  const { status } = await act("POST", "/templates", { name: "Wide", subject: "S", html });
  assert.equal(status, 201);
});

Deno.test("a link to unsubscribe counts only where the reader of the HTML sees it", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const link = "{{ unsubscribe_url }}";
  const warn = async (body: object) => {
    const made = await act("POST", "/templates", { name: "News", subject: "News", ...body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.warnings.length;
  };
  assert.equal(await warn({ html: "<p>Hello</p>", text: `Leave: ${link}` }), 1);
  assert.equal(await warn({ html: `<a href="${link}">Leave</a>`, text: "Hello" }), 0);
  assert.equal(await warn({ text: `Leave: ${link}` }), 0);
});

Deno.test("a preview says why a strict template cannot be rendered", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const { body } = await act("POST", "/templates", {
    name: "Strict",
    subject: "Order {{ trigger.order }}",
    text: "x",
    strict: true,
  });
  const path = `/templates/${body.id}/preview`;
  const refused = await act("POST", path);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /^Cannot render template: undefined variable: trigger\.order/);
  assert.equal((await act("POST", path, { data: { order: 7 } })).body.subject, "Order 7");
});

Deno.test("mj-include reads no file", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const { body } = await act("POST", "/templates", {
    name: "Include",
    subject: "x",
    mjml: `<mjml><mj-body><mj-include path="/etc/passwd" /></mj-body></mjml>`,
  });
  assert.doesNotMatch(JSON.stringify(body), /root:/);
});

Deno.test("a template of MJML is not saved while the compiler cannot be reached", async (t) => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const fetchCompilers: Record<string, () => Promise<Response>> = {
    "nobody listens": () => fetch(`http://127.0.0.1:${port}/`),
    "it refuses the key": () => Promise.resolve(new Response(null, { status: 401 })),
    "it responds with something else": () => Promise.resolve(Response.json({ html: 1 })),
  };
  for (const [title, fetchCompiler] of Object.entries(fetchCompilers)) {
    await t.step(title, async () => {
      await using world = await createApiWorld({ fetchCompiler });
      const act = await createMember(world);
      const body = { name: "News", subject: "News", mjml };
      const calls = [
        await act("POST", "/templates", body),
        await act("PUT", "/templates/news", body),
      ];
      for (const { status, body: { code } } of calls) {
        assert.deepEqual([status, code], [503, "unavailable"]);
      }
      assert.deepEqual((await act("GET", "/templates")).body.data, []);
      const saved = await act("PUT", "/templates/news", { name: "News", subject: "x", text: "x" });
      assert.equal(saved.status, 201, JSON.stringify(saved.body));
      assert.equal((await act("PATCH", "/templates/news", { mjml })).status, 503);
      assert.equal((await act("GET", "/templates/news")).body.version, 1);
    });
  }
});

Deno.test("PUT creates a template once, and equal contents keep the version", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const written = { name: "News", subject: "One", html: "<p>One</p>" };
  const put = async (body: unknown) => {
    const { status, body: shown } = await act("PUT", "/templates/news", body);
    return [status, shown.version];
  };
  assert.deepEqual(await put(written), [201, 1]);
  assert.deepEqual(await put({ ...written, name: "Our news" }), [200, 1]);
  assert.deepEqual(await put({ ...written, subject: "Two" }), [200, 2]);
});

Deno.test("PUT takes a template with the key of its path, and renames one by its id", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const written = { key: "news", name: "News", subject: "One", html: "<p>One</p>" };
  const { status, body: { id } } = await act("PUT", "/templates/news", written);
  assert.equal(status, 201);
  assert.equal((await act("PUT", "/templates/news", written)).status, 200);
  const other = await act("PUT", "/templates/news", { ...written, key: "offers" });
  assert.deepEqual([other.status, other.body.details[0].field], [400, "key"]);
  const renamed = await act("PUT", `/templates/${id}`, { ...written, key: "weekly" });
  assert.deepEqual([renamed.status, renamed.body.key, renamed.body.version], [200, "weekly", 1]);
  await act("PUT", "/templates/news", written);
  assert.equal((await act("PUT", `/templates/${id}`, written)).status, 409);
});

Deno.test("a template that includes another one is refused when it is written", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  for (const tag of ["include", "render", "layout"]) {
    const html = `<p>{% ${tag} "x" %}</p>`;
    const { status, body } = await act("POST", "/templates", { name: "N", subject: "S", html });
    assert.deepEqual([status, body.details], [400, [{
      field: "html",
      message: "is not Liquid: templates cannot include other templates",
    }]]);
  }
});

Deno.test("a template with links that would run a script is saved with a warning", async () => {
  await using world = await createApiWorld();
  const act = await createMember(world);
  const html = '<a href="{{ unsubscribe_url }}">x</a><a href=" JavaScript:alert(1)">y</a>';
  const { status, body } = await act("PUT", "/templates/bad", { name: "B", subject: "S", html });
  assert.deepEqual([status, body.warnings], [201, [
    'Link "JavaScript:alert(1)" does nothing in a mail: use an https address',
  ]]);
});
