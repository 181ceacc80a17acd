import { Text, TextInput } from "@mantine/core";
import type { ViewedList } from "../../../../supabase/functions/api/contract/views.ts";
import { ApiCallError, isConflict } from "../../api/api_client.ts";
import type { View } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { ConfirmModal } from "../confirm_modal.tsx";
import { type DialogProps, FormModal } from "../form_modal.tsx";
import { renamedView, type ViewContents } from "./current_view.ts";

interface SaveViewProps extends DialogProps {
  list: ViewedList;
  contents: ViewContents;
  onSaved: (view: View) => void;
}

/** Saves the filters and columns of a list under a new name. */
export function SaveViewModal({ list, contents, onSaved, ...dialog }: SaveViewProps) {
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
      title="Save this view"
      submitLabel="Save view"
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      isIncomplete={name.trim() === ""}
      error={explainName(save.error) === undefined ? save.error : null}
      draft={draft}
    >
      <NameField
        description="Everyone in the workspace sees it. It saves the filters and the columns."
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
      title="Rename this view"
      submitLabel="Rename view"
      onSubmit={() => rename.mutate()}
      isPending={rename.isPending}
      isIncomplete={name.trim() === "" || name === view.name}
      error={explainName(rename.error) === undefined ? rename.error : null}
      draft={draft}
    >
      <NameField
        description="Everyone in the workspace sees it."
        name={name}
        setName={setName}
        action={rename}
      />
    </FormModal>
  );
}

/** Deletes a view after a question. */
export function DeleteViewModal({ view, ...dialog }: ViewDialogProps) {
  const remove = useApiAction("DELETE /views/{id}", () => ({ params: { id: view.id } }), {
    onSuccess: dialog.close,
  });
  return (
    <ConfirmModal
      {...dialog}
      title="Delete this view?"
      confirmLabel="Delete view"
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Deletes the view “<bdi>{view.name}</bdi>” for everyone. No rows are deleted.
      </Text>
    </ConfirmModal>
  );
}

interface NameFieldProps {
  description: string;
  name: string;
  setName: (name: string) => void;
  action: { error: Error | null; reset: () => void };
}

function NameField({ description, name, setName, action }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      description={description}
      value={name}
      onChange={(event) => {
        action.reset();
        setName(event.currentTarget.value);
      }}
      error={explainName(action.error)}
      data-autofocus
    />
  );
}

/** Explains an error that is about the name; returns undefined for others. */
function explainName(error: Error | null): string | undefined {
  if (isConflict(error)) return "This list has a view with this name";
  const details = error instanceof ApiCallError ? error.body.details ?? [] : [];
  const found = details.find(({ field }) => field === "name");
  return found && `Name ${found.message}`;
}
