import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Source } from "../../api/types.ts";

export function SourceHealth({ source }: { source: Source }) {
  const { label, color } = describe(source);
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}

function describe({ enabled, has_secret, health }: Source): { label: string; color: string } {
  if (!enabled) return { label: "Disabled", color: "gray" };
  if (!has_secret) return { label: "Needs its secret", color: "orange" };
  if (!health.last_received_at) return { label: "Nothing received yet", color: "gray" };
  if (health.refused_24h > 0) return { label: "Refuses requests", color: "red" };
  if (health.rejected_24h > 0) return { label: "Rejects entries", color: "yellow" };
  return { label: "Healthy", color: "green" };
}
