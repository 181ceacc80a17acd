import type { Campaign, Sender, SenderDns, SendSummary, TemplateSummary } from "../../api/types.ts";
import { isAboutUnsubscribing } from "../templates/template_checks.ts";
import { describeTrouble } from "./campaign_sender.ts";
import { describeSendingTime, estimateSending } from "./estimate_sending.ts";

/** Something to look at before a campaign is sent. */
export interface SendCheck {
  label: string;
  isFine: boolean;
  /** The problem and its remedy, or more about what is fine. */
  notes: readonly string[];
  /** The page on which it is fixed, below the workspace; the test has a dialog instead. */
  fix?: { label: string; path: string } | "test";
}

/** Facts that the checks look at; undefined until they are read. */
export interface CheckedFacts {
  campaign: Campaign;
  sender: Sender | undefined;
  /** Undefined for a sender without a domain of its own, too. */
  dns: SenderDns | undefined;
  /** Those that the campaign uses. */
  templates: readonly TemplateSummary[];
  /** The newest messages of the campaign. */
  sends: readonly SendSummary[] | undefined;
  /** Null without a topic. */
  topicName: string | null;
  /** The number of people who will get it. */
  people: number | undefined;
}

/** Lists what to look at before a campaign is sent. */
export function checkBeforeSending(facts: CheckedFacts): SendCheck[] {
  const { campaign, sender, dns, templates, sends } = facts;
  return [
    ...sender ? [checkSender(sender)] : [],
    ...sender && dns ? checkDns(sender, dns) : [],
    ...templates.map(checkTemplate),
    ...sends ? [checkTest(sends, templates)] : [],
    checkTopic(campaign, facts.topicName),
    ...checkTime(facts),
  ];
}

function checkSender(sender: Sender): SendCheck {
  const fix = { label: "Open the sender", path: `/senders/${sender.id}` };
  const trouble = describeTrouble(sender);
  if (trouble) {
    return { label: `The sender ${sender.name} ${trouble}`, isFine: false, notes: [], fix };
  }
  if (sender.health.state === "unused") {
    return {
      label: `The sender ${sender.name} has sent nothing yet`,
      isFine: false,
      notes: [],
      fix: "test",
    };
  }
  return { label: `The sender ${sender.name} works`, isFine: true, notes: [] };
}

/** Says nothing where DNS did not answer. */
function checkDns(sender: Sender, { domain, checks }: SenderDns): SendCheck[] {
  const problems = checks.filter(({ state }) => state === "missing" || state === "warning");
  if (problems.length > 0) {
    return [{
      label: `Check the DNS of ${domain}`,
      isFine: false,
      notes: problems.map(({ record, message }) => `${record.toUpperCase()}: ${message}.`),
      fix: { label: "Open the sender", path: `/senders/${sender.id}` },
    }];
  }
  return checks.every(({ state }) => state === "ok")
    ? [{ label: `Nothing is missing in the DNS of ${domain}`, isFine: true, notes: [] }]
    : [];
}

function checkTemplate({ id, name, strict, variables, warnings }: TemplateSummary): SendCheck {
  const absent = variables.filter((path) => path === "trigger" || path.startsWith("trigger."));
  const notes = [
    ...absent.length > 0
      ? [
        `Empty for everybody, because a campaign has no trigger: ${absent.join(", ")}.` +
        (strict ? " The template stops an email if a variable is missing." : ""),
      ]
      : [],
    // The api refuses a campaign with a topic whose template has no such link.
    ...warnings.filter((warning) => !isAboutUnsubscribing(warning)),
  ];
  return notes.length === 0
    ? { label: `The template ${name} has no warnings`, isFine: true, notes }
    : {
      label: `Check the template ${name}`,
      isFine: false,
      notes,
      fix: { label: "Open the template", path: `/templates/${id}` },
    };
}

function checkTest(
  sends: readonly SendSummary[],
  templates: readonly TemplateSummary[],
): SendCheck {
  const test = sends.find(({ purpose, template }) =>
    purpose === "test" && templates.some(({ id }) => id === template?.id)
  );
  if (test === undefined) {
    return { label: "No test email was sent", isFine: false, notes: [], fix: "test" };
  }
  if (test.state === "sent") return { label: "A test email was sent", isFine: true, notes: [] };
  const isWaiting = test.state === "queued" || test.state === "sending";
  return {
    label: isWaiting ? "The test email waits" : "The test email was not sent",
    isFine: false,
    notes: [],
    fix: { label: "Open the test email", path: `/sends/${test.id}` },
  };
}

function checkTopic({ id, topic }: Campaign, topicName: string | null): SendCheck {
  return topic === null
    ? {
      label: "People who unsubscribed get it too",
      isFine: false,
      notes: ["It has no topic, so it is a transactional email."],
      fix: { label: "Choose a topic", path: `/campaigns/${id}/edit` },
    }
    : { label: `Only subscribers of ${topicName} get it`, isFine: true, notes: [] };
}

function checkTime({ campaign, sender, people }: CheckedFacts): SendCheck[] {
  const time = people === undefined ? null : estimateSending(people, { campaign, sender });
  return time === null ? [] : [{
    label: "Sending time",
    isFine: true,
    notes: [describeSendingTime(time)],
  }];
}
