import type { AlertRule } from "../../api/types.ts";
import { countOf, formatWhole } from "../../format/numbers.ts";

export type AlertKind = AlertRule["kind"];

interface KindText {
  label: string;
  /** Names the threshold or its unit; undefined for a kind without one. */
  threshold?: string;
  /** Says more about the threshold. @default that it is a number of the unit */
  note?: string;
  /** The path of the pages of what it watches; undefined for the workspace as a whole. */
  path?: string;
}

const destinations = { path: "destinations" };
const failing = { threshold: "Alert after (minutes)", note: "Minutes of failure before the alert" };

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
    threshold: "Percent of messages in 24 hours",
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
];

/** Says when a rule opens an alert. */
export function describeRule({ kind, threshold, window_minutes }: AlertRule): string {
  const minutes = countOf(threshold, "minute");
  const texts: Record<AlertKind, string> = {
    destination_failing: `for ${minutes}`,
    destination_disabled: "",
    backlog: `of ${countOf(threshold, "message")}`,
    missed_messages: `${formatWhole(threshold)} or more`,
    source_refusing: `${formatWhole(threshold)} or more in ${countOf(window_minutes, "minute")}`,
    sender_failing: `for ${minutes}`,
    complaint_rate: `of ${threshold}% in 24 hours`,
    quota: `${threshold}% used`,
    segment_lag: `by ${minutes}`,
    journey_lag: `by ${minutes}`,
  };
  const separator = kind === "missed_messages" || kind === "source_refusing" ? ": " : " ";
  return [kindTexts[kind].label, texts[kind]].filter(Boolean).join(separator);
}
