import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  BeakerIcon,
  ClockIcon,
  CopyIcon,
  PaperAirplaneIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  TrashIcon,
  XCircleIcon,
} from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Campaign } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { ActionsMenu } from "../../ui/actions_menu.tsx";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { showError } from "../../ui/show_error.ts";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useOpener } from "../../ui/use_opener.ts";
import type { StartVerb } from "./start_modal.tsx";
import { Menu } from "../../ui/overlays.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { useReturn } from "../../ui/use_list_before.ts";

const StartModal = lateDialog(async () => (await import("./start_modal.tsx")).StartModal);
const TestCampaignModal = lateDialog(async () =>
  (await import("./test_campaign_modal.tsx")).TestCampaignModal
);

const editableStates: readonly string[] = ["draft", "scheduled", "paused"];

/** Actions that the state of a campaign allows. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMay("admin");
  const [isTesting, test] = useDraftDialog(`campaign-test:${campaign.id}`);
  const [verb, setVerb] = useState<StartVerb>();
  if (!mayEdit) return null;
  const { state } = campaign;
  const hasEnded = state === "completed" || state === "cancelled";
  const isFuture = campaign.send_at !== null && Date.parse(campaign.send_at) > Date.now();
  return (
    <>
      {editableStates.includes(state) && (
        <Button
          variant="default"
          leftSection={<PencilIcon />}
          {...linkTo(`/w/${workspaceId}/campaigns/${campaign.id}/edit`)}
        >
          Edit
        </Button>
      )}
      {!hasEnded && (
        <Button variant="default" leftSection={<BeakerIcon />} onClick={test.open}>
          Send test email
        </Button>
      )}
      {(state === "draft" || state === "scheduled") && (
        <Button
          variant={isFuture ? "default" : "filled"}
          leftSection={<PaperAirplaneIcon />}
          onClick={() => setVerb("send")}
        >
          Send now
        </Button>
      )}
      {state === "draft" && isFuture && (
        <Button
          leftSection={<ClockIcon />}
          onClick={() => setVerb("schedule")}
        >
          Schedule
        </Button>
      )}
      {state === "sending" && <PauseButton campaign={campaign} />}
      {state === "paused" && (
        <Button leftSection={<PlayIcon />} onClick={() => setVerb("resume")}>Resume</Button>
      )}
      <MoreActions campaign={campaign} />
      {isTesting && <TestCampaignModal campaign={campaign} isOpen close={test.close} />}
      {verb && (
        <StartModal
          campaign={campaign}
          verb={verb}
          isOpen
          close={() => setVerb(undefined)}
        />
      )}
    </>
  );
}

function PauseButton({ campaign }: { campaign: Campaign }) {
  const pause = useApiAction(
    "POST /campaigns/{id}/pause",
    () => ({ params: { id: campaign.id } }),
    { onError: showError },
  );
  return (
    <Button
      leftSection={<PauseIcon />}
      loading={pause.isPending}
      onClick={() => pause.mutate()}
    >
      Pause
    </Button>
  );
}

const maxName = 200;
const cancellableStates: readonly string[] = ["scheduled", "sending", "paused"];
const lockedStates: readonly string[] = ["sending", "paused"];
const danger = "danger-item";

function MoreActions({ campaign }: { campaign: Campaign }) {
  const goBack = useReturn("/campaigns");
  const { opener, giveBack } = useOpener();
  const [isCancelling, cancelling] = useDisclosure(false, { onClose: giveBack });
  const [isDeleting, deleting] = useDisclosure(false, { onClose: giveBack });
  const params = { id: campaign.id };
  const duplicate = useDuplicate(campaign);
  const cancel = useApiAction("POST /campaigns/{id}/cancel", () => ({ params }), {
    onSuccess: cancelling.close,
  });
  const deletion = useApiAction("DELETE /campaigns/{id}", () => ({ params }), {
    onSuccess: goBack,
  });
  return (
    <>
      <ActionsMenu opener={opener}>
        <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate()}>
          Duplicate
        </Menu.Item>
        {cancellableStates.includes(campaign.state) && (
          <Menu.Item className={danger} leftSection={<XCircleIcon />} onClick={cancelling.open}>
            Cancel campaign
          </Menu.Item>
        )}
        {!lockedStates.includes(campaign.state) && (
          <Menu.Item className={danger} leftSection={<TrashIcon />} onClick={deleting.open}>
            Delete
          </Menu.Item>
        )}
      </ActionsMenu>
      <ConfirmModal
        isOpen={isCancelling}
        close={cancelling.close}
        title="Cancel this campaign?"
        confirmLabel="Cancel campaign"
        cancelLabel={campaign.state === "sending" ? "Keep sending" : "Keep campaign"}
        action={cancel}
        onConfirm={() => cancel.mutate()}
      >
        <Text size="sm">
          Recipients who have not got it yet will not get it. This can’t be undone.
        </Text>
      </ConfirmModal>
      <DeleteModal
        isOpen={isDeleting}
        close={deleting.close}
        noun="campaign"
        name={campaign.name}
        action={deletion}
      >
        Deletes <bdi>{campaign.name}</bdi> with its figures. Its emails stay in the log.
      </DeleteModal>
    </>
  );
}

/** Creates a draft with the same settings, and opens it. Its time is not copied. */
function useDuplicate(campaign: Campaign) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  return useApiAction("POST /campaigns", () => ({
    body: {
      name: `${campaign.name} (copy)`.slice(0, maxName),
      segment: campaign.segment,
      exclude: campaign.exclude,
      template: campaign.template,
      variants: campaign.variants,
      winner: campaign.winner,
      goal: campaign.goal,
      sender: campaign.sender,
      topic: campaign.topic,
      zone: campaign.zone,
      per_minute: campaign.per_minute,
      spread_over: campaign.spread_over,
      not_after: campaign.not_after,
    } as ApiBody<"POST /campaigns">,
  }), {
    onSuccess: ({ id }) =>
      void navigate({
        to: "/w/$workspaceId/campaigns/$campaignId",
        params: { workspaceId, campaignId: id },
      }),
    onError: showError,
  });
}
