import { Text } from "@mantine/core";
import type { Usage } from "../../api/types.ts";
import { useWorkspace } from "../../workspace.ts";

export function PlanQuotas(_props: { usage: Usage | undefined; interval: "hour" | "day" }) {
  return <Text size="sm">{useWorkspace().plan}</Text>;
}
