import { Anchor, Group, Text, Timeline } from "@mantine/core";
import { CheckIcon, ClockIcon, StopIcon, XIcon } from "@primer/octicons-react";
import type { DeliveryDetail } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatDuration } from "../../format/time.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { StateBadge } from "../messages/state_badge.tsx";
import { outcomeText, triggerLabel } from "./outcome_badge.tsx";

const refreshMs = 5_000;
const waitingStates: readonly string[] = ["waiting", "retrying", "held"];

/** All attempts of the message, newest first, and the state of the next one. */
export function AttemptTimeline({ delivery }: { delivery: DeliveryDetail }) {
  const { id: workspaceId } = useWorkspace();
  const { attempts } = delivery;
  const latest = attempts[0];
  const message = useApiItem("GET /messages/{id}", { params: { id: delivery.message_id } }, {
    enabled: delivery.message !== null,
    refetchInterval: refreshMs,
  }).data?.destinations.find((each) => each.destination_id === delivery.destination_id);
  const isWaiting = message !== undefined && waitingStates.includes(message.state);
  return (
    <Timeline bulletSize={24} lineWidth={2} active={attempts.length}>
      {isWaiting && (
        <Timeline.Item bullet={<ClockIcon size={12} />} title="Next attempt" lineVariant="dashed">
          <StateBadge message={message} />
        </Timeline.Item>
      )}
      {latest && !latest.ok && !isWaiting && (
        <Timeline.Item bullet={<StopIcon size={12} />} title="No further attempts">
          <Text size="xs" c="dimmed">Resend the message once the receiver works again.</Text>
        </Timeline.Item>
      )}
      {attempts.map((attempt) => (
        <Timeline.Item
          key={attempt.id}
          color={attempt.ok ? "green" : "red"}
          bullet={attempt.ok ? <CheckIcon size={12} /> : <XIcon size={12} />}
          title={attempt.id === delivery.id
            ? <b>{outcomeText(attempt)}</b>
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
