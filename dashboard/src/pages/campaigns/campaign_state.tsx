import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Campaign } from "../../api/types.ts";

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

/** The state of a campaign in a word. */
export function CampaignState({ state }: { state: Campaign["state"] }) {
  return (
    <Badge color={colors[state]} leftSection={<DotFillIcon size={12} />}>
      {stateLabels[state]}
    </Badge>
  );
}
