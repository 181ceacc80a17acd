import { Anchor, Group, Text, Timeline } from "@mantine/core";
import { CheckIcon, ClockIcon, StopIcon, XIcon } from "@primer/octicons-react";
import type { DeliveryDetail, Message } from "../../api/types.ts";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatDuration } from "../../format/time.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { StateBadge } from "../messages/state_badge.tsx";
import { outcomeText, triggerLabel } from "./outcome_badge.tsx";
import { useMessage } from "./use_message.ts";

const waitingStates: readonly string[] = ["waiting", "retrying", "held"];

/** All attempts of the message, newest first, and the state of the next one. */
export function AttemptTimeline({ delivery }: { delivery: DeliveryDetail }) {
  const { id: workspaceId } = useWorkspace();
  const { attempts } = delivery;
  const latest = attempts[0];
  const { state: message, isRead } = useMessage(delivery);
  const isWaiting = message !== undefined && waitingStates.includes(message.state);
  return (
    <Timeline bulletSize={24} lineWidth={2} active={attempts.length}>
      {isWaiting && (
        <Timeline.Item bullet={<ClockIcon size={12} />} title="Next attempt" lineVariant="dashed">
          <StateBadge message={message} />
        </Timeline.Item>
      )}
      {latest && !latest.ok && isRead && !isWaiting && <End message={message} />}
      {attempts.map((attempt) => (
        <Timeline.Item
          key={attempt.id}
          color={attempt.ok ? "green" : "red"}
          bullet={attempt.ok ? <CheckIcon size={12} /> : <XIcon size={12} />}
          title={attempt.id === delivery.id
            ? <Text span inherit fw={650}>{outcomeText(attempt)}</Text>
            : (
              <Anchor {...linkTo(`/w/${workspaceId}/deliveries/${attempt.id}`)}>
                {outcomeText(attempt)}
              </Anchor>
            )}
        >
          <Group gap={6}>
            <Text size="xs" c="dimmed" component="div">
              {triggerLabel(attempt.trigger)} · <TimeAgo time={attempt.attempted_at} />
              {attempt.duration_ms !== null && ` · ${formatDuration(attempt.duration_ms)}`}
            </Text>
          </Group>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** The end of the attempts of a message that was not delivered. */
function End({ message }: { message: Message | undefined }) {
  const canceledAt = message?.canceled_at ?? null;
  if (canceledAt !== null) {
    return (
      <Timeline.Item bullet={<StopIcon size={12} />} title="Canceled">
        <Text size="xs" c="dimmed" component="div">
          <TimeAgo time={canceledAt} /> · It is not sent again.
        </Text>
      </Timeline.Item>
    );
  }
  return (
    <Timeline.Item bullet={<StopIcon size={12} />} title="No further attempts">
      <Text size="xs" c="dimmed">Resend the message once the receiver works again.</Text>
    </Timeline.Item>
  );
}
