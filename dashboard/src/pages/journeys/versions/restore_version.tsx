import { Button, Text } from "@mantine/core";
import { HistoryIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { JourneyVersion } from "../../../api/types.ts";
import { FormModal } from "../../../ui/form_modal.tsx";
import { isSame } from "../model/is_same.ts";

/** The draft as a version can replace it. */
export interface ReplaceableDraft {
  definition: Definition;
  /** True while the last changes are sent: a version must not overtake them. */
  isSaving: boolean;
  /** True if the last changes are kept in this tab only. */
  isUnsaved: boolean;
  /** Opens the editor with another definition, which it saves. */
  replace: (definition: Definition) => void;
}

interface RestoreVersionProps {
  row: JourneyVersion;
  draft: ReplaceableDraft;
  /** Writes ids for the keys of a definition, as versions have them. */
  resolve: (definition: Definition) => Definition;
}

/** Puts a version into the draft. Asks first if the draft is another one. */
export function RestoreVersion({ row, draft, resolve }: RestoreVersionProps) {
  const [isAsking, setAsking] = useState(false);
  const { version } = row;
  const definition = row.definition as Definition;
  const isLost = draft.isUnsaved || !isSame(resolve(draft.definition), definition);
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<HistoryIcon />}
        aria-label={`Restore into the draft: version ${version}`}
        disabled={draft.isSaving}
        onClick={() => isLost ? setAsking(true) : draft.replace(definition)}
      >
        Restore into the draft
      </Button>
      <FormModal
        isOpen={isAsking}
        close={() => setAsking(false)}
        title={`Restore version ${version} into the draft?`}
        submitLabel="Restore"
        onSubmit={() => draft.replace(definition)}
        isPending={false}
        error={null}
      >
        <Text size="sm">
          {draft.isUnsaved
            ? "The draft has changes that are not saved."
            : `The draft differs from version ${version}.`} Version {version}{" "}
          replaces it. Undo brings it back for as long as this page stays open. The published
          journey does not change.
        </Text>
      </FormModal>
    </>
  );
}
