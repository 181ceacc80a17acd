import type { Destination } from "../../api/types.ts";

interface HealthText {
  label: string;
  color: string;
}

const disabledTexts: Record<NonNullable<Destination["disabled_by"]>, HealthText> = {
  member: { label: "Disabled", color: "gray" },
  key: { label: "Disabled via API", color: "gray" },
  operator: { label: "Disabled by operator", color: "gray" },
  service: { label: "Disabled after failures", color: "red" },
};

/** Describes the health of a destination. */
export function describeHealth(
  { disabled_by, health }: Pick<Destination, "disabled_by" | "health">,
): HealthText {
  if (disabled_by !== null) return disabledTexts[disabled_by];
  if (health.state === "failing") {
    return { label: health.next_probe_at === null ? "Failing" : "Failing, paused", color: "red" };
  }
  if (health.state === "unused") return { label: "Nothing sent yet", color: "gray" };
  return health.failed_24h > 0
    ? { label: "Recovered", color: "yellow" }
    : { label: "Healthy", color: "green" };
}
