import { Badge, Group, Text, type TextProps } from "@mantine/core";
import type { SendSummary } from "../../api/types.ts";
import { describeSend, explainReason, purposeLabels } from "./describe_send.ts";

/** The outcome of a send. */
export function SendBadge({ send }: { send: SendSummary }) {
  const { label, color } = describeSend(send);
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge color={color}>{label}</Badge>
      <PurposeBadge send={send} />
    </Group>
  );
}

/** Names the purpose of an email; shows nothing for a message to a customer. */
export function PurposeBadge({ send }: { send: SendSummary }) {
  const purpose = purposeLabels[send.purpose];
  return purpose !== null && <Badge color="gray">{purpose}</Badge>;
}

/** The reason of a send that was not sent, failed or waits; nothing for the others. */
export function SendReason({ send, ...props }: { send: SendSummary } & TextProps) {
  if (send.reason === null) return null;
  return (
    <Text size="xs" c="dimmed" lineClamp={2} {...props}>
      {explainReason(send.reason, send.state)}
    </Text>
  );
}
