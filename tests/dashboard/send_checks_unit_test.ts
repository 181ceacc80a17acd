import assert from "node:assert/strict";
import type {
  Campaign,
  Sender,
  SenderDns,
  SendSummary,
  TemplateSummary,
} from "../../dashboard/src/api/types.ts";
import {
  checkBeforeSending,
  type CheckedFacts,
} from "../../dashboard/src/pages/campaigns/send_checks.ts";

const sender = {
  id: "shop",
  name: "Shop",
  enabled: true,
  rate_allowed: null,
  health: { state: "healthy" },
} as Sender;
const campaign = {
  id: "sale",
  topic: "news",
  per_minute: null,
  spread_over: null,
  zone: "workspace",
  winner: null,
} as Campaign;
const template = {
  id: "welcome",
  name: "Welcome",
  strict: false,
  variables: ["customer.first_name"],
  warnings: [] as string[],
} as TemplateSummary;
const test = {
  id: "test",
  purpose: "test",
  state: "sent",
  template: { id: "welcome", version: 1 },
} as SendSummary;

const ready: CheckedFacts = {
  campaign,
  sender,
  dns: undefined,
  templates: [template],
  sends: [test],
  topicName: "News",
  people: 3,
};

/** Lists the warnings with these facts instead of those of a campaign that is ready. */
function warn(facts: Partial<CheckedFacts>): [label: string, fix: unknown][] {
  return checkBeforeSending({ ...ready, ...facts }).filter(({ isFine }) => !isFine)
    .map(({ label, fix }) => [label, typeof fix === "object" ? fix.path : fix]);
}

const withHealth = (state: Sender["health"]["state"]) => ({
  sender: { ...sender, health: { ...sender.health, state } },
});

Deno.test("a campaign that is ready has checks and no warnings", () => {
  assert.deepEqual(checkBeforeSending(ready).map(({ label }) => label), [
    "The sender Shop works",
    "The template Welcome has no warnings",
    "A test email was sent",
    "Only subscribers of News get it",
  ]);
  assert.deepEqual(warn({}), []);
});

Deno.test("a campaign is warned of a sender that fails, is disabled or has sent nothing", () => {
  const fix = "/senders/shop";
  assert.deepEqual(warn(withHealth("failing")), [["The sender Shop is failing", fix]]);
  assert.deepEqual(warn({ sender: { ...sender, enabled: false } }), [
    ["The sender Shop is disabled", fix],
  ]);
  assert.deepEqual(warn(withHealth("unused")), [["The sender Shop has sent nothing yet", "test"]]);
});

Deno.test("a campaign is warned of DNS records that are missing, not of an unknown answer", () => {
  const dnsOf = (state: SenderDns["checks"][number]["state"]): SenderDns => ({
    domain: "example.com",
    ok: state === "ok",
    checks: [{ record: "dmarc", name: "_dmarc", state, found: null, message: "Add a record" }],
  });
  assert.deepEqual(warn({ dns: dnsOf("missing") }), [
    ["Check the DNS of example.com", "/senders/shop"],
  ]);
  assert.deepEqual(warn({ dns: dnsOf("unknown") }), []);
  assert.deepEqual(warn({ dns: dnsOf("ok") }), []);
});

Deno.test("a campaign is warned of variables of its template that are always empty", () => {
  const check = (variables: string[]) => warn({ templates: [{ ...template, variables }] });
  assert.deepEqual(check(["trigger.order"]), [[
    "Check the template Welcome",
    "/templates/welcome",
  ]]);
  assert.deepEqual(check(["triggered"]), []);
});

Deno.test("a campaign is warned until a test email of one of its templates was sent", () => {
  const other = { ...test, template: { id: "other", version: 1 } };
  assert.deepEqual(warn({ sends: [other] }), [["No test email was sent", "test"]]);
  assert.deepEqual(warn({ sends: [{ ...test, state: "queued" }] }), [
    ["The test email waits", "/sends/test"],
  ]);
  assert.deepEqual(warn({ sends: [{ ...test, state: "failed" }] }), [
    ["The test email was not sent", "/sends/test"],
  ]);
  assert.deepEqual(warn({ sends: undefined }), []);
});

Deno.test("a campaign is warned that without a topic, people who unsubscribed get it too", () => {
  assert.deepEqual(warn({ campaign: { ...campaign, topic: null }, topicName: null }), [
    ["People who unsubscribed get it too", "/campaigns/sale/edit"],
  ]);
});

Deno.test("the checks say how long a campaign takes if something limits it", () => {
  const limited = { ...campaign, per_minute: 6 };
  const last = checkBeforeSending({ ...ready, campaign: limited, people: 38 }).at(-1);
  assert.deepEqual(last?.notes, ["About 6 min at this campaign’s rate"]);
});
