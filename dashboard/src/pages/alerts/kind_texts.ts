import type { AlertRule } from "../../api/types.ts";

export type AlertKind = AlertRule["kind"];

interface KindText {
  label: string;
  /** Names the unit of the threshold; undefined for a kind without one. */
  threshold?: string;
}

/** The kinds of alert rules in words. */
export const kindTexts: Record<AlertKind, KindText> = {
  destination_failing: { label: "Destination failing", threshold: "Minutes of failure" },
  destination_disabled: { label: "Destination disabled" },
  backlog: { label: "Backlog", threshold: "Waiting messages" },
  missed_messages: { label: "Missed messages", threshold: "Missed messages" },
  source_refusing: { label: "Source refusing requests", threshold: "Refused requests" },
  sender_failing: { label: "Sender failing", threshold: "Minutes of failure" },
  complaint_rate: { label: "Complaint rate", threshold: "Percent of messages in 24 hours" },
  quota: { label: "Ingest quota", threshold: "Percent of the quota" },
  segment_lag: { label: "Segments behind", threshold: "Minutes behind" },
  journey_lag: { label: "Journey behind", threshold: "Minutes behind" },
};
