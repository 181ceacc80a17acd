import { Group, Paper, SimpleGrid, Stack, Title } from "@mantine/core";
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
import { useCampaignSender } from "./campaign_sender.ts";
import { CampaignState } from "./campaign_state.tsx";
import { SenderNotice } from "./sender_notice.tsx";
import { StoppedNotice } from "./stopped_notice.tsx";

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
  const sender = useCampaignSender(campaign);
  const isWaiting = campaign.state === "draft" || campaign.state === "scheduled";
  const mail = (
    <CampaignMail
      template={campaign.template}
      variants={campaign.variants}
      segment={campaign.segment}
      sender={campaign.sender}
      campaign={isWaiting ? undefined : campaign}
    />
  );
  return (
    <Page
      title={campaign.name}
      above={<BackLink path="/campaigns">Campaigns</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{campaign.name}</bdi>
          <CampaignState state={campaign.state} sender={sender} />
        </Group>
      }
      actions={<CampaignActions campaign={campaign} />}
    >
      <Stack gap="lg">
        {campaign.reason !== null && <StoppedNotice campaign={campaign} />}
        <SenderNotice campaign={campaign} sender={sender} />
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
          <Stack style={{ gridColumn: "span 2" }} className="wide-cell" gap="lg">
            {isWaiting
              ? (
                <>
                  <CampaignReview campaign={campaign} />
                  {mail}
                </>
              )
              : <CampaignResults campaign={campaign} sender={sender} />}
          </Stack>
          <Stack gap="lg">
            <Paper p="md">
              <Title order={2} size="h5" mb="sm">Settings</Title>
              <CampaignFacts campaign={campaign} />
            </Paper>
            {!isWaiting && mail}
          </Stack>
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
