import type { Destination } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { showCondition } from "../../conditions/show_condition.tsx";
import { countOf } from "../../format/numbers.ts";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { useReturn } from "../../ui/use_list_before.ts";
import { DestinationFields } from "./destination_fields.tsx";
import { DisableModal, EnableModal } from "./enable_modals.tsx";
import { RecoverModal, ReplayModal } from "./job_modals.tsx";
import { RotateSecretModal } from "./rotate_secret_modal.tsx";
import { useDestinationForm } from "./use_destination_form.ts";

export type Dialog = "edit" | "rotate" | "replay" | "recover" | "enable" | "disable" | "delete";

type DestinationDialog = DialogProps & { destination: Destination };

interface DestinationDialogsProps {
  destination: Destination;
  /** The open dialog. */
  dialog: Dialog | null;
  /** Counts the times that a dialog was opened. */
  openings: number;
  close: () => void;
}

/** The dialogs of a destination, which load when the first one opens. */
export default function DestinationDialogs(props: DestinationDialogsProps) {
  const { destination, dialog, openings, close } = props;
  const propsOf = (name: Dialog) => ({ destination, isOpen: dialog === name, close });
  return (
    <>
      <EditDestinationModal key={openings} {...propsOf("edit")} />
      <RotateSecretModal {...propsOf("rotate")} />
      <ReplayModal {...propsOf("replay")} />
      <RecoverModal {...propsOf("recover")} />
      <EnableModal {...propsOf("enable")} />
      <DisableModal {...propsOf("disable")} />
      <DeleteDestinationModal {...propsOf("delete")} />
    </>
  );
}

function EditDestinationModal({ destination, ...dialog }: DestinationDialog) {
  const { form, submitTo, generalError, draft } = useDestinationForm(destination);
  const save = useApiAction(
    "PATCH /destinations/{id}",
    (body: ApiBody<"POST /destinations">) => ({ params: { id: destination.id }, body }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Edit destination"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      draft={draft}
      shows={{ filter: showCondition }}
      size="xl"
    >
      <DestinationFields form={form} error={save.error} />
    </FormModal>
  );
}

function DeleteDestinationModal({ destination, ...dialog }: DestinationDialog) {
  const goBack = useReturn("/destinations");
  const remove = useApiAction(
    "DELETE /destinations/{id}",
    () => ({ params: { id: destination.id } }),
    {
      onSuccess: goBack,
    },
  );
  const { pending } = destination.health;
  return (
    <DeleteModal {...dialog} noun="destination" name={destination.name} action={remove}>
      Signalpost stops sending to <b dir="auto">{destination.name}</b>
      {pending > 0 && `, and ${countOf(pending, "waiting message")} will never be delivered`}. To
      pause deliveries, disable the destination instead.
    </DeleteModal>
  );
}
