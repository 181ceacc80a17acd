import { Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { type Column, RowButton } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { destinationName } from "../deliveries/outcome_badge.tsx";
import { describeState } from "./describe_state.ts";
import { StateBadge, StateNote } from "./state_badge.tsx";

/** @param show opens the message of a row. */
export function messageColumns(show: (message: Message) => void): Column<Message>[] {
  return [
    {
      label: "Event type",
      cell: (message) => (
        <>
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
          </RowButton>
          <ShortText message={message} />
        </>
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
    {
      label: "State",
      cell: (message) => (
        <>
          <StateBadge message={message} isShort />
          <Text size="xs" c="dimmed" component="div" mt={2} hiddenFrom="sm">
            <TimeAgo time={message.created_at} />
          </Text>
        </>
      ),
    },
    {
      label: "Attempts",
      visibleFrom: "lg",
      align: "right",
      cell: ({ attempts }) => <span className="tabular">{attempts}</span>,
    },
    {
      label: "Created",
      align: "right",
      visibleFrom: "sm",
      cell: (row) => <TimeAgo time={row.created_at} />,
    },
  ];
}

/** Text of the other columns in one line, on a phone. The drawer shows all of it. */
function ShortText({ message }: { message: Message }) {
  const { note } = describeState(message);
  return (
    <Text
      size="xs"
      c="dimmed"
      lineClamp={1}
      className="break-everywhere"
      hiddenFrom="sm"
      dir="auto"
    >
      <bdi>{destinationName(message)}</bdi>
      {note && " · "}
      <StateNote message={message} />
    </Text>
  );
}
