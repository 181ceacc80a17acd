import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";
import { readHealth } from "./destination_health.ts";

export function HealthBadge({ destination }: { destination: Destination }) {
  const { label, color } = readHealth(destination);
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}
