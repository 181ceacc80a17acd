import postgres from "postgres";
import { Webhook } from "standardwebhooks";
import type { StackInfo } from "../../local/stack.ts";
import { type Receiver, startReceiver } from "../receivers/receiver.ts";
import { respond } from "../receivers/receiver_behaviours.ts";
import { createSampleApi, type SampleApi, sendEntries } from "./sample_calls.ts";
import { waitFor } from "./wait_for.ts";

/** Ids of the data on the dashboard's pages. */
export interface DashboardData {
  customerId: string;
  eventId: string;
  destinationId: string;
  deliveryId: string;
  messageId: string;
  /** A disabled destination that missed messages. */
  missedId: string;
  segmentId: string;
  templateId: string;
  sourceId: string;
  receiptId: string;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface DataOptions {
  info: StackInfo;
  /** Put into every name, property, header and response that somebody else decides. */
  text: string;
}

const samplePeople = [
  ["Ada", "Lovelace"],
  ["Grace", "Hopper"],
  ["Alan", "Turing"],
  ["Barbara", "Liskov"],
  ["Edsger", "Dijkstra"],
  ["Katherine", "Johnson"],
  ["Margaret", "Hamilton"],
];

/** Between two events of the sample. */
const paceMs = 37 * 60_000;

const senderSecret = "whsec_" + btoa("0123456789abcdef0123456789abcdef");

/** Fills the demo workspace: people, events, destinations well and ill, a source, rejects. */
export async function fillDashboard({ info, text }: DataOptions): Promise<DashboardData> {
  const api = createSampleApi(info);
  const well = await startReceiver({ behaviour: respond(200, { body: `{"thanks":"${text}"}` }) });
  const ill = await startReceiver({ behaviour: respond(500, { body: `<h1>Error</h1>${text}` }) });
  const addDestination = (name: string, { port }: Receiver, eventTypes: string[]) =>
    api.call("POST /destinations", {
      body: {
        name,
        // Wider than a phone.
        url: `http://127.0.0.1:${port}/hooks/from-signalpost/orders-and-customers`,
        event_types: eventTypes,
        description: text || null,
      },
    });
  await addDestination("Warehouse", well, ["order_*", "customer.*"]);
  const failing = await addDestination(`CRM ${text}`.trim(), ill, ["*"]);
  const missed = await addDestination("Archive", well, ["order_*"]);
  await api.call("PATCH /destinations/{id}", {
    params: { id: missed.id },
    body: { enabled: false },
  });
  const { customer_id, event_id } = await sendEvents(info, text);
  const source = await sendWebhook({ info, text, api });
  const sending = await addSendingData(api, { text, customerId: customer_id });
  await ill.waitForRequests(3);
  const delivery = await waitFor(async () => {
    const query = { destination_id: failing.id, ok: false };
    return (await api.call("GET /deliveries", { query })).data[0];
  });
  await addUpUsage(info);
  return {
    customerId: customer_id,
    eventId: event_id,
    destinationId: failing.id,
    deliveryId: delivery.id,
    messageId: delivery.message_id,
    missedId: missed.id,
    ...sending,
    ...source,
    async [Symbol.asyncDispose]() {
      await Promise.all([well.close(), ill.close()]);
    },
  };
}

async function sendEvents(info: StackInfo, text: string) {
  const people = [...samplePeople, [text, "Byron"]];
  const identifies = people.map(([first_name, last_name], index) => ({
    type: "identify",
    external_id: `user-${index + 1}`,
    anon_id: `visitor-${1000 + index}`,
    email: `person${index + 1}@example.com`,
    first_name: first_name || "Annabella",
    last_name,
    country: "GB",
    attributes: { plan: "pro", note: text || "likes mail" },
  }));
  const names = ["product_viewed", "order_created", "checkout_started", text || "order_completed"];
  const events = Array.from({ length: 40 }, (_, index) => ({
    external_id: `user-${index % people.length + 1}`,
    name: names[index % names.length],
    occurred_at: new Date(Date.now() - index * paceMs).toISOString(),
    properties: { order_id: `A-${1000 + index}`, total: 19.9 + index, note: text || "gift" },
    context: { ip: "203.0.113.7", ua: text || "Mozilla/5.0" },
  }));
  const anonymous = identifies.map(({ anon_id }) => ({ anon_id, name: "page_viewed" }));
  const { results } = await sendEntries(info, [...anonymous, ...identifies, ...events, {
    external_id: "",
    name: text || "nobody",
  }]);
  return results.at(-2);
}

/** A segment with a member, a template, a topic and a suppressed address. */
async function addSendingData(
  api: SampleApi,
  { text, customerId }: { text: string; customerId: string },
) {
  const segment = await api.call("POST /segments", {
    body: { name: `Friends ${text}`.trim(), kind: "static" },
  });
  await api.call("PUT /segments/{id}/customers", {
    params: { id: segment.id },
    body: { customer_ids: [customerId] },
  });
  const template = await api.call("POST /templates", {
    body: { name: `Welcome ${text}`.trim(), subject: "Hello", text: `Hello ${text}` },
  });
  await api.call("POST /topics", {
    body: { key: "newsletter", name: `Newsletter ${text}`.trim(), default: "unsubscribed" },
  });
  await api.call("POST /suppressions", { body: { email: "grace@example.com" } });
  return { segmentId: segment.id, templateId: template.id };
}

/** A source, and a webhook that it took in. */
async function sendWebhook(
  { info, text, api }: DataOptions & { api: SampleApi },
) {
  const source = await api.call("POST /sources", {
    body: {
      name: `Billing ${text}`.trim(),
      scheme: "standard-webhooks",
      secret: senderSecret,
      mapping: { name: "/type", external_id: "/user", properties: "/data" },
    },
  });
  const body = JSON.stringify({ type: "invoice_paid", user: "user-1", data: { note: text } });
  const at = new Date();
  await fetch(`${info.base_url}${source.path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      // A header takes no other characters.
      "user-agent": /^[ -~]+$/.test(text) ? text : "Billing/1.0",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(senderSecret).sign("msg_1", at, body),
    },
    body,
  }).then((response) => response.body?.cancel());
  const receipt = await waitFor(async () => {
    const input = { params: { id: source.id } };
    return (await api.call("GET /sources/{id}/receipts", input)).data[0];
  });
  return { sourceId: source.id, receiptId: receipt.id };
}

/** Adds up usage at once, instead of within ten seconds: from then on, event names are suggested. */
export async function addUpUsage({ db_url }: StackInfo): Promise<void> {
  const sql = postgres(db_url, { max: 1, fetch_types: false });
  await sql`select private.fold_usage()`;
  await sql.end();
}
