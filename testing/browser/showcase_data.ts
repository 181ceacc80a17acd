import type { StackInfo } from "../../local/stack.ts";
import { createSampleApi, readJson, type SampleApi, sendEntries } from "./sample_calls.ts";
import { waitFor } from "./wait_for.ts";

/** Ids of the additional data. */
export interface ShowcaseData {
  /** A campaign that was sent, and that many have opened. */
  campaignId: string;
  /** A message of it that was opened and clicked. */
  sendId: string;
  segmentId: string;
}

const firstNames = ["Mary", "Frances", "Tim", "Radia", "Donald", "Shafi", "Niklaus", "Lynn"];
const lastNames = ["Allen", "Berners", "Conway", "Ericsson", "Goldwasser", "Knuth", "Perlman"];
const countries = ["GB", "DE", "FR", "US", "NL"];
const customers = 120;

const mail =
  `<div style="font-family: Helvetica, Arial, sans-serif; max-width: 480px; margin: auto">
  <p style="color: #5b5bd6; font-weight: bold; letter-spacing: 0.05em">NORTHWIND SHOP</p>
  <h1 style="font-size: 26px; margin: 8px 0">New for winter, {{ customer.first_name }}</h1>
  <p style="line-height: 1.6">Forty new things for cold days. As a customer of our {{ customer.attributes.plan }}
    plan, you see them two days before everyone else.</p>
  <p><a href="https://shop.example.com/winter" style="background: #5b5bd6; border-radius: 6px; color: #ffffff;
    display: inline-block; padding: 12px 22px; text-decoration: none">See the collection</a></p>
  <p style="color: #666; font-size: 12px; margin-top: 32px">
    <a href="{{ preferences_url }}">Choose your mails</a> or <a href="{{ unsubscribe_url }}">unsubscribe</a>.</p>
</div>`;

/**
 * Adds to the sample what a picture needs: a shop's customers with orders, a segment of them, and
 * a campaign that some have opened.
 */
export async function addShowcase(info: StackInfo): Promise<ShowcaseData> {
  const api = createSampleApi(info);
  await sendEntries(info, listPeople());
  const segmentId = await addSegment(api);
  const campaignId = await sendCampaign(api);
  const sendId = await readMails(info, { api, campaignId });
  return { campaignId, sendId, segmentId };
}

/** Customers, each with what they did in the last days: most look, fewer buy. */
function listPeople(): object[] {
  return Array.from({ length: customers }, (_, index) => {
    const external_id = `customer-${100 + index}`;
    const first_name = firstNames[index % firstNames.length]!;
    const last_name = lastNames[index % lastNames.length]!;
    const did = (name: string, minutes: number) => ({
      external_id,
      name,
      occurred_at: new Date(Date.now() - (index * 137 + 60 - minutes) * 60_000).toISOString(),
      properties: { order_id: `B-${2000 + index}`, total: 24.5 + index, currency: "EUR" },
    });
    return [
      {
        type: "identify",
        external_id,
        email: `${first_name}.${last_name}.${index}@example.com`.toLowerCase(),
        first_name,
        last_name,
        country: countries[index % countries.length],
        attributes: { plan: index % 4 === 3 ? "free" : "pro" },
      },
      did("product_viewed", 0),
      ...index % 3 < 2 ? [did("checkout_started", 9)] : [],
      ...index % 5 < 2 ? [did("order_completed", 14)] : [],
      ...index % 7 === 0 ? [{ external_id, name: "signed_up" }] : [],
    ];
  }).flat();
}

async function addSegment(api: SampleApi): Promise<string> {
  const { id } = await api.call("POST /segments", {
    body: {
      key: "pro-shoppers",
      name: "Pro shoppers, GB and DE",
      condition: {
        all: [
          { field: "attributes.plan", op: "eq", value: "pro" },
          { any: ["GB", "DE"].map((value) => ({ field: "country", op: "eq", value })) },
          { event: "product_viewed", count: { gte: 1 }, within: "30d" },
        ],
      },
    },
  });
  await waitFor(async () => {
    const { members } = await api.call("GET /segments/{id}", { params: { id } });
    return members > 30 ? members : undefined;
  });
  return id;
}

async function sendCampaign(api: SampleApi): Promise<string> {
  await api.call("POST /templates", {
    body: {
      key: "winter",
      name: "Winter collection",
      subject: "New for winter, {{ customer.first_name }}",
      html: mail,
    },
  });
  const { id } = await api.call("POST /campaigns", {
    body: {
      name: "Winter collection",
      segment: "pro-shoppers",
      template: "winter",
      sender: "inbox",
      topic: "offers",
    },
  });
  await api.call("POST /campaigns/{id}/send", { params: { id }, body: {} });
  await waitFor(async () => {
    const { state } = await api.call("GET /campaigns/{id}", { params: { id } });
    return state === "completed" ? state : undefined;
  });
  return id;
}

/** Mails that are read sooner count as read by a program. */
const readingMs = 6_000;

/** Opens two of three mails of the campaign and follows the link in one of three. */
async function readMails(
  { base_url }: StackInfo,
  { api, campaignId }: { api: SampleApi; campaignId: string },
): Promise<string> {
  const { data } = await api.call("GET /sends", {
    query: { campaign_id: campaignId, state: "sent", limit: 200 },
  });
  const mails = `${base_url}/inbox/api/mails`;
  const list = await readJson<{ data: { id: string; send_id: string | null }[] }>(mails);
  await new Promise((resolve) => setTimeout(resolve, readingMs));
  for (const [index, { id }] of data.entries()) {
    const found = list.data.find(({ send_id }) => send_id === id);
    if (!found || index % 3 === 2) continue;
    const { html } = await readJson<{ html: string | null }>(`${mails}/${found.id}`);
    await follow(/src="([^"]+\/o\/[^"]+)"/.exec(html ?? "")?.[1]);
    if (index % 3 === 0) await follow(/href="([^"]+\/c\/[^"]+)"/.exec(html ?? "")?.[1]);
  }
  await waitFor(async () => {
    const stats = await api.call("GET /campaigns/{id}/stats", { params: { id: campaignId } });
    return stats.clicked > 0 ? stats : undefined;
  });
  return data[0]!.id;
}

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36";

async function follow(url: string | undefined): Promise<void> {
  if (url === undefined) throw new Error("Cannot fill the dashboard: the mail has no link");
  const options = { headers: { "user-agent": browser }, redirect: "manual" } as const;
  await (await fetch(url.replaceAll("&amp;", "&"), options)).body?.cancel();
}
