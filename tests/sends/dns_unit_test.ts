import assert from "node:assert/strict";
import { createTextLookup } from "../../supabase/functions/api/kernel/text_lookup.ts";
import { judgeDns } from "../../supabase/functions/api/resources/senders/judge_dns.ts";

const domain = "acme.example";

interface Case {
  spf?: string[] | null;
  dkim?: (string[] | null)[];
  dmarc?: string[] | null;
}

function judge({ spf = [], dkim = [[]], dmarc = [] }: Case) {
  const checks = judgeDns({
    domain,
    provider: "ses",
    spf: { name: domain, texts: spf },
    dkim: dkim.map((texts, n) => ({ name: `s${n}._domainkey.${domain}`, texts })),
    dmarc: { name: `_dmarc.${domain}`, texts: dmarc },
  });
  return checks.map(({ state }) => state);
}

const good = "v=spf1 include:amazonses.com -all";
const cases: [string, Case, string[]][] = [
  ["nothing", {}, ["warning", "missing", "missing"]],
  ["no answer", { spf: null, dkim: [null], dmarc: null }, ["unknown", "unknown", "unknown"]],
  ["all", { spf: [good], dkim: [["v=DKIM1; p=abc"]], dmarc: ["v=DMARC1; p=none"] }, [
    "ok",
    "ok",
    "ok",
  ]],
  ["two policies", { spf: [good, good], dmarc: ["v=DMARC1;p=none", "v=DMARC1;p=none"] }, [
    "missing",
    "missing",
    "missing",
  ]],
  ["anybody may send", { spf: ["v=spf1 +all"] }, ["warning", "missing", "missing"]],
  ["another provider", { spf: ["v=spf1 include:x.example ~all"] }, [
    "warning",
    "missing",
    "missing",
  ]],
  ["a revoked key", { dkim: [["v=DKIM1; p="]] }, ["warning", "missing", "missing"]],
  ["none of the usual selectors", { dkim: [[], []] }, ["warning", "unknown", "missing"]],
  ["the second selector", { dkim: [[], ["p=abc"]] }, ["warning", "ok", "missing"]],
  ["no policy", { dmarc: ["v=DMARC1; rua=mailto:x@y.example"] }, ["warning", "missing", "missing"]],
  ["other records", { spf: ["google-site-verification=1"], dmarc: ["v=DMARC12"] }, [
    "warning",
    "missing",
    "missing",
  ]],
];

for (const [title, found, states] of cases) {
  Deno.test(`judgeDns(): ${title}`, () => assert.deepEqual(judge(found), states));
}

/** Serves DNS over HTTPS with these answers. */
function serveDns(answer: (name: string) => unknown) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    assert.equal(request.headers.get("accept"), "application/dns-json");
    return Response.json(answer(new URL(request.url).searchParams.get("name") ?? ""));
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/dns-query`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const broken = () => Promise.reject(new Error("no resolver"));

Deno.test("createTextLookup() joins the parts of a record, and knows a name without records", async () => {
  const lookUp = createTextLookup({
    resolve: (name) =>
      name === domain
        ? Promise.resolve([["v=spf1 ", "~all"], ["x"]])
        : Promise.reject(new Deno.errors.NotFound()),
  });
  assert.deepEqual(await lookUp(domain), ["v=spf1 ~all", "x"]);
  assert.deepEqual(await lookUp("nothing.example"), []);
});

Deno.test("createTextLookup() asks over HTTPS where the runtime cannot resolve", async () => {
  await using dns = serveDns((name) => {
    if (name === "nothing.example") return { Status: 3 };
    if (name === "broken.example") return { Status: 2 };
    return {
      Status: 0,
      Answer: [
        { type: 5, data: "elsewhere.example." },
        { type: 16, data: '"v=DMARC1; " "p=none; x=\\"y\\""' },
      ],
    };
  });
  const lookUp = createTextLookup({ resolve: broken, resolverUrl: dns.url });
  assert.deepEqual(await lookUp(domain), ['v=DMARC1; p=none; x="y"']);
  assert.deepEqual(await lookUp("nothing.example"), []);
  assert.equal(await lookUp("broken.example"), null);
});

Deno.test("createTextLookup() returns null if nobody answers in time", async () => {
  const lookUp = createTextLookup({
    resolve: () => new Promise(() => {}),
    fetch: () => Promise.reject(new TypeError("no network")),
    timeoutMs: 10,
  });
  assert.equal(await lookUp(domain), null);
});
