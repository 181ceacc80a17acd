import type { ApiResponse } from "../../api/api_client.ts";
import type { Customer, SendExplanation } from "../../api/types.ts";
import { findStepOfCheck, type NextStep } from "../sends/find_next_step.ts";

/** The emails that a customer can get, and the page that settles what stops the others. */
export interface Mailing {
  text: string;
  step: NextStep | null;
}

type Check = SendExplanation["checks"][number];
type Topic = ApiResponse<"GET /customers/{id}/topics">["data"][number];

interface MailingFacts {
  customer: Pick<Customer, "id" | "email">;
  checks: readonly Pick<Check, "subject" | "ok" | "message" | "sender_id">[];
  topics: readonly Pick<Topic, "subscribed">[];
}

/** Checks that stop every email to a customer, with any content. */
const stopping: readonly Check["subject"][] = ["stopped", "address", "suppression"];

/** Describes in one line which emails a customer can get: all, only transactional ones, or none. */
export function describeMailing({ customer, checks, topics }: MailingFacts): Mailing {
  const stop = checks.find(({ ok, subject }) => !ok && stopping.includes(subject));
  if (stop !== undefined) {
    // The customer is open already.
    const step = stop.subject === "address"
      ? null
      : findStepOfCheck(stop, { customer, campaign_id: undefined });
    return { text: `No. ${stop.message}.`, step };
  }
  const toTopics = {
    label: "See their topics",
    path: `/customers/${customer.id}`,
    search: { tab: "topics" },
  };
  const subscribed = topics.filter((topic) => topic.subscribed).length;
  if (topics.length === 0) {
    return {
      text: "Transactional: yes. Marketing: no, the workspace has no topics.",
      step: { label: "Open the topics", path: "/topics" },
    };
  }
  if (subscribed === 0) {
    return {
      text: "Transactional: yes. Marketing: no, the address is not subscribed to any topic.",
      step: toTopics,
    };
  }
  return subscribed === topics.length
    ? { text: "Yes, transactional and marketing.", step: null }
    : {
      text: `Transactional: yes. Marketing: yes, about ${subscribed} of ${topics.length} topics.`,
      step: toTopics,
    };
}
