import { Alert, Group, Paper, SimpleGrid, Stack, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import type { Campaign } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { CampaignActions } from "./campaign_actions.tsx";
import { CampaignFacts } from "./campaign_facts.tsx";
import { CampaignMail } from "./campaign_mail.tsx";
import { CampaignResults } from "./campaign_results.tsx";
import { CampaignReview } from "./campaign_review.tsx";
import { CampaignState } from "./campaign_state.tsx";

const movingMs = 2_000;
const restingMs = 15_000;

export function CampaignPage() {
  const { campaignId } = useParams({ from: "/w/$workspaceId/campaigns/$campaignId" });
  const campaign = useApiItem("GET /campaigns/{id}", { params: { id: campaignId } }, {
    refetchInterval: (data) => data?.state === "sending" ? movingMs : restingMs,
  });
  return <ItemView item={campaign}>{(data) => <Details campaign={data} />}</ItemView>;
}

function Details({ campaign }: { campaign: Campaign }) {
  const isWaiting = campaign.state === "draft" || campaign.state === "scheduled";
  return (
    <Page
      title={campaign.name}
      above={<BackLink path="/campaigns">Campaigns</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{campaign.name}</bdi>
          <CampaignState state={campaign.state} />
        </Group>
      }
      actions={<CampaignActions campaign={campaign} />}
    >
      {campaign.reason !== null && <Stopped campaign={campaign} />}
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <Stack style={{ gridColumn: "span 2" }} className="wide-cell" gap="lg">
          {isWaiting
            ? (
              <>
                <CampaignReview campaign={campaign} />
                <CampaignMail template={campaign.template} variants={campaign.variants} />
              </>
            )
            : <CampaignResults campaign={campaign} />}
        </Stack>
        <Paper p="md">
          <Title order={2} size="h5" mb="sm">Settings</Title>
          <CampaignFacts campaign={campaign} />
        </Paper>
      </SimpleGrid>
    </Page>
  );
}

const reasons: Readonly<Record<string, string>> = {
  requested: "somebody asked for it",
  complaint_rate: "too many recipients complained",
  confirmation: "the audience has grown, so you must confirm the number of recipients",
  segment_deleted: "its segment was deleted",
  template_deleted: "its template was deleted: choose another one, then resume",
  sender_deleted: "its sender was deleted: choose another one, then resume",
  topic_deleted: "its topic was deleted: choose another one, then resume",
};

/** Reason why a campaign is paused or cancelled. */
function Stopped({ campaign: { state, reason, explanation } }: { campaign: Campaign }) {
  return (
    <Alert
      color="yellow"
      icon={<AlertIcon />}
      title={`It is ${state}, because ${reasons[reason ?? ""] ?? reason}`}
      mb="lg"
    >
      {explanation}
    </Alert>
  );
}
