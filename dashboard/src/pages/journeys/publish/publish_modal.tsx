import { Alert, Radio, Stack, Table, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Journey, PublishPreview } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { countOf, formatCount } from "../../format/numbers.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import type { SaveState } from "./editor/use_draft_saving.ts";
import { UnsavedDraft } from "./unsaved_draft.tsx";

interface PublishModalProps {
  journey: Journey;
  isOpen: boolean;
  close: () => void;
  /** Only a draft that is saved is what the page shows. */
  saveState: SaveState;
}

/** Shows what publishing the draft does to the runs inside, and publishes it. */
export function PublishModal({ journey, saveState, ...dialog }: PublishModalProps) {
  const [inside, setInside] = useState<"stay" | "move">("stay");
  const preview = useApiItem("GET /journeys/{id}/publish-preview", { params: { id: journey.id } });
  const publish = useApiAction(
    "POST /journeys/{id}/publish",
    () => ({ params: { id: journey.id }, body: { inside } }),
    { onSuccess: dialog.close },
  );
  const data = saveState === "saved" ? preview.data : undefined;
  return (
    <FormModal
      {...dialog}
      title={data ? `Publish version ${data.version}` : "Publish"}
      submitLabel="Publish"
      size="lg"
      onSubmit={() => publish.mutate()}
      isPending={publish.isPending}
      isIncomplete={!data || data.problems.length > 0}
      error={publish.error}
    >
      <UnsavedDraft saveState={saveState} />
      {saveState === "saving" && <TableSkeleton columns={3} />}
      {saveState === "saved" && (
        <ItemView item={preview} skeleton={<TableSkeleton columns={3} />}>
          {(found) => (
            <Stack>
              {found.problems.length > 0 && <Problems preview={found} />}
              {found.problems.length === 0 && <Entering journey={journey} />}
              {found.steps.length > 0 && (
                <Inside preview={found} inside={inside} setInside={setInside} />
              )}
            </Stack>
          )}
        </ItemView>
      )}
    </FormModal>
  );
}

function Problems({ preview: { problems } }: { preview: PublishPreview }) {
  return (
    <Alert color="red" icon={<AlertIcon />} title="Fix these problems first">
      {problems.map(({ field, message }) => (
        <Text key={field + message} size="sm" className="break-anywhere">
          {field.replace(/^definition\./, "")} {message}
        </Text>
      ))}
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

interface InsideProps {
  preview: PublishPreview;
  inside: "stay" | "move";
  setInside: (inside: "stay" | "move") => void;
}

function Inside({ preview, inside, setInside }: InsideProps) {
  return (
    <>
      <Radio.Group
        label={`${countOf(preview.active_runs, "run")} inside`}
        value={inside}
        onChange={(value) => setInside(value === "move" ? "move" : "stay")}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="stay" label="Stay in the version in which they began" />
          <Radio value="move" label="Move to the new version" />
        </Stack>
      </Radio.Group>
      <Table aria-label="Runs inside" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Step</Table.Th>
            <Table.Th scope="col">Version</Table.Th>
            <Table.Th scope="col" ta="right">Runs</Table.Th>
            {inside === "move" && <Table.Th scope="col">Continue at</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.steps.map(({ version, step, waiting, moves_to }) => (
            <Table.Tr key={`${version} ${step}`}>
              <Table.Td className="break-anywhere">{step}</Table.Td>
              <Table.Td>{version}</Table.Td>
              <Table.Td ta="right" className="tabular">{formatCount(waiting)}</Table.Td>
              {inside === "move" && (
                <Table.Td className="break-anywhere">{moves_to ?? "They leave"}</Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
