import type { ApiResponse } from "../../api/api_client.ts";
import type { Alert, Campaign, Destination, Sender } from "../../api/types.ts";
import { countRejected, mostCounted } from "../../api/use_unresolved.ts";
import { countOf, formatCount } from "../../format/numbers.ts";
import { describeBacklog } from "../destinations/describe_backlog.ts";
import { describeHealth } from "../destinations/destination_health.ts";
import { listReasons } from "../rejected/list_reasons.ts";

/** Something that waits for a person. */
export interface Problem {
  key: string;
  title: string;
  note: string;
  /** Time of the last failure. */
  failedAt?: string | null;
  /** The state in a word; a sender has its own badge. */
  badge: { label: string; color: string } | { sender: Sender };
  /** Below the workspace. */
  path: string;
  search?: Record<string, string>;
}

type RejectedReasons = ApiResponse<"GET /rejected-entries/reasons">;

/** The data in which problems are found. */
export interface Findings {
  destinations: readonly Destination[];
  senders: readonly Sender[];
  /** Those that are being sent. */
  campaigns: readonly Campaign[];
  /** The newest open ones. */
  alerts: readonly Alert[];
  rejected: RejectedReasons | undefined;
}

/** Ranks problems: the lower, the higher in the list. */
const ranks = { failingWithWaiting: 0, failing: 1, disabledWithMissed: 2, rejected: 3, other: 4 };

type Ranked = Problem & { rank: number };

/** Lists what needs attention, the most severe first. An open alert is a part of its target's row. */
export function listProblems(findings: Findings): Problem[] {
  const { destinations, senders, campaigns, alerts, rejected } = findings;
  const shown = new Set([...destinations, ...senders].map(({ id }) => id));
  const alertsOf = (id: string) => alerts.filter(({ target }) => target?.id === id);
  return [
    ...destinations.flatMap((each) => ofDestination(each, alertsOf(each.id))),
    ...senders.flatMap((each) =>
      ofSender(each, {
        alerts: alertsOf(each.id),
        campaigns: campaigns.filter(({ sender }) => sender === each.id),
      })
    ),
    ...ofRejected(rejected),
    ...ofAlerts(alerts.filter(({ target }) => target === null || !shown.has(target.id)), alerts),
  ].toSorted((a, b) => a.rank - b.rank);
}

function ofDestination(destination: Destination, alerts: readonly Alert[]): Ranked[] {
  const { id, name, enabled, health } = destination;
  const isFailing = enabled && (health.state === "failing" || health.next_probe_at !== null);
  // The service disabled it: nobody decided that.
  const isGivenUp = !enabled && health.state === "failing";
  if (!isFailing && !isGivenUp && health.missed === 0 && alerts.length === 0) return [];
  return [{
    rank: rankOf({
      isFailing,
      isWaiting: health.pending > 0,
      isDisabled: !enabled && health.missed > 0,
    }),
    key: id,
    title: name,
    note: joinNotes(describeBacklog([destination]), alerts),
    failedAt: health.last_failure_at,
    badge: describeHealth(destination),
    path: `/destinations/${id}`,
  }];
}

interface SenderFindings {
  alerts: readonly Alert[];
  /** Those that are being sent with it. */
  campaigns: readonly Campaign[];
}

function ofSender(sender: Sender, { alerts, campaigns }: SenderFindings): Ranked[] {
  const { id, name, disabled_by, health: { state, pending, last_failure_at } } = sender;
  const isFailing = state === "failing";
  const isDisabled = state === "disabled";
  const isHolding = isDisabled &&
    (pending > 0 || campaigns.length > 0 || disabled_by === "service" ||
      disabled_by === "operator");
  if (!isFailing && !isHolding && alerts.length === 0) return [];
  const isWaiting = pending > 0 || campaigns.length > 0;
  const rank = rankOf({ isFailing, isWaiting, isDisabled: isDisabled && isWaiting });
  const waiting = pending > 0 ? `${formatCount(pending)} waiting` : "None waiting";
  const held = isFailing || isHolding ? campaigns : [];
  return [
    {
      rank,
      key: id,
      title: name,
      note: joinNotes(waiting, alerts),
      failedAt: last_failure_at,
      badge: { sender },
      path: `/senders/${id}`,
    },
    ...held.map((campaign) => ({
      rank,
      key: campaign.id,
      title: campaign.name,
      note: `Its sender “${name}” ${isFailing ? "is failing" : "is disabled"}`,
      badge: { label: "Not sending", color: "orange" },
      path: `/campaigns/${campaign.id}`,
    })),
  ];
}

function ofRejected(rejected: RejectedReasons | undefined): Ranked[] {
  const mostFrequent = rejected?.data[0];
  if (rejected === undefined || mostFrequent === undefined) return [];
  return [{
    rank: ranks.rejected,
    key: "rejected",
    title: "Rejected entries",
    note: listReasons(mostFrequent.reason).join("; "),
    badge: { label: `${countRejected(rejected)} in 24 h`, color: "yellow" },
    path: "/rejected",
  }];
}

/** The alerts whose target has no row, in one row. */
function ofAlerts(others: readonly Alert[], all: readonly Alert[]): Ranked[] {
  const newest = others[0];
  if (newest === undefined) return [];
  return [{
    rank: ranks.other,
    key: "alerts",
    title: "Open alerts",
    note: newest.message,
    badge: {
      label: `${others.length}${all.length > mostCounted ? "+" : ""} open`,
      color: "red",
    },
    path: "/alerts",
    search: { state: "open" },
  }];
}

interface Severity {
  isFailing: boolean;
  isWaiting: boolean;
  isDisabled: boolean;
}

function rankOf({ isFailing, isWaiting, isDisabled }: Severity): number {
  if (isFailing) return isWaiting ? ranks.failingWithWaiting : ranks.failing;
  return isDisabled ? ranks.disabledWithMissed : ranks.other;
}

/** Adds the rule whose alert is open. */
function joinNotes(note: string, alerts: readonly Alert[]): string {
  const [alert, ...others] = alerts;
  if (alert === undefined) return note;
  const text = others.length === 0
    ? `alert “${alert.rule_name}” is open`
    : `${countOf(alerts.length, "alert")} open`;
  return `${note}, ${text}`;
}
