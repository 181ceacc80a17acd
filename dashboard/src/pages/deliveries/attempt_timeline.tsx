import { Anchor, Group, Text, Timeline } from "@mantine/core";
import { CheckIcon, ClockIcon, StopIcon, XIcon } from "@primer/octicons-react";
import type { DeliveryDetail } from "../../api/types.ts";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatDuration, isPast } from "../../format/time.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { outcomeText, triggerLabel } from "./outcome_badge.tsx";

/** All attempts of the message, newest first, and the time of the next one. */
export function AttemptTimeline({ delivery }: { delivery: DeliveryDetail }) {
  const { id: workspaceId } = useWorkspace();
  const { attempts } = delivery;
  const latest = attempts[0];
  const next = latest?.next_attempt_at;
  return (
    <Timeline bulletSize={24} lineWidth={2} active={attempts.length}>
      {next && (
        <Timeline.Item bullet={<ClockIcon size={12} />} title="Next attempt" lineVariant="dashed">
          <Text size="xs" c="dimmed" component="div">
            {isPast(next) ? "Due now" : <TimeAgo time={next} />}
          </Text>
        </Timeline.Item>
      )}
      {latest && !latest.ok && !next && (
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
