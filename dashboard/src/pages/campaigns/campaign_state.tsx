import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Campaign, Sender } from "../../api/types.ts";
import { describeTrouble } from "./campaign_sender.ts";

export const stateLabels: Record<Campaign["state"], string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
  completed: "Completed",
  cancelled: "Cancelled",
};

const colors: Record<Campaign["state"], string> = {
  draft: "gray",
  scheduled: "blue",
  sending: "teal",
  paused: "yellow",
  completed: "green",
  cancelled: "gray",
};

interface StateProps {
  state: Campaign["state"];
  /** The campaign's sender; undefined until it is read. */
  sender: Sender | undefined;
}

/** The state of a campaign in a word. It is stalled while it should send and its sender does not. */
export function CampaignState({ state, sender }: StateProps) {
  const isStalled = state === "sending" && sender !== undefined && describeTrouble(sender) !== null;
  return (
    <Badge color={isStalled ? "yellow" : colors[state]} leftSection={<DotFillIcon size={12} />}>
      {isStalled ? "Stalled" : stateLabels[state]}
    </Badge>
  );
}
