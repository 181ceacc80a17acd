import assert from "node:assert/strict";
import type { z } from "zod";
import { validate } from "../../supabase/functions/_shared/entries/validate.ts";
import type { ErrorDetail } from "../../supabase/functions/_shared/errors/errors.ts";
import { mappingSchema } from "../../supabase/functions/_shared/sources/mapping.ts";
import { mappingTest } from "../../supabase/functions/api/contract/sources.ts";
import { routes } from "../../supabase/functions/api/routes.ts";

const values = [
  5,
  -1,
  1e9,
  "",
  "x",
  "x".repeat(300_000),
  true,
  null,
  [],
  [5],
  [[]],
  {},
  { a: 5 },
  {
    "content-type": 5,
  },
  { value: "" },
  { value: "x".repeat(1001) },
  { value: null },
  { header: "cookie" },
  Array(6).fill("/a"),
  { a: { value: "" } },
];

/** Details that a schema reports for one field, or one within it, with each of `given`. */
function detailsOf(schema: z.ZodObject, given: readonly unknown[]): ErrorDetail[] {
  return [...Object.keys(schema.shape), "unknown"].flatMap((field) => {
    return given.flatMap((value) => {
      const validated = validate(schema, { [field]: value });
      return validated.ok ? [] : validated.details;
    });
  });
}

Deno.test("every validation message of the api describes the expected value", () => {
  const texts = values.filter((value) => typeof value === "string");
  const details = [
    ...routes.flatMap(({ query }) => query === undefined ? [] : detailsOf(query, texts)),
    ...routes.flatMap(({ body }) => body === undefined ? [] : detailsOf(body, values)),
    ...detailsOf(mappingSchema, values),
  ];
  for (const { field, message } of details) {
    assert.match(message, /^(?:must |is required$|is unknown)/, `${field}: ${message}`);
  }
});

Deno.test("errors of a mapping and its test are complete", () => {
  const source = 'a JSON Pointer, {"header": …}, {"value": …}, or up to five of them';
  const cases = [
    [{ mapping: 5 }, "mapping", "must be an object that says where values come from"],
    [{ mapping: { nmae: "/x" } }, "mapping.nmae", "is unknown: check its spelling"],
    [{ mapping: { items: 5 } }, "mapping.items", "must be a JSON Pointer"],
    [{ mapping: { name: 5 } }, "mapping.name", `must be ${source}`],
    [{ mapping: { names: [] } }, "mapping.names", "must be an object of event names"],
    [
      { mapping: { properties: { a: 5 } } },
      "mapping.properties",
      `must be a JSON Pointer, or an object whose values are each ${source}`,
    ],
    [{ receipt_id: "x" }, "receipt_id", "must be a UUID"],
    [{ payload: 5 }, "payload", "must be a string"],
    [{ headers: [] }, "headers", "must be an object of headers"],
    [{ headers: { "user-agent": 5 } }, 'headers["user-agent"]', "must be a string"],
    [{ headers: { authorization: "x" } }, "headers.authorization", "is unknown"],
  ] as const;
  for (const [body, field, message] of cases) {
    const validated = validate(mappingTest, { payload: "{}", ...body });
    assert.equal(validated.ok, false);
    const [detail] = validated.ok ? [] : validated.details;
    assert.equal(detail?.field, field);
    assert(detail.message.startsWith(message), detail.message);
  }
});

Deno.test("text of white space only gets an error that says so", () => {
  const list = routes.find(({ operationId }) => operationId === "listDestinations");
  const cases = [
    [" ", "must have a character other than white space"],
    [" \t\u3000\n", "must have a character other than white space"],
    ["", "must be 1 to 200 characters long"],
    [" ".repeat(201), "must be 1 to 200 characters long"],
  ] as const;
  for (const [q, message] of cases) {
    const validated = validate(list!.query!, { q });
    assert.deepEqual(validated.ok ? [] : validated.details, [{ field: "q", message }]);
  }
  assert(validate(list!.query!, { q: " a " }).ok);
});
