import { Anchor, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { BookmarkIcon } from "@primer/octicons-react";
import type { View } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { showError } from "../../ui/show_error.ts";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { isSameContents, useCurrentContents, useOpenView } from "../../ui/views/current_view.ts";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { readQuestion, usualRange } from "./question.ts";

const SaveViewModal = lateDialog(async () =>
  (await import("../../ui/views/view_modals.tsx")).SaveViewModal
);

interface SaveQuestionProps {
  /** The saved question that is open. */
  opened: View | undefined;
}

/** Saves the question of the page: under a new name, or in the place of the one that is open. */
export function SaveQuestion({ opened }: SaveQuestionProps) {
  const mayEdit = useMay("member");
  const contents = useCurrentContents();
  const { filters } = useFilters();
  const isComplete = readQuestion(filters, useRange(usualRange)) !== undefined;
  const { opener, giveBack } = useOpener();
  const [isSaving, saving] = useDraftDialog("view:explore", { onClose: giveBack });
  const { remember } = useOpenView();
  const update = useApiAction(
    "PATCH /views/{id}",
    () => ({ params: { id: opened?.id ?? "" }, body: contents }),
    {
      onSuccess: ({ name }) =>
        notifications.show({ message: `“${name}” has the new question`, color: "teal" }),
      onError: showError,
    },
  );
  if (!mayEdit || !isComplete) return null;
  if (opened && isSameContents(opened, contents)) return null;
  return (
    <>
      {opened && (
        <Button
          leftSection={<BookmarkIcon />}
          loading={update.isPending}
          onClick={() => update.mutate()}
        >
          Save changes
        </Button>
      )}
      <Button
        ref={opener}
        variant={opened ? "default" : "filled"}
        leftSection={!opened && <BookmarkIcon />}
        onClick={saving.open}
      >
        {opened ? "Save as new" : "Save question"}
      </Button>
      <SaveViewModal
        key={String(isSaving)}
        list="explore"
        contents={contents}
        onSaved={remember}
        isOpen={isSaving}
        close={saving.close}
      />
    </>
  );
}

/** Names the saved question that is open, and leads to a new one. */
export function OpenedQuestion({ view }: { view: View }) {
  const { id } = useWorkspace();
  const isChanged = !isSameContents(view, useCurrentContents());
  return (
    <Group gap="xs" role="status">
      <BookmarkIcon />
      <Text size="sm" className="break-anywhere">
        <b dir="auto">{view.name}</b>
        {isChanged && <Text span inherit c="dimmed">, changed and not saved</Text>}
      </Text>
      <Anchor {...linkTo(`/w/${id}/explore`)} size="sm">New question</Anchor>
    </Group>
  );
}
