import type { ApiResponse } from "../../api/api_client.ts";
import type { Customer, SendExplanation } from "../../api/types.ts";
import { countOf } from "../../format/numbers.ts";
import { findStepOfCheck, type NextStep } from "../sends/find_next_step.ts";

/** The emails that a customer can get, and the page that settles what stops the others. */
export interface Mailing {
  lines: readonly string[];
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

/** Describes which emails a customer can get: all, only transactional ones, some topics, or none. */
export function describeMailing({ customer, checks, topics }: MailingFacts): Mailing {
  const stop = checks.find(({ ok, subject }) => !ok && stopping.includes(subject));
  if (stop !== undefined) {
    // The customer is open already.
    const step = stop.subject === "address"
      ? null
      : findStepOfCheck(stop, { customer, campaign_id: undefined });
    return { lines: [`No. ${stop.message}.`], step };
  }
  const transactional = "Transactional emails: yes";
  const toTopics = {
    label: "See their topics",
    path: `/customers/${customer.id}`,
    search: { tab: "topics" },
  };
  const subscribed = topics.filter((topic) => topic.subscribed).length;
  if (topics.length === 0) {
    return {
      lines: [transactional, "Marketing emails: no, the workspace has no topics"],
      step: { label: "Open the topics", path: "/topics" },
    };
  }
  if (subscribed === 0) {
    return {
      lines: [transactional, "Marketing emails: no, not subscribed to a topic"],
      step: toTopics,
    };
  }
  return subscribed === topics.length
    ? { lines: ["Yes, transactional and marketing emails"], step: null }
    : {
      lines: [
        transactional,
        `Marketing emails: subscribed to ${subscribed} of ${countOf(topics.length, "topic")}`,
      ],
      step: toTopics,
    };
}
