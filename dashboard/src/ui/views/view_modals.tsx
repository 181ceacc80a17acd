import { Text, TextInput } from "@mantine/core";
import type { ViewedList } from "../../../../supabase/functions/api/contract/views.ts";
import { ApiCallError, isConflict } from "../../api/api_client.ts";
import type { View } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { ConfirmModal } from "../confirm_modal.tsx";
import { type DialogProps, FormModal } from "../form_modal.tsx";
import { renamedView, type ViewContents } from "./current_view.ts";

/** Words of a list for its views. */
interface Words {
  noun: string;
  /** Says what is saved. */
  saved: string;
  /** Says what stays when one is deleted. */
  kept: string;
  taken: string;
}

const viewWords: Words = {
  noun: "view",
  saved: "It saves the filters and the columns.",
  kept: "No rows are deleted.",
  taken: "This list has a view with this name",
};

const questionWords: Words = {
  noun: "question",
  saved: "It saves the question and its time range.",
  kept: "No events are deleted.",
  taken: "Another question has this name",
};

function wordsOf(list: string): Words {
  return list === "explore" ? questionWords : viewWords;
}

interface SaveViewProps extends DialogProps {
  list: ViewedList;
  contents: ViewContents;
  onSaved: (view: View) => void;
}

/** Saves the filters and columns of a list under a new name. */
export function SaveViewModal({ list, contents, onSaved, ...dialog }: SaveViewProps) {
  const { noun, saved, taken } = wordsOf(list);
  const [name, setName, draft] = useDraftState(`view:${list}`, "");
  const save = useApiAction("POST /views", () => ({ body: { list, name, ...contents } }), {
    onSuccess: (view) => {
      draft.forget();
      onSaved(view);
      dialog.close();
    },
  });
  return (
    <FormModal
      {...dialog}
      title={`Save this ${noun}`}
      submitLabel={`Save ${noun}`}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      isIncomplete={name.trim() === ""}
      error={explainName(save.error, taken) === undefined ? save.error : null}
      draft={draft}
    >
      <NameField
        description={`Everyone in the workspace sees it. ${saved}`}
        taken={taken}
        name={name}
        setName={setName}
        action={save}
      />
    </FormModal>
  );
}

interface ViewDialogProps extends DialogProps {
  view: View;
}

/** Gives a view another name. */
export function RenameViewModal({ view, ...dialog }: ViewDialogProps) {
  const { noun, taken } = wordsOf(view.list);
  const [name, setName, draft] = useDraftState(`${renamedView}${view.id}`, view.name);
  const rename = useApiAction(
    "PATCH /views/{id}",
    () => ({ params: { id: view.id }, body: { name } }),
    {
      onSuccess: () => {
        draft.forget();
        dialog.close();
      },
    },
  );
  return (
    <FormModal
      {...dialog}
      title={`Rename this ${noun}`}
      submitLabel={`Rename ${noun}`}
      onSubmit={() => rename.mutate()}
      isPending={rename.isPending}
      isIncomplete={name.trim() === "" || name === view.name}
      error={explainName(rename.error, taken) === undefined ? rename.error : null}
      draft={draft}
    >
      <NameField
        description="Everyone in the workspace sees it."
        taken={taken}
        name={name}
        setName={setName}
        action={rename}
      />
    </FormModal>
  );
}

/** Deletes a view after a question. */
export function DeleteViewModal({ view, ...dialog }: ViewDialogProps) {
  const { noun, kept } = wordsOf(view.list);
  const remove = useApiAction("DELETE /views/{id}", () => ({ params: { id: view.id } }), {
    onSuccess: dialog.close,
  });
  return (
    <ConfirmModal
      {...dialog}
      title={`Delete this ${noun}?`}
      confirmLabel={`Delete ${noun}`}
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Deletes the {noun} “<bdi>{view.name}</bdi>” for everyone. {kept}
      </Text>
    </ConfirmModal>
  );
}

interface NameFieldProps {
  description: string;
  /** Says that another one has the name. */
  taken: string;
  name: string;
  setName: (name: string) => void;
  action: { error: Error | null; reset: () => void };
}

function NameField({ description, taken, name, setName, action }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      description={description}
      value={name}
      onChange={(event) => {
        action.reset();
        setName(event.currentTarget.value);
      }}
      error={explainName(action.error, taken)}
      data-autofocus
    />
  );
}

/** Explains an error that is about the name; returns undefined for others. */
function explainName(error: Error | null, taken: string): string | undefined {
  if (isConflict(error)) return taken;
  const details = error instanceof ApiCallError ? error.body.details ?? [] : [];
  const found = details.find(({ field }) => field === "name");
  return found && `Name ${found.message}`;
}
