import { Badge, Text } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Sender } from "../../api/types.ts";
import { describeNextStep } from "./describe_next_step.ts";

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

/** The reason for a sender's state and the next step; nothing while all is well. */
export function SenderNote({ sender }: { sender: Sender }) {
  const note = describeNextStep(sender);
  return note && (
    <Text size="xs" c="dimmed" mt={4} maw={340} lineClamp={3} className="balanced">{note}</Text>
  );
}
