import { Anchor, Text } from "@mantine/core";
import type { Message } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, RowButton } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { destinationName, nameError } from "../deliveries/outcome_badge.tsx";
import { describeState } from "./describe_state.ts";
import { MessageCustomer } from "./message_customer.tsx";
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
      cell: (message) => <Destination message={message} />,
    },
    {
      label: "Customer",
      visibleFrom: "md",
      cell: (message) => <MessageCustomer message={message} />,
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
      label: "Last response",
      visibleFrom: "lg",
      cell: ({ last_attempt }) => (
        <Text size="sm" c={last_attempt ? undefined : "dimmed"}>
          {describeResponse(last_attempt)}
        </Text>
      ),
    },
    {
      label: "Attempts",
      visibleFrom: "xl",
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

/** The name of the destination, which leads to its page. */
function Destination({ message }: { message: Message }) {
  const { id } = useWorkspace();
  const { destination_id, destination_name } = message;
  if (destination_name === null) {
    return <Text size="sm" c="dimmed">{destinationName(message)}</Text>;
  }
  return (
    <Anchor
      {...linkTo(`/w/${id}/destinations/${destination_id}`)}
      size="sm"
      lineClamp={2}
      miw={{ base: "5rem", md: "6rem", lg: "7rem", xl: "9rem" }}
      className="break-anywhere"
      title={destination_name}
    >
      <bdi>{destination_name}</bdi>
    </Anchor>
  );
}

/** Describes what the destination responded last: "503", "connection refused". */
function describeResponse(attempt: Message["last_attempt"]): string {
  if (attempt === null) return "–";
  const { status_code, error } = attempt;
  return status_code?.toString() ?? (error === null ? "–" : nameError(error));
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
      <StateNote message={message} isShort />
    </Text>
  );
}
