import { Alert } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { Campaign } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";

const reasons: Readonly<Record<string, string>> = {
  complaint_rate: "too many recipients complained",
  confirmation: "the audience has grown, so you must confirm the number of recipients",
  segment_deleted: "its segment was deleted",
  template_deleted: "its template was deleted: choose another one, then resume",
  sender_deleted: "its sender was deleted: choose another one, then resume",
  topic_deleted: "its topic was deleted: choose another one, then resume",
};

/** Reason why a campaign is paused or cancelled. */
export function StoppedNotice({ campaign }: { campaign: Campaign }) {
  const { state, reason, explanation } = campaign;
  return (
    <Alert
      color="yellow"
      icon={<AlertIcon />}
      title={reason === "requested"
        ? <Requested campaign={campaign} />
        : `It is ${state}, because ${reasons[reason ?? ""] ?? reason}`}
    >
      {explanation}
    </Alert>
  );
}

/** Says who paused or cancelled it, and when, to those who may read the audit log. */
function Requested({ campaign: { id, state } }: { campaign: Campaign }) {
  const verb = state === "paused" ? "Paused" : "Cancelled";
  const action = state === "paused" ? "campaign.pause" : "campaign.cancel";
  const log = useApiItem("GET /audit-log", { query: { entity_id: id, action, limit: 1 } }, {
    enabled: useMay("admin"),
  });
  const entry = log.data?.data[0];
  if (entry === undefined) return verb;
  return (
    <>
      {verb} by <bdi>{entry.actor.name ?? "the service"}</bdi>, <TimeAgo time={entry.created_at} />
    </>
  );
}
