import { Badge, Text } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import type { SendSummary } from "../../api/types.ts";
import { useApiList, useWholeList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { describeSend } from "./describe_send.ts";

const refreshMs = 10_000;

/** The emails to a customer, and why some were not sent. */
export function CustomerSends({ customerId }: { customerId: string }) {
  const sends = useApiList("GET /customers/{id}/sends", { params: { id: customerId } }, {
    refetchInterval: refreshMs,
  });
  const templates = useWholeList("GET /templates", {});
  const nameOf = (send: SendSummary) =>
    templates.find(({ id }) => id === send.template?.id)?.name ?? "Deleted template";
  return (
    <ListTable
      label="Emails"
      list={sends}
      columns={makeColumns(nameOf)}
      empty={
        <EmptyState icon={MailIcon} title="No emails yet">
          Emails to this customer appear here for 90 days, also those that were not sent.
        </EmptyState>
      }
    />
  );
}

function makeColumns(nameOf: (send: SendSummary) => string): Column<SendSummary>[] {
  return [
    {
      label: "Email",
      cell: (send) => (
        <>
          <Text size="sm" fw={550} className="break-anywhere" dir="auto">{nameOf(send)}</Text>
          <Text size="xs" c="dimmed" className="break-anywhere">{send.email}</Text>
        </>
      ),
    },
    {
      label: "State",
      cell: (send) => {
        const { label, color, reason } = describeSend(send);
        return (
          <>
            <Badge color={color}>{label}</Badge>
            {reason && <Text size="xs" c="dimmed">{reason}</Text>}
          </>
        );
      },
    },
    { label: "Queued", align: "right", cell: (send) => <TimeAgo time={send.queued_at} /> },
  ];
}
