import { Badge } from "@mantine/core";
import { CheckIcon, XIcon } from "@primer/octicons-react";
import type { Delivery } from "../../api/types.ts";

export function OutcomeBadge({ ok, status_code, error }: Delivery) {
  const text = status_code ?? error?.replaceAll("_", " ") ?? "failed";
  return (
    <Badge
      color={ok ? "green" : "red"}
      leftSection={ok ? <CheckIcon size={12} /> : <XIcon size={12} />}
    >
      {ok ? `Delivered ${status_code ?? ""}` : `Failed ${text}`}
    </Badge>
  );
}

const TRIGGERS: Record<Delivery["trigger"], string> = {
  event: "First attempt",
  retry: "Automatic retry",
  replay: "Replay",
  test: "Test ping",
};

export function triggerLabel(trigger: Delivery["trigger"]): string {
  return TRIGGERS[trigger];
}
