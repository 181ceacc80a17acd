import { Button, Grid, Group, Paper, Stack } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Campaign } from "../../api/types.ts";
import { type ApiBody, useApiAction, useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { isId } from "../../format/is_id.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { RoleGate } from "../../ui/role_gate.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { CampaignFields } from "./campaign_fields.tsx";
import { type CampaignForm, onlyChangeable, useCampaignForm } from "./campaign_form.ts";
import { CampaignMail } from "./campaign_mail.tsx";

/** Creates a campaign, perhaps for the segment from whose page it begins. */
export function NewCampaignPage() {
  const { timezone } = useWorkspace();
  const { segment } = useFilters().filters;
  const open = useOpenCampaign();
  const { form, submitTo, generalError, draft } = useCampaignForm({
    segment: isId(segment ?? "") ? segment : undefined,
    timeZone: timezone,
  });
  const create = useApiAction(
    "POST /campaigns",
    (body: ApiBody<"POST /campaigns">) => ({ body }),
    { onSuccess: (campaign) => open(campaign.id) },
  );
  const error = generalError(create.error);
  return (
    <Page
      title="New campaign"
      above={<BackLink path="/campaigns">Campaigns</BackLink>}
      description="Nothing is sent until you have reviewed it."
    >
      <RoleGate role="admin" action="create campaigns">
        <BesideMail form={form}>
          <form onSubmit={submitTo(create)} noValidate>
            <Stack>
              <DraftNotice draft={draft} />
              <CampaignFields form={form} isStarted={false} />
              {error && <ErrorState error={error} />}
              <Group justify="flex-end">
                <Button type="submit" loading={create.isPending}>Continue to review</Button>
              </Group>
            </Stack>
          </form>
        </BesideMail>
      </RoleGate>
    </Page>
  );
}

export function EditCampaignPage() {
  const { campaignId } = useParams({ from: "/w/$workspaceId/campaigns/$campaignId/edit" });
  const campaign = useApiItem("GET /campaigns/{id}", { params: { id: campaignId } });
  return <ItemView item={campaign}>{(data) => <EditForm campaign={data} />}</ItemView>;
}

function EditForm({ campaign }: { campaign: Campaign }) {
  const { id: workspaceId, timezone } = useWorkspace();
  const open = useOpenCampaign();
  const { form, submitTo, generalError, draft } = useCampaignForm({ campaign, timeZone: timezone });
  const save = useApiAction(
    "PATCH /campaigns/{id}",
    (body: ApiBody<"POST /campaigns">) => ({
      params: { id: campaign.id },
      body: onlyChangeable(body, campaign),
    }),
    { onSuccess: () => open(campaign.id) },
  );
  const error = generalError(save.error);
  const path = `/campaigns/${campaign.id}`;
  return (
    <Page
      title={`Edit ${campaign.name}`}
      above={<BackLink path={path}>{campaign.name}</BackLink>}
    >
      <RoleGate role="admin" action="edit campaigns">
        <BesideMail form={form}>
          <form onSubmit={submitTo(save)} noValidate>
            <Stack>
              <DraftNotice draft={draft} />
              <CampaignFields form={form} isStarted={campaign.state === "paused"} />
              {error && <ErrorState error={error} />}
              <Group justify="flex-end">
                <Button variant="default" {...linkTo(`/w/${workspaceId}${path}`)}>Cancel</Button>
                <Button type="submit" loading={save.isPending}>Save</Button>
              </Group>
            </Stack>
          </form>
        </BesideMail>
      </RoleGate>
    </Page>
  );
}

/** Shows the chosen mail beside a form. On a narrow screen, the mail is below the form. */
function BesideMail({ form, children }: { form: CampaignForm; children: ReactNode }) {
  const { has_variants, template, variants, segment, sender } = form.values;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Paper p="lg">{children}</Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <CampaignMail
          template={has_variants ? null : template || null}
          variants={has_variants ? variants : []}
          segment={segment}
          sender={sender}
        />
      </Grid.Col>
    </Grid>
  );
}

function useOpenCampaign(): (campaignId: string) => void {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  return (campaignId) =>
    void navigate({
      to: "/w/$workspaceId/campaigns/$campaignId",
      params: { workspaceId, campaignId },
    });
}
