import { Alert, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useRef, useState } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey, PublishPreview } from "../../../api/types.ts";
import { useApiAction, useApiItem } from "../../../api/use_api.ts";
import { FormModal } from "../../../ui/form_modal.tsx";
import { ItemView } from "../../../ui/item_view.tsx";
import { TableSkeleton } from "../../../ui/skeletons.tsx";
import type { SaveState } from "../editor/save_state.ts";
import type { NameOf } from "../model/name_of.ts";
import { describeProblem, groupProblems, readField } from "../model/problems.ts";
import { UnsavedDraft } from "../unsaved_draft.tsx";
import { useNames } from "../use_names.ts";
import { ChangesSince } from "./changes_since.tsx";
import { Inside } from "./inside.tsx";
import { StepName } from "./step_name.tsx";
import { useIsUnchanged } from "./use_is_unchanged.ts";
import { Uses } from "./uses.tsx";

interface PublishModalProps {
  journey: Journey;
  isOpen: boolean;
  close: () => void;
  /** Only a draft that is saved is what the page shows. */
  saveState: SaveState;
  /** Closes the dialog and shows the draft. */
  openDraft: () => void;
}

/** Shows what publishing the draft does to the runs inside, and publishes it. */
export function PublishModal({ journey, saveState, openDraft, ...dialog }: PublishModalProps) {
  const [inside, setInside] = useState<"stay" | "move">("stay");
  const preview = useApiItem("GET /journeys/{id}/publish-preview", { params: { id: journey.id } });
  // The draft that this dialog has shown. Changes of this page are saved, changes of others are not.
  const seen = useRef<string>(undefined);
  seen.current = saveState === "saved" ? seen.current ?? journey.draft_revision : undefined;
  const isOther = seen.current !== undefined && seen.current !== journey.draft_revision;
  const publish = useApiAction(
    "POST /journeys/{id}/publish",
    () => ({ params: { id: journey.id }, body: { inside, draft_revision: seen.current } }),
    { onSuccess: dialog.close },
  );
  const { lists, nameOf } = useNames();
  const data = saveState === "saved" ? preview.data : undefined;
  // The same steps as a new version are of use only to runs that are in an older one.
  const isUnchanged = useIsUnchanged(journey, lists) === true;
  const hasOldRuns = data?.steps.some(({ version }) => version !== journey.version);
  const isPointless = isUnchanged && !(inside === "move" && hasOldRuns);
  const isEmpty = isUnchanged && hasOldRuns === false && data?.problems.length === 0;
  return (
    <FormModal
      {...dialog}
      title={isEmpty ? "Nothing to publish" : data ? `Publish version ${data.version}` : "Publish"}
      submitLabel="Publish"
      size="lg"
      onSubmit={() => publish.mutate()}
      isPending={publish.isPending}
      isIncomplete={!data || data.problems.length > 0 || isOther || isPointless}
      error={isOther ? null : publish.error}
    >
      {isOther && (
        <Alert color="yellow" mb="sm" title="The draft has changed">
          Somebody else has changed it since you opened this dialog. Close it and look at the draft
          again.
        </Alert>
      )}
      <UnsavedDraft saveState={saveState} openDraft={openDraft} />
      {saveState === "saving" && <TableSkeleton columns={3} />}
      {saveState === "saved" && (
        <ItemView item={preview} skeleton={<TableSkeleton columns={3} />}>
          {(found) =>
            isEmpty ? <NothingToPublish journey={journey} /> : (
              <Stack>
                {found.problems.length > 0 && (
                  <Problems journey={journey} preview={found} nameOf={nameOf} />
                )}
                {found.problems.length === 0 && <Entering journey={journey} />}
                <ChangesSince journey={journey} lists={lists} nameOf={nameOf} />
                <Uses definition={journey.definition as Definition} lists={lists} />
                {found.steps.length > 0 && (
                  <Inside
                    journey={journey}
                    preview={found}
                    nameOf={nameOf}
                    inside={inside}
                    setInside={setInside}
                  />
                )}
              </Stack>
            )}
        </ItemView>
      )}
    </FormModal>
  );
}

function NothingToPublish({ journey: { version } }: { journey: Journey }) {
  return (
    <Text size="sm">
      The draft is the same as version{" "}
      {version}, and everyone inside is in that version. Change the draft to publish a new one.
    </Text>
  );
}

interface ProblemsProps {
  journey: Journey;
  preview: PublishPreview;
  nameOf: NameOf;
}

/** Problems that keep the draft from being published, by the part that has to change. */
function Problems({ journey, preview, nameOf }: ProblemsProps) {
  const problems = preview.problems.map(({ field, message }) => ({
    path: readField(field),
    message,
  }));
  return (
    <Alert color="red" icon={<AlertIcon />} title="Fix these problems first">
      <Stack gap="xs" component="ul" className="plain-list" m={0} p={0}>
        {[...groupProblems(problems)].map(([part, own]) => (
          <li key={part}>
            <StepName part={part} definition={journey.definition as Definition} nameOf={nameOf} />
            {own.map((problem) => (
              <Text key={describeProblem(problem)} size="sm" className="break-anywhere">
                {describeProblem(problem)}
              </Text>
            ))}
          </li>
        ))}
      </Stack>
    </Alert>
  );
}

const enteringTexts: Readonly<Record<Journey["state"], string>> = {
  draft: "Customers begin to enter as soon as it is published.",
  running: "Customers who enter from now on get the new version.",
  paused: "The journey stays paused. The new version begins when you resume.",
  draining: "Nobody enters while the journey drains.",
  stopped: "A stopped journey cannot be published.",
};

function Entering({ journey }: { journey: Journey }) {
  return <Text size="sm">{enteringTexts[journey.state]}</Text>;
}
