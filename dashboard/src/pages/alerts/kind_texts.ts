import type { AlertRule } from "../../api/types.ts";
import { countOf } from "../../format/numbers.ts";

export type AlertKind = AlertRule["kind"];

interface KindText {
  label: string;
  /** Names the threshold or its unit; undefined for a kind without one. */
  threshold?: string;
  /** The path of the pages of what it watches; undefined for the workspace as a whole. */
  path?: string;
}

const destinations = { path: "destinations" };
const failing = { threshold: "Minutes of failure" };

/** The kinds of alert rules in words. */
export const kindTexts: Record<AlertKind, KindText> = {
  destination_failing: {
    label: "Destination failing",
    ...failing,
    ...destinations,
  },
  destination_disabled: { label: "Destination disabled", ...destinations },
  backlog: { label: "Backlog", threshold: "Waiting messages", ...destinations },
  missed_messages: { label: "Missed messages", threshold: "Missed messages", ...destinations },
  source_refusing: {
    label: "Source refusing requests",
    threshold: "Refused requests",
    path: "sources",
  },
  sender_failing: { label: "Sender failing", ...failing, path: "senders" },
  complaint_rate: {
    label: "Complaint rate",
    threshold: "Percent of emails in 24 hours",
    path: "senders",
  },
  quota: { label: "Ingest quota", threshold: "Percent of the quota" },
  segment_lag: { label: "Segments behind", threshold: "Minutes behind" },
  journey_lag: { label: "Journey behind", threshold: "Minutes behind", path: "journeys" },
};

/** A rule that most workspaces need, to begin with. */
export interface Preset {
  kind: AlertKind;
  name: string;
}

export const presets: readonly Preset[] = [
  { kind: "destination_failing", name: "A destination fails" },
  { kind: "missed_messages", name: "Messages are missed" },
  { kind: "sender_failing", name: "A sender fails" },
  { kind: "quota", name: "The ingest quota is nearly used" },
];

/** Says in a sentence when a rule opens an alert: "Warehouse fails for 5 minutes". */
export function describeRule(rule: AlertRule): string {
  const { kind, threshold, window_minutes, target_id, target_name } = rule;
  const minutes = countOf(threshold, "minute");
  const name = (noun: string) =>
    target_id === null ? `any ${noun}` : target_name === null ? `one ${noun}` : `“${target_name}”`;
  const destination = name("destination");
  const sender = name("sender");
  const texts: Record<AlertKind, string> = {
    destination_failing: `${destination} fails for ${minutes}`,
    destination_disabled: `${destination} is disabled by the service`,
    backlog: `${countOf(threshold, "message waits", "messages wait")} for ${destination}`,
    missed_messages: `${destination} misses ${countOf(threshold, "message")}`,
    source_refusing: `${name("source")} refuses ${countOf(threshold, "request")} within ${
      countOf(window_minutes, "minute")
    }`,
    sender_failing: `${sender} fails for ${minutes}`,
    complaint_rate: `${threshold}% of the emails of ${sender} are reported as spam in 24 hours`,
    quota: `${threshold}% of the ingest quota is used`,
    segment_lag: `segments are ${minutes} behind`,
    journey_lag: `${name("journey")} is ${minutes} behind`,
  };
  const text = texts[kind];
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** Returns whether a destination that subscribes to these event types gets notices of all rules. */
export function getsNotices(eventTypes: readonly string[]): boolean {
  return eventTypes.some((type) =>
    type.endsWith("*") ? "alert.opened".startsWith(type.slice(0, -1)) : type === "alert.opened"
  );
}
