import assert from "node:assert/strict";
import { invalidInput } from "../../supabase/functions/_shared/errors/errors.ts";
import { validate } from "../../supabase/functions/_shared/entries/validate.ts";
import { destinationEdit } from "../../supabase/functions/api/contract/destinations.ts";
import { addHeaders, hideValues } from "../../supabase/functions/webhook-dispatch/own_headers.ts";
import type { SendOutcome } from "../../supabase/functions/_shared/outbound/guarded_fetch.ts";

/** Returns what is refused, as "field message"; the text is parsed as a request is. */
function refusalsOf(headers: string): string[] {
  const checked = validate(destinationEdit, JSON.parse(`{ "headers": ${headers} }`));
  if (checked.ok) return [];
  return invalidInput(checked.details).details!.map(({ field, message }) => `${field} ${message}`);
}

const nameRule = "must have a name of 1 to 100 letters, digits and the characters !#$%&'*+-.^_`|~";
const valueRule = "must be 1 to 2000 characters of printable ASCII, without spaces at the ends";
const reservedRule = "must not be set: the service or the connection decides it";

Deno.test("a header's name is a token of at most 100 characters", () => {
  const longest = "x".repeat(100);
  for (const name of ["a", "X-Api-Key", "!#$%&'*+-.^_`|~", longest, "__proto__", "constructor"]) {
    assert.deepEqual(refusalsOf(`{ ${JSON.stringify(name)}: "1" }`), [], name);
  }
  const wrong = ["", " ", "X Key", "X-Key:", "X-Key\r\nHost", "ключ", "X-Ké", "X\0", `${longest}x`];
  for (const name of wrong) {
    const refused = refusalsOf(`{ ${JSON.stringify(name)}: "1" }`);
    assert.equal(refused.length, 1, name);
    assert(refused[0]!.endsWith(nameRule), refused[0]!);
  }
});

Deno.test("a header's value is printable ASCII of at most 2,000 characters", () => {
  for (const value of ["1", "Bearer a b", '"q" \\', "~".repeat(2_000)]) {
    assert.deepEqual(refusalsOf(`{ "X-Key": ${JSON.stringify(value)} }`), []);
  }
  const injections = ["a\r\nwebhook-id: 1", "a\nb", "a\rb", "a\0b", "a\tb", "a\u007fb", "\u0085"];
  const others = ["", " a", "a ", "é", "ａ", "\ud83d", "~".repeat(2_001), 1, true, {}, ["a"]];
  for (const value of [...injections, ...others]) {
    const refused = refusalsOf(`{ "X-Key": ${JSON.stringify(value)} }`);
    assert.deepEqual(refused, [`headers["X-Key"] ${valueRule}`], JSON.stringify(value));
  }
});

Deno.test("headers of the service and of the connection cannot be set, in any case", () => {
  const reserved = [
    "Host",
    "Content-Length",
    "content-TYPE",
    "Content-Encoding",
    "Transfer-Encoding",
    "Connection",
    "Keep-Alive",
    "TE",
    "Trailer",
    "Upgrade",
    "Expect",
    "Proxy-Authorization",
    "User-Agent",
    "Accept-Encoding",
    "Webhook-Id",
    "WEBHOOK-SIGNATURE",
    "webhook-anything",
    "X-Service-Signature",
    "x-service-event",
  ];
  for (const name of reserved) {
    assert.deepEqual(
      refusalsOf(`{ "${name}": "1" }`),
      [`headers["${name}"] ${reservedRule}`]
        .map((text) => /^\w+$/.test(name) ? text.replace(`["${name}"]`, `.${name}`) : text),
    );
  }
  assert.deepEqual(refusalsOf(`{ "Hosts": "1", "X-Webhook-Id": "1", "Authorization": "1" }`), []);
});

Deno.test("a destination takes 20 headers, each name once without regard to case", () => {
  const many = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, "1"])));
  assert.deepEqual(refusalsOf(many(20)), []);
  assert.deepEqual(refusalsOf(many(21)), ["headers must have at most 20 headers"]);
  assert.deepEqual(refusalsOf(`{ "X-Key": "1", "x-key": null }`), [
    'headers["x-key"] must be given once: upper and lower case make no difference',
  ]);
  for (const headers of ["null", "[]", '"X-Key: 1"', "1"]) {
    assert.deepEqual(refusalsOf(headers), ["headers must be an object"]);
  }
});

Deno.test("the service's headers win over a destination's own, in any case", () => {
  const service = { "webhook-id": "msg", "X-Service-Signature": "abc" };
  const own = [["Webhook-ID", "x"], ["x-service-signature", "y"], ["__proto__", "z"]] as const;
  const headers = addHeaders(service, own);
  assert.deepEqual(Object.entries(headers), [["__proto__", "z"], ...Object.entries(service)]);
  assert.equal(addHeaders(service, []), service);
});

Deno.test("a response never shows a header's value, in whole or cut off at its end", () => {
  const own = [["Authorization", 'Bearer s3cret-"token"'], ["X-Env", "prod"]] as const;
  const shown = (text: string) => {
    const { response_snippet, response_headers } = hideValues(own, outcome(text));
    return [response_snippet, response_headers!.echo];
  };
  assert.deepEqual(shown('got Bearer s3cret-"token"!'), ["got …!", "got …!"]);
  assert.deepEqual(shown('{"key":"s3cret-\\"token\\""}'), ['{"key":"…"}', '{"key":"…"}']);
  // Only the body is cut off.
  assert.deepEqual(shown("prod: Bearer s3cret-"), ["prod: …", "prod: Bearer s3cret-"]);
  assert.deepEqual(shown('s3cret-" s3cret-"t'), ['s3cret-" …', 's3cret-" s3cret-"t']);
  assert.deepEqual(shown("Bearer of news"), ["Bearer of news", "Bearer of news"]);
});

function outcome(text: string): SendOutcome {
  return {
    ok: true,
    status_code: 200,
    response_snippet: text,
    response_headers: { echo: text },
    error: null,
    duration_ms: 1,
    retry_after: null,
    is_sent: true,
  };
}
