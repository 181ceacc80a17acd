import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";

export interface HealthState {
  label: string;
  color: string;
  /** True if someone should check it. */
  needsAttention: boolean;
}

const disabledByHand = "Disabled by a member";

/** Summarizes the health of a destination. */
export function readHealth({ enabled, disabled_reason, health }: Destination): HealthState {
  if (!enabled) {
    const byHand = disabled_reason === disabledByHand;
    return {
      label: byHand ? "Disabled" : "Disabled by failures",
      color: byHand ? "gray" : "red",
      needsAttention: !byHand,
    };
  }
  const { last_success_at, last_failure_at, failed_24h } = health;
  if (!last_success_at && !last_failure_at) {
    return { label: "Nothing sent yet", color: "gray", needsAttention: false };
  }
  const failsNow = (last_failure_at ?? "") > (last_success_at ?? "");
  if (failsNow) return { label: "Failing", color: "red", needsAttention: true };
  if (failed_24h > 0) return { label: "Recovered", color: "yellow", needsAttention: false };
  return { label: "Healthy", color: "green", needsAttention: false };
}

export function HealthBadge({ destination }: { destination: Destination }) {
  const { label, color } = readHealth(destination);
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}
