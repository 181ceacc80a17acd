import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Journey } from "../../api/types.ts";

const colors: Readonly<Record<Journey["state"], string>> = {
  draft: "gray",
  running: "teal",
  paused: "yellow",
  draining: "orange",
  stopped: "red",
};

/** Names of the states of a journey. */
export const stateLabels: Readonly<Record<Journey["state"], string>> = {
  draft: "Draft",
  running: "Running",
  paused: "Paused",
  draining: "Draining",
  stopped: "Stopped",
};

/** The state of a journey in a word. */
export function JourneyState({ state }: { state: Journey["state"] }) {
  return (
    <Badge color={colors[state]} leftSection={<DotFillIcon size={12} />}>
      {stateLabels[state]}
    </Badge>
  );
}
