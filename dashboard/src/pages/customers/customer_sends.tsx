import { Box, Button, Text } from "@mantine/core";
import { MailIcon, QuestionIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { SendSummary } from "../../api/types.ts";
import { useApiList, useReadList } from "../../api/use_api.ts";
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
  const templates = useReadList("GET /templates", {});
  const campaigns = useReadList("GET /campaigns", {});
  const journeys = useReadList("GET /journeys", {});
  const columns = useMemo(
    () => makeColumns({ templates, campaigns, journeys }),
    [templates, campaigns, journeys].flatMap(({ rows, isRead }) => [rows, isRead]),
  );
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

interface NamedList {
  rows: readonly { id: string; name: string }[];
  isRead: boolean;
}

type Lists = Record<"templates" | "campaigns" | "journeys", NamedList>;

function nameIn({ rows, isRead }: NamedList, id: string | undefined, noun: string): string {
  return rows.find((row) => row.id === id)?.name ?? (isRead ? `Deleted ${noun}` : "…");
}

/** Says what sent an email: "Campaign: Winter", "Journey: Onboarding" or "API". */
function describeOrigin(
  { campaign_id, journey_id }: SendSummary,
  { campaigns, journeys }: Lists,
): string {
  if (campaign_id !== null) return `Campaign: ${nameIn(campaigns, campaign_id, "campaign")}`;
  if (journey_id !== null) return `Journey: ${nameIn(journeys, journey_id, "journey")}`;
  return "API";
}

function makeColumns(lists: Lists): Column<SendSummary>[] {
  return [
    {
      label: "Email",
      cell: (send) => (
        <>
          <Text size="sm" fw={550} className="break-anywhere" dir="auto">
            {nameIn(lists.templates, send.template?.id, "template")}
          </Text>
          <Text size="xs" c="dimmed" className="break-anywhere" dir="auto">
            {describeOrigin(send, lists)}
          </Text>
        </>
      ),
    },
    {
      label: "To",
      visibleFrom: "sm",
      cell: ({ email }) => <Text size="sm" className="break-anywhere">{email ?? "No address"}
      </Text>,
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
