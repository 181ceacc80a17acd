import { Badge } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Sender } from "../../api/types.ts";

const labels: Record<Sender["health"]["state"], [label: string, color: string]> = {
  healthy: ["Healthy", "green"],
  failing: ["Failing", "red"],
  disabled: ["Disabled", "gray"],
  unused: ["Nothing sent yet", "gray"],
};

/** The health of a sender in a word. */
export function SenderHealth({ sender }: { sender: Sender }) {
  const [label, color] = labels[sender.health.state];
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}

/** Meaning of each limit. */
const limits: Record<string, string> = {
  stopped: "All sends of this workspace were stopped by an operator.",
  disabled: "This sender is disabled. Enable it to send what is waiting.",
  breaker: "The provider failed several times in a row, so single messages are tried until one " +
    "succeeds.",
  provider: "The provider asked for a pause.",
  concurrency: "As many messages are on their way as this sender allows at once.",
  rate: "The sender’s own limit of messages per second is reached.",
  dispatch: "Messages are due now and will be sent in a moment.",
  schedule: "All waiting messages are due later.",
};

/** Says what holds the waiting messages of a sender back. */
export function describeLimit(limitedBy: string | null): string {
  if (limitedBy === null) return "Nothing: no message is waiting.";
  return limits[limitedBy] ?? limitedBy;
}
