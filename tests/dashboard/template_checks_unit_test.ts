import assert from "node:assert/strict";
import { compareLines } from "../../dashboard/src/pages/templates/diff_lines.ts";
import {
  checkTemplate,
  listCustomerVariables,
  listLinks,
} from "../../dashboard/src/pages/templates/template_checks.ts";
import { chooseScheme } from "../../dashboard/src/ui/choose_scheme.ts";

const mail = {
  subject: "Your order",
  html: '<p>Hello</p><a href="https://example.com/leave">Leave</a>',
  text: "Hello",
  variables: ["unsubscribe_url"],
  missing: [] as string[],
  warnings: [] as string[],
};

/** Returns the advice of a mail that differs from a good one. */
function advise(changes: Partial<typeof mail>): (string | null)[] {
  return checkTemplate({ ...mail, ...changes }, { hasCustomer: true })
    .filter(({ isFine }) => !isFine)
    .map(({ remedy }) => remedy);
}

Deno.test("a good mail has no advice", () => {
  assert.deepEqual(advise({}), []);
});

Deno.test("checks find a missing link to unsubscribe, once", () => {
  const warnings = ["Marketing sends cannot use it: the body has neither unsubscribe_url nor …"];
  assert.equal(advise({ variables: [], warnings }).length, 1);
  const misspelled = 'Variable "unsubscribe" is always empty: did you mean "unsubscribe_url"?';
  assert.deepEqual(advise({ warnings: [misspelled] }), [misspelled]);
});

Deno.test("checks find images without text, and links that lead nowhere", () => {
  assert.match(advise({ html: "<img src=x><img src=y alt=''>" })[0] ?? "", /^1 of 2 have no alt/);
  const html = '<a href="#">a</a><a href="">b</a><a href="www.example.com">c</a>' +
    '<a href="mailto:a@example.com">d</a><a href="https://example.com">e</a>';
  assert.deepEqual(advise({ html }), [
    "2 of 5 have an empty address. Not a complete address: www.example.com",
  ]);
});

Deno.test("checks find long subjects, large mails and missing variables", () => {
  assert.equal(advise({ subject: "a".repeat(61) }).length, 1);
  assert.match(advise({ html: "é".repeat(60 * 1024) })[0] ?? "", /Gmail/);
  assert.deepEqual(advise({ missing: ["customer.first_name"] }), [
    "Empty for this customer: customer.first_name",
  ]);
});

Deno.test("without a customer, only other variables are missing", () => {
  const rendered = { ...mail, missing: ["customer.first_name", "trigger.order"] };
  const remedies = checkTemplate(rendered, { hasCustomer: false }).map(({ remedy }) => remedy);
  assert.deepEqual(remedies.filter((remedy) => remedy !== null), [
    "Empty in this preview: trigger.order",
  ]);
  assert.deepEqual(listCustomerVariables(rendered), ["customer.first_name"]);
});

Deno.test("checks find attributes that no customer has", () => {
  const check = (missing: string[], attributeNames?: string[]) =>
    checkTemplate({ ...mail, missing }, { hasCustomer: false, attributeNames })
      .flatMap(({ remedy }) => remedy ?? []);
  const missing = [
    "customer.attributes.plann",
    "customer.attributes.adress.city",
    "customer.attributes.unicorn",
    "customer.attributes.items.size",
    "customer.attributes",
    "customer.first_name",
  ];
  assert.deepEqual(check(missing, ["address", "items", "plan"]), [
    "No recent customer has customer.attributes.plann. Did you mean customer.attributes.plan?",
    "No recent customer has customer.attributes.adress.city. " +
    "Did you mean customer.attributes.address.city?",
    "No recent customer has customer.attributes.unicorn.",
  ]);
  assert.deepEqual(check(missing), []);
  assert.deepEqual(check(missing, []), []);
});

Deno.test("each misspelled variable is one problem, and no customer fills it in", () => {
  const rendered = {
    ...mail,
    missing: [
      "custmer.first_name",
      "customer.emial",
      "customer.attributes.frist_name",
      "customer.first_name",
    ],
    warnings: [
      'Variable "custmer.first_name" is always empty: did you mean "customer.first_name"?',
      'Variable "customer.emial" is always empty: did you mean "customer.email"?',
    ],
  };
  const attributeNames = ["first_name"];
  const list = (hasCustomer: boolean) =>
    checkTemplate(rendered, { hasCustomer, attributeNames })
      .filter(({ label, isFine }) => !isFine || label.includes("ariable"))
      .map(({ label, remedy }) => [label, remedy]);
  const typos = [
    ["Misspelled variable", rendered.warnings[0]],
    ["Misspelled variable", rendered.warnings[1]],
    [
      "Unknown attribute",
      "No recent customer has customer.attributes.frist_name. " +
      "Did you mean customer.attributes.first_name?",
    ],
  ];
  assert.deepEqual(list(false), typos);
  assert.deepEqual(list(true), [
    ["Variables have a value", "Empty for this customer: customer.first_name"],
    ...typos,
  ]);
  assert.deepEqual(listCustomerVariables(rendered, attributeNames), ["customer.first_name"]);
});

Deno.test("links are listed with their text, or that of their image", () => {
  const html = `<a class="b" href='https://a.example/?x=1&amp;y=2'><b>Buy</b> now</a>` +
    '<a href="https://b.example"><img src="x" alt="Logo"></a>';
  assert.deepEqual(listLinks(html), [
    { href: "https://a.example/?x=1&y=2", text: "Buy now" },
    { href: "https://b.example", text: "Logo" },
  ]);
});

Deno.test("a difference shows changed lines with three lines around them", () => {
  const before = Array.from({ length: 20 }, (_, n) => `line ${n}`).join("\n");
  const after = before.replace("line 10", "another");
  assert.deepEqual(
    compareLines(before, after).map(({ kind, text }) => `${kind} ${text}`),
    [
      "skipped 7 lines are the same",
      "same line 7",
      "same line 8",
      "same line 9",
      "removed line 10",
      "added another",
      "same line 11",
      "same line 12",
      "same line 13",
      "skipped 6 lines are the same",
    ],
  );
});

Deno.test("styles for a scheme apply to the chosen one, not to that of the page", () => {
  const css = "@media screen and (prefers-color-scheme:dark){a{}}" +
    "@media (prefers-color-scheme: light){b{}}";
  assert.equal(
    chooseScheme(css, "dark"),
    "@media screen and (min-width: 0){a{}}@media (max-width: 0){b{}}",
  );
});
