import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { MailIcon } from "@primer/octicons-react";
import type { Sender } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { CampaignState } from "../campaigns/campaign_state.tsx";
import { SenderHealth } from "../senders/sender_health.tsx";
import { useSenders, useSendingCampaigns } from "./use_sending.ts";

const shownCount = 5;

/** Campaigns that are being sent, and the senders: those that fail first. */
export function Sending() {
  const { id } = useWorkspace();
  const senders = useSenders();
  const campaigns = useSendingCampaigns();
  const rows = (senders.data?.data ?? []).toSorted(byUrgency).slice(0, shownCount);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">Sending</Title>
        {rows.length > 0 && <Anchor {...linkTo(`/w/${id}/sends`)} size="sm">View log</Anchor>}
      </Group>
      {senders.isPending && <Skeleton h={90} />}
      {senders.error && <ErrorState error={senders.error} retry={senders.refetch} />}
      {senders.isSuccess && rows.length === 0 && (
        <EmptyState
          icon={MailIcon}
          title="No senders yet"
          action={<Button variant="default" {...linkTo(`/w/${id}/senders`)}>Go to senders</Button>}
        >
          Journeys and campaigns need a sender for their emails.
        </EmptyState>
      )}
      <Stack gap={0}>
        {campaigns.data?.data.slice(0, shownCount).map((campaign) => (
          <Group
            key={campaign.id}
            justify="space-between"
            wrap="nowrap"
            className="plain-row"
            {...linkTo(`/w/${id}/campaigns/${campaign.id}`)}
          >
            <Text size="sm" fw={550} truncate dir="auto">{campaign.name}</Text>
            <CampaignState
              state={campaign.state}
              sender={senders.data?.data.find(({ id }) => id === campaign.sender)}
            />
          </Group>
        ))}
        {rows.map((sender) => (
          <Group
            key={sender.id}
            justify="space-between"
            wrap="nowrap"
            className="plain-row"
            {...linkTo(`/w/${id}/senders/${sender.id}`)}
          >
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={550} truncate dir="auto">{sender.name}</Text>
              <Text size="xs" c="dimmed">{describeSender(sender)}</Text>
            </div>
            <SenderHealth sender={sender} />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

function describeSender({ health }: Sender): string {
  const { ok_24h, failed_24h, pending } = health;
  return [
    `${countOf(ok_24h, "email")} sent in 24 hours`,
    failed_24h > 0 ? `${countOf(failed_24h, "failure")}` : "",
    pending > 0 ? `${countOf(pending, "email")} waiting` : "",
  ].filter(Boolean).join(", ");
}

const urgency: Record<Sender["health"]["state"], number> = {
  failing: 0,
  disabled: 1,
  healthy: 2,
  unused: 3,
};

function byUrgency(a: Sender, b: Sender): number {
  return urgency[a.health.state] - urgency[b.health.state];
}
