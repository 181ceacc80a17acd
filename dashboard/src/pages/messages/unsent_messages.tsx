import { Anchor, Group, Text } from "@mantine/core";
import { useReadList } from "../../api/use_api.ts";
import { formatCount } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useMessageQuery } from "./message_filters.tsx";

/** The states of messages that destinations count, as they stand in the page's address. */
const unsent = [
  { state: "waiting,retrying,held", count: "pending", text: "waiting" },
  { state: "missed", count: "missed", text: "missed" },
] as const;

/** Reserved until the numbers are there, so that the list stays in place. */
const height = 22;

/** Counts the messages that are not sent, at the chosen destination or at all. Each number shows them. */
export function UnsentMessages() {
  const { filters, setFilters } = useFilters();
  const { rows, isRead } = useReadList("GET /destinations", {});
  const { customer_id, event_type, since, until } = useMessageQuery().query;
  // Destinations count their messages of every type, customer and time.
  if (customer_id ?? event_type ?? since ?? until) return null;
  const chosen = rows.filter(({ id }) => id === (filters.destination_id ?? id));
  return (
    <Group gap="md" mb="sm" mih={height}>
      {isRead && unsent.map(({ state, count, text }) => {
        const messages = chosen.reduce((sum, { health }) => sum + health[count], 0);
        const label = `${formatCount(messages)} ${text}`;
        return (
          <Text key={state} size="sm" c={messages === 0 ? "dimmed" : undefined}>
            {messages === 0 || filters.state === state ? label : (
              <Anchor
                component="button"
                type="button"
                inherit
                underline="always"
                onClick={() => setFilters({ state })}
              >
                {label}
              </Anchor>
            )}
          </Text>
        );
      })}
    </Group>
  );
}
