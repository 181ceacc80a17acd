import type { StackInfo } from "../../local/stack.ts";
import { readJson, type SampleApi, sendEntries } from "./sample_calls.ts";
import { waitFor } from "./wait_for.ts";

/** Ids of what the automation of the sample made. */
export interface AutomationData {
  /** A dynamic segment. */
  ruleId: string;
  offerId: string;
  senderId: string;
  smtpId: string;
  /** A running journey with a customer inside, and their run. */
  journeyId: string;
  runId: string;
  /** A completed campaign, and one that was not sent. */
  campaignId: string;
  draftCampaignId: string;
  /** A message that was sent, its customer, and its mail in the inbox. */
  sendId: string;
  reachedId: string;
  mailId: string;
  /** A message that was not sent, and its customer. */
  skippedId: string;
  suppressedId: string;
  unsubscribeUrl: string;
  preferencesUrl: string;
}

export interface AutomationOptions {
  info: StackInfo;
  api: SampleApi;
  /** Put into every name that somebody else decides. */
  text: string;
}

const reached = "person1@example.com";
const suppressed = "person2@example.com";

/** Adds a journey with a run, a campaign that was sent and what both need. */
export async function addAutomation(options: AutomationOptions): Promise<AutomationData> {
  const { api, info } = options;
  const parts = await addParts(options);
  await addRule(api);
  const journeyId = await addJourney(options);
  const campaigns = await addCampaigns(options);
  await sendEntries(info, [{ external_id: "user-1", name: "signed_up" }]);
  const runId = await waitFor(async () => {
    const { data } = await api.call("GET /journeys/{id}/runs", { params: { id: journeyId } });
    return data.find(({ step }) => step === "pause")?.id;
  });
  await waitFor(async () => {
    const params = { id: campaigns.campaignId };
    const { state } = await api.call("GET /campaigns/{id}", { params });
    return state === "completed" ? state : undefined;
  });
  return { ...parts, journeyId, runId, ...campaigns, ...await readSends(options, campaigns) };
}

/** Segments, a template, topics, senders and suppressions. */
async function addParts({ api, text }: AutomationOptions) {
  const segment = await api.call("POST /segments", {
    body: { key: "regulars", name: `Regulars ${text}`.trim(), kind: "static" },
  });
  await api.call("PUT /segments/{id}/customers", {
    params: { id: segment.id },
    body: { emails: [reached, suppressed, "person8@example.com"] },
  });
  const rule = await api.call("POST /segments", {
    body: {
      key: "pro",
      name: "Pro customers",
      condition: {
        all: [
          { field: "attributes.plan", op: "eq", value: "pro" },
          { any: [{ field: "country", op: "eq", value: "GB" }, { event: "order_created" }] },
        ],
      },
    },
  });
  const template = await api.call("POST /templates", {
    body: {
      key: "offer",
      name: `Offer ${text}`.trim(),
      subject: "Hello {{ customer.first_name }}",
      html: `<h1 style="color: #123456">Hello {{ customer.first_name }}</h1><p>${
        text.replaceAll("<", "&lt;")
      } <a href="{{ unsubscribe_url }}">Unsubscribe</a> <a href="{{ preferences_url }}">Preferences</a></p>`,
    },
  });
  await api.call("POST /topics", {
    body: { key: "offers", name: "Offers", default: "subscribed", description: "Once a month" },
  });
  await api.call("POST /suppressions", { body: { email: suppressed } });
  const { data: senders } = await api.call("GET /senders", {});
  const smtp = await api.call("POST /senders", {
    body: {
      name: "Shop by SMTP",
      provider: "smtp",
      from: "Shop <shop@example.com>",
      config: { host: "smtp.example.com", port: 587, secure: false },
    },
  });
  return {
    ruleId: rule.id,
    offerId: template.id,
    senderId: senders[0]!.id,
    smtpId: smtp.id,
  };
}

/** Publishes a journey that greets, waits and branches. */
async function addJourney({ api, text }: AutomationOptions): Promise<string> {
  const { id } = await api.call("POST /journeys", {
    body: {
      name: `Onboarding ${text}`.trim(),
      definition: {
        trigger: { event: "signed_up" },
        goal: { event: "order_completed", within: "14d" },
        start: "hello",
        steps: {
          hello: { send: { template: "offer", sender: "inbox", topic: "offers" }, next: "pause" },
          pause: { wait: { for: "2d" }, next: "plan" },
          plan: {
            branch: [{ when: { field: "attributes.plan", op: "eq", value: "pro" }, next: "tag" }],
            else: "end",
          },
          tag: { update: { attributes: { onboarded: true } }, next: "end" },
          end: { exit: {} },
        },
      },
    },
  });
  await api.call("POST /journeys/{id}/publish", { params: { id }, body: {} });
  return id;
}

async function addCampaigns({ api, text }: AutomationOptions) {
  const body = { segment: "regulars", template: "offer", sender: "inbox", topic: "offers" };
  const sent = await api.call("POST /campaigns", {
    body: { ...body, name: `Autumn sale ${text}`.trim() },
  });
  const draft = await api.call("POST /campaigns", {
    body: { ...body, name: "Autumn sale, second part" },
  });
  await api.call("POST /campaigns/{id}/send", { params: { id: sent.id }, body: {} });
  return { campaignId: sent.id, draftCampaignId: draft.id };
}

/** The campaign's messages, and the links of one. */
async function readSends(
  { api, info }: AutomationOptions,
  { campaignId }: { campaignId: string },
) {
  const { data } = await api.call("GET /sends", { query: { campaign_id: campaignId } });
  const send = data.find(({ email }) => email === reached);
  const skipped = data.find(({ email }) => email === suppressed);
  if (!send?.customer_id || !skipped?.customer_id) {
    throw new Error("Cannot fill the dashboard: the campaign has no messages");
  }
  const mail = await waitFor(() => findMail(info, send.id));
  const link = (name: string) => new RegExp(`href="([^"]+)">${name}<`).exec(mail.html ?? "")?.[1];
  return {
    sendId: send.id,
    reachedId: send.customer_id,
    skippedId: skipped.id,
    suppressedId: skipped.customer_id,
    mailId: mail.id,
    unsubscribeUrl: link("Unsubscribe") ?? "",
    preferencesUrl: link("Preferences") ?? "",
  };
}

async function findMail({ base_url }: StackInfo, sendId: string) {
  const mails = `${base_url}/inbox/api/mails`;
  const { data } = await readJson<{ data: { id: string; send_id: string | null }[] }>(mails);
  const found = data.find(({ send_id }) => send_id === sendId);
  return found && await readJson<{ id: string; html: string | null }>(`${mails}/${found.id}`);
}

/** An alert rule, which has sent a test notice. */
async function addRule(api: SampleApi): Promise<void> {
  const { id } = await api.call("POST /alert-rules", {
    body: { name: "Warehouse is down", kind: "destination_failing" },
  });
  await api.call("POST /alert-rules/{id}/test", { params: { id } });
}
