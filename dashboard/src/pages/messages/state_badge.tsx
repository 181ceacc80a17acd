import { Badge, Group, Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { isDue } from "../../format/time.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { describeState } from "./describe_state.ts";

interface StateBadgeProps {
  message: Message;
  /** Shortens the note for a row, which shows it in another place on a phone. */
  isShort?: boolean;
}

/** The state of a message at its destination, and when it is sent next. */
export function StateBadge({ message, isShort = false }: StateBadgeProps) {
  const { label, color, note } = describeState(message);
  return (
    <Group gap={6}>
      <Badge color={color}>{label}</Badge>
      {note && (
        <Text size="xs" c="dimmed" component="div" {...isShort && { visibleFrom: "sm" }}>
          <StateNote message={message} isShort={isShort} />
        </Text>
      )}
    </Group>
  );
}

/** The reason for the state of a message, or its next step; nothing if the label says it all. */
export function StateNote({ message, isShort = false }: StateBadgeProps) {
  const { note, shortNote, nextAt } = describeState(message);
  if (isShort && shortNote) return shortNote;
  return note && (
    <>
      {note} {nextAt && (isDue(nextAt) ? "due now" : <TimeAgo time={nextAt} />)}
    </>
  );
}
