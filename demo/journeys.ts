import { callApi } from "./call_api.ts";
import type { RunningStack } from "./running_stack.ts";

/** Figures of a journey as the API returns them, with its name. */
export interface JourneyFigures {
  name: string;
  entered: number;
  active: number;
  reached_goal: number;
  exited: Record<string, number>;
  steps: StepFigures[];
}

/** Figures of one step. */
export interface StepFigures {
  step: string;
  kind: string | null;
  came: number;
  waiting: number;
  ways: Record<string, number>;
  skipped: Record<string, number>;
  reached_goal: number;
  sent: number;
  failed: number;
  unknown: number;
}

/** The campaign as the API returns it. */
export interface CampaignFigures {
  name: string;
  state: string;
  recipients: number | null;
  sent: number;
  failed: number;
  skipped: Record<string, number>;
}

export interface Automation {
  journeys: JourneyFigures[];
  campaign: CampaignFigures;
}

const topic = "demo-news";
const campaignKey = "demo-sale";
const footer = "Not interested? {{ unsubscribe_url }}";

/** The templates of the demo by key. */
const templates: Readonly<Record<string, { subject: string; text: string }>> = {
  "demo-welcome": { subject: "Welcome", text: `Good to see you.\n\n${footer}` },
  "demo-app": { subject: "Shop faster", text: `Put the shop on your home screen.\n\n${footer}` },
  "demo-cart": {
    subject: "Your cart is waiting",
    text: `You left something in cart {{ trigger.cart_id }}.\n\n${footer}`,
  },
  "demo-sale": { subject: "A sale for you", text: `Because you bought before.\n\n${footer}` },
};

const send = (template: string) => ({ send: { template, sender: "inbox", topic } });

/** The journeys of the demo by key. The recording takes seconds, so their waits are short. */
export const demoJourneys: Readonly<Record<string, { name: string; definition: unknown }>> = {
  "demo-welcome": {
    name: "Welcome",
    definition: {
      trigger: { event: "account_page" },
      start: "hello",
      steps: {
        hello: { ...send("demo-welcome"), next: "pause" },
        pause: { wait: { for: "10s" }, next: "device" },
        device: {
          branch: [{ when: { field: "trigger.platform", op: "eq", value: "mobile" }, next: "app" }],
          else: "end",
        },
        app: { ...send("demo-app"), next: "end" },
        end: { exit: {} },
      },
    },
  },
  "demo-cart": {
    name: "Abandoned cart",
    definition: {
      trigger: { event: "add_to_cart" },
      entry: { key: "trigger.cart_id" },
      goal: {
        event: "purchase",
        match: [{ property: "cart_id", same_as: "trigger.cart_id" }],
        within: "1d",
      },
      start: "pause",
      steps: {
        pause: { wait: { for: "10s" }, next: "reminder" },
        reminder: { ...send("demo-cart"), next: "end" },
        end: { exit: {} },
      },
    },
  },
};

const patienceMs = 120_000;
const pollMs = 500;

/** Creates or replaces what the journeys and the campaign name, and the drafts of the journeys. */
export async function setUpDrafts(stack: RunningStack): Promise<void> {
  const put = (path: string, body: unknown) => callApi(stack, { method: "PUT", path, body });
  await put(`/topics/${topic}`, { name: "News of the shop", default: "subscribed" });
  for (const [key, contents] of Object.entries(templates)) {
    await put(`/templates/${key}`, { name: contents.subject, ...contents });
  }
  for (const [key, journey] of Object.entries(demoJourneys)) {
    await put(`/journeys/${key}`, journey);
  }
}

/** Creates the journeys and publishes those that were never published. */
export async function setUpJourneys(stack: RunningStack): Promise<void> {
  await setUpDrafts(stack);
  for (const key of Object.keys(demoJourneys)) {
    const path = `/journeys/${key}`;
    const { version } = await callApi<{ version: number | null }>(stack, { path });
    if (version === null) {
      await callApi(stack, { method: "POST", path: `${path}/publish`, body: {} });
    }
  }
}

/** Sends the campaign to those who bought twice, unless that was done before. */
export async function startCampaign(stack: RunningStack): Promise<void> {
  const { data } = await callApi<{ data: { key: string | null; state: string }[] }>(stack, {
    path: "/campaigns?limit=200",
  });
  const known = data.find(({ key }) => key === campaignKey);
  if (known === undefined) {
    await callApi(stack, {
      method: "POST",
      path: "/campaigns",
      body: {
        key: campaignKey,
        name: "Sale",
        segment: "demo-buyers",
        template: "demo-sale",
        sender: "inbox",
        topic,
      },
    });
  }
  if (known === undefined || known.state === "draft") {
    await callApi(stack, { method: "POST", path: `/campaigns/${campaignKey}/send`, body: {} });
  }
}

/** Waits until every run has ended and every mail has an outcome; returns the figures. */
export async function watchJourneys(stack: RunningStack): Promise<Automation> {
  for (const giveUpAt = Date.now() + patienceMs;;) {
    const automation = await readAutomation(stack);
    const { journeys, campaign } = automation;
    if (campaign.state === "completed" && journeys.every(isOver)) return automation;
    if (Date.now() > giveUpAt) {
      throw new Error("Cannot show the journeys: they do not come to rest");
    }
    await new Promise((go) => setTimeout(go, pollMs));
  }
}

async function readAutomation(stack: RunningStack): Promise<Automation> {
  const journeys = await Promise.all(
    Object.keys(demoJourneys).map((key) => readFigures(stack, key)),
  );
  return { journeys, campaign: await callApi(stack, { path: `/campaigns/${campaignKey}` }) };
}

/** Reads the figures of a journey of the demo. */
export async function readFigures(stack: RunningStack, key: string): Promise<JourneyFigures> {
  const figures = await callApi<JourneyFigures>(stack, { path: `/journeys/${key}/stats` });
  return { ...figures, name: demoJourneys[key]!.name };
}

/** Returns true if all who entered have left, and every mail has an outcome. */
export function isOver({ entered, active, exited, steps }: JourneyFigures): boolean {
  return active === 0 && entered === sum(exited) && steps.every((step) => {
    if (step.kind !== "send") return true;
    const handled = step.sent + step.failed + step.unknown + sum(step.skipped);
    return handled === (step.ways.next ?? 0);
  });
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}
