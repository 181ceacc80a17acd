import { Box, Button, Text } from "@mantine/core";
import { FilterIcon, WebhookIcon } from "@primer/octicons-react";
import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import type { Message } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { destinationName } from "../deliveries/outcome_badge.tsx";
import { StateBadge } from "../messages/state_badge.tsx";

const refreshMs = 10_000;

/** The messages about a customer at each destination. A row opens one in the list of messages. */
export function CustomerMessages({ customerId }: { customerId: string }) {
  const { id } = useWorkspace();
  const query = { customer_id: customerId };
  const messages = useApiList("GET /messages", { query }, { refetchInterval: refreshMs });
  const path = `/w/${id}/messages`;
  return (
    <>
      <ListTable
        label="Webhook messages"
        list={messages}
        columns={columns}
        keyOf={(message) => `${message.id} ${message.destination_id}`}
        linkTo={() => path}
        linkSearch={(message) => ({ ...query, message: message.id })}
        empty={
          <EmptyState icon={WebhookIcon} title="No webhook messages yet">
            Messages about this customer appear here for {retentionDays.deliveries}{" "}
            days, with their state at each destination.
          </EmptyState>
        }
      />
      {(messages.data?.pages[0]?.data.length ?? 0) > 0 && (
        <Box mt="sm">
          <Button
            variant="default"
            size="xs"
            leftSection={<FilterIcon />}
            {...linkTo(path, query)}
          >
            Filter these messages
          </Button>
        </Box>
      )}
    </>
  );
}

const columns: Column<Message>[] = [
  {
    label: "Message",
    cell: (message) => (
      <>
        <Text size="sm" fw={550} className="break-anywhere" dir="auto">{message.event_type}</Text>
        <Text size="xs" c="dimmed" className="break-anywhere" dir="auto">
          {destinationName(message)}
        </Text>
      </>
    ),
  },
  { label: "State", cell: (message) => <StateBadge message={message} isShort /> },
  { label: "Created", align: "right", cell: ({ created_at }) => <TimeAgo time={created_at} /> },
];
