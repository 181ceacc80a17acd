import { Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { type Column, RowButton } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { destinationName } from "../deliveries/outcome_badge.tsx";
import { StateBadge } from "./state_badge.tsx";

/** @param show opens the message of a row. */
export function messageColumns(show: (message: Message) => void): Column<Message>[] {
  return [
    {
      label: "Event type",
      cell: (message) => (
        <RowButton onClick={() => show(message)}>
          <Text
            size="sm"
            fw={550}
            lineClamp={2}
            className="break-anywhere"
            miw={{ base: "7rem", sm: "9rem" }}
            dir="auto"
          >
            {message.event_type}
          </Text>
          <Text size="xs" c="dimmed" lineClamp={1} hiddenFrom="sm" dir="auto">
            {destinationName(message)}
          </Text>
        </RowButton>
      ),
    },
    {
      label: "Destination",
      visibleFrom: "sm",
      cell: (message) => (
        <Text size="sm" lineClamp={1} className="break-anywhere" dir="auto">
          {destinationName(message)}
        </Text>
      ),
    },
    { label: "State", cell: (message) => <StateBadge message={message} /> },
    {
      label: "Attempts",
      visibleFrom: "md",
      align: "right",
      cell: ({ attempts }) => <span className="tabular">{attempts}</span>,
    },
    { label: "Created", align: "right", cell: (row) => <TimeAgo time={row.created_at} /> },
  ];
}
