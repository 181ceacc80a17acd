import { Box, Button, Text } from "@mantine/core";
import { MailIcon, QuestionIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { SendSummary } from "../../api/types.ts";
import { useApiList, useWholeList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { SendBadge, SendReason } from "../sends/send_badge.tsx";

const refreshMs = 10_000;

/** The emails to a customer, and why some were not sent. A row leads to what was rendered. */
export function CustomerSends({ customerId }: { customerId: string }) {
  const { id } = useWorkspace();
  const sends = useApiList("GET /customers/{id}/sends", { params: { id: customerId } }, {
    refetchInterval: refreshMs,
  });
  const templates = useWholeList("GET /templates", {});
  const columns = useMemo(() => {
    const names = new Map(templates.map(({ id, name }) => [id, name]));
    return makeColumns(({ template }) => names.get(template?.id ?? "") ?? "Deleted template");
  }, [templates]);
  const explain = (
    <Button
      variant="default"
      size="xs"
      leftSection={<QuestionIcon />}
      {...linkTo(`/w/${id}/sends/explain`, { customer_id: customerId })}
    >
      Why wasn’t it sent?
    </Button>
  );
  return (
    <>
      <ListTable
        label="Emails"
        list={sends}
        columns={columns}
        linkTo={(send) => `/w/${id}/sends/${send.id}`}
        empty={
          <EmptyState icon={MailIcon} title="No emails yet" action={explain}>
            Emails to this customer appear here for 90 days, including those that were not sent.
          </EmptyState>
        }
      />
      {(sends.data?.pages[0]?.data.length ?? 0) > 0 && <Box mt="sm">{explain}</Box>}
    </>
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
      cell: (send) => (
        <>
          <SendBadge send={send} />
          <SendReason send={send} />
        </>
      ),
    },
    { label: "Queued", align: "right", cell: (send) => <TimeAgo time={send.queued_at} /> },
  ];
}
