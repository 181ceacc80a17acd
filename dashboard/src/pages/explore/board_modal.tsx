import type { View } from "../../api/types.ts";
import { listRows, useApiAction } from "../../api/use_api.ts";
import { useDraftState } from "../../api/use_draft.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Autocomplete } from "../../ui/overlays.tsx";
import { boardOfView, listBoards } from "./boards.ts";
import { useSavedQuestions } from "./use_saved_questions.ts";

interface BoardModalProps extends DialogProps {
  view: View;
}

/** Puts a saved question on a board, or takes it off. */
export function BoardModal({ view, ...dialog }: BoardModalProps) {
  const boards = listBoards(listRows(useSavedQuestions()));
  const [name, setName, draft] = useDraftState(`${boardOfView}${view.id}`, view.board ?? "");
  const move = useApiAction(
    "PATCH /views/{id}",
    () => ({ params: { id: view.id }, body: { board: name.trim() || null } }),
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
      title="Choose a board"
      submitLabel="Save"
      onSubmit={() => move.mutate()}
      isPending={move.isPending}
      isIncomplete={name.trim() === (view.board ?? "")}
      error={move.error}
      draft={draft}
    >
      <Autocomplete
        label="Board"
        description="A new name makes a new board. Leave it empty to take the question off its board."
        data={boards}
        value={name}
        onChange={setName}
        maxLength={100}
        data-autofocus
      />
    </FormModal>
  );
}
