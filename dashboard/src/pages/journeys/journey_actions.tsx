import { Button, Group, Text } from "@mantine/core";
import {
  CopyIcon,
  PauseIcon,
  PencilIcon,
  PlayIcon,
  RocketIcon,
  SignOutIcon,
  StopIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Journey } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { ActionsMenu } from "../../ui/actions_menu.tsx";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { showError } from "../../ui/show_error.ts";
import { useOpener } from "../../ui/use_opener.ts";
import type { SaveState } from "./editor/save_state.ts";
import { useHasChanges } from "./publish/use_has_changes.ts";
import { Menu, Modal, Tooltip } from "../../ui/overlays.tsx";
import { useReturn } from "../../ui/use_list_before.ts";

const EditJourneyModal = lateDialog(async () =>
  (await import("./edit_journey_modal.tsx")).EditJourneyModal
);
const PublishModal = lateDialog(async () =>
  (await import("./publish/publish_modal.tsx")).PublishModal
);

const DrainModal = lateDialog(async () => (await import("./state_modals.tsx")).DrainModal);
const PauseModal = lateDialog(async () => (await import("./state_modals.tsx")).PauseModal);
const ResumeModal = lateDialog(async () => (await import("./state_modals.tsx")).ResumeModal);
const StopModal = lateDialog(async () => (await import("./state_modals.tsx")).StopModal);

type Dialog = "publish" | "pause" | "resume" | "drain" | "stop" | "edit" | "delete";

interface JourneyActionsProps {
  journey: Journey;
  /** State of the saving of the draft on the page. */
  saveState: SaveState;
  openDraft: () => void;
}

/** Publishing, the states, and what else can be done with a journey. */
export function JourneyActions({ journey, saveState, openDraft }: JourneyActionsProps) {
  const mayEdit = useMay("admin");
  const isEditKept = useReturningNames(`journey-name:${journey.id}`).length > 0;
  const [dialog, setDialog] = useState<Dialog | undefined>(isEditKept ? "edit" : undefined);
  const { opener, giveBack } = useOpener();
  const publishing = useOpener();
  if (!mayEdit) return null;
  const { state } = journey;
  const close = () => setDialog(undefined);
  const props = (name: Dialog) => ({ journey, isOpen: dialog === name, close });
  // A dialog that is gone at once cannot return the focus.
  const closeTo = (returnFocus: () => void) => () => {
    close();
    returnFocus();
  };
  const isHalted = state === "paused" || state === "draining";
  return (
    <>
      {state === "running" && (
        <Button
          variant="default"
          leftSection={<PauseIcon />}
          onClick={() => setDialog("pause")}
        >
          Pause
        </Button>
      )}
      {isHalted && (
        <Button
          variant="default"
          leftSection={<PlayIcon />}
          onClick={() => setDialog("resume")}
        >
          Resume
        </Button>
      )}
      {state !== "stopped" && (
        <PublishButton
          journey={journey}
          saveState={saveState}
          opener={publishing.opener}
          open={() => setDialog("publish")}
        />
      )}
      <MoreMenu journey={journey} opener={opener} open={setDialog} />
      {dialog === "publish" && (
        <PublishModal
          {...props("publish")}
          close={closeTo(publishing.giveBack)}
          saveState={saveState}
          openDraft={closeTo(openDraft)}
        />
      )}
      <PauseModal {...props("pause")} />
      <ResumeModal {...props("resume")} />
      <DrainModal {...props("drain")} onClosed={giveBack} />
      <StopModal {...props("stop")} onClosed={giveBack} />
      {dialog === "edit" && <EditJourneyModal {...props("edit")} close={closeTo(giveBack)} />}
      <DeleteJourney {...props("delete")} stop={() => setDialog("stop")} />
    </>
  );
}

interface PublishButtonProps {
  journey: Journey;
  saveState: SaveState;
  opener: ReturnType<typeof useOpener>["opener"];
  open: () => void;
}

/**
 * Stands out only if there is something to publish. The dialog of other drafts just moves runs, so
 * it opens only while there are some.
 */
function PublishButton({ journey, saveState, opener, open }: PublishButtonProps) {
  const hasChanges = useHasChanges(journey, saveState);
  const isPointless = hasChanges === false && journey.active_runs === 0;
  return (
    <Tooltip
      label={`Nothing to publish: the draft is version ${journey.version}`}
      disabled={hasChanges !== false}
    >
      <Button
        ref={opener}
        variant={hasChanges ? "filled" : "default"}
        leftSection={<RocketIcon />}
        // A button that is disabled would lose the focus, and its reason could not be read.
        aria-disabled={isPointless}
        data-disabled={isPointless || undefined}
        onClick={isPointless ? undefined : open}
      >
        Publish
      </Button>
    </Tooltip>
  );
}

interface MoreMenuProps {
  journey: Journey;
  opener: ReturnType<typeof useOpener>["opener"];
  open: (dialog: Dialog) => void;
}

function MoreMenu({ journey, opener, open }: MoreMenuProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const duplicate = useApiAction("POST /journeys", () => ({
    body: {
      name: `${journey.name} (copy)`,
      description: journey.description,
      definition: journey.definition,
    },
  }), {
    onSuccess: ({ id }) =>
      void navigate({
        to: "/w/$workspaceId/journeys/$journeyId",
        params: { workspaceId, journeyId: id },
      }),
    onError: showError,
  });
  const isLive = ["running", "paused"].includes(journey.state);
  const isActive = isLive || journey.state === "draining";
  return (
    <ActionsMenu opener={opener}>
      <Menu.Item leftSection={<PencilIcon />} onClick={() => open("edit")}>Name and key</Menu.Item>
      <Menu.Item leftSection={<CopyIcon />} onClick={() => duplicate.mutate()}>Duplicate</Menu.Item>
      {isActive && <Menu.Divider />}
      {isLive && (
        <Menu.Item leftSection={<SignOutIcon />} onClick={() => open("drain")}>Drain</Menu.Item>
      )}
      {isActive && (
        <Menu.Item
          className="danger-item"
          leftSection={<StopIcon />}
          onClick={() => open("stop")}
        >
          Stop
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        className="danger-item"
        leftSection={<TrashIcon />}
        onClick={() => open("delete")}
      >
        Delete
      </Menu.Item>
    </ActionsMenu>
  );
}

interface JourneyDialogProps {
  journey: Journey;
  isOpen: boolean;
  close: () => void;
}

interface DeleteJourneyProps extends JourneyDialogProps {
  /** Opens the dialog that stops the journey. */
  stop: () => void;
}

/** Asks before a journey is deleted; one with active runs is stopped first. */
function DeleteJourney({ journey, stop, ...dialog }: DeleteJourneyProps) {
  const goBack = useReturn("/journeys");
  const remove = useApiAction("DELETE /journeys/{id}", () => ({ params: { id: journey.id } }), {
    onSuccess: goBack,
  });
  if (journey.active_runs > 0) {
    return (
      <Modal opened={dialog.isOpen} onClose={dialog.close} title="Stop this journey first">
        <Text size="sm">
          <bdi>{journey.name}</bdi> has{" "}
          {countOf(journey.active_runs, "active run")}. A journey can be deleted when none is left:
          stop it to end them now, or drain it and wait.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={dialog.close}>Cancel</Button>
          <Button color="red" onClick={stop}>Stop journey…</Button>
        </Group>
      </Modal>
    );
  }
  return (
    <DeleteModal {...dialog} noun="journey" name={journey.name} action={remove}>
      Deletes <bdi>{journey.name}</bdi> with its versions and the log of its runs.
    </DeleteModal>
  );
}
