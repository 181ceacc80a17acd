import { Badge, Group, Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { isDue } from "../../format/time.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { describeState } from "./describe_state.ts";

/** The state of a message at its destination, and when it is sent next. */
export function StateBadge({ message }: { message: Message }) {
  const { label, color, note, nextAt } = describeState(message);
  return (
    <Group gap={6}>
      <Badge color={color}>{label}</Badge>
      {note && (
        <Text size="xs" c="dimmed" component="div">
          {note} {nextAt && (isDue(nextAt) ? "due now" : <TimeAgo time={nextAt} />)}
        </Text>
      )}
    </Group>
  );
}
