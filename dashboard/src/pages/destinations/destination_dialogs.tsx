import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Destination } from "../../api/types.ts";
import { RecoverModal, ReplayModal } from "./resend_modals.tsx";
import { RotateSecretModal } from "./rotate_secret_modal.tsx";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { DestinationFields, useDestinationForm } from "./destination_form.tsx";
import type { DestinationDialogProps } from "./dialog_props.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { countOf } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";

export type Dialog = "edit" | "rotate" | "replay" | "recover" | "delete";

interface DestinationDialogsProps {
  destination: Destination;
  /** The open one. */
  dialog: Dialog | null;
  close: () => void;
}

/** What is done to a destination after a question or two; loaded when the first one is asked. */
export default function DestinationDialogs(props: DestinationDialogsProps) {
  const { destination, dialog, close } = props;
  const propsOf = (name: Dialog) => ({ destination, isOpen: dialog === name, close });
  return (
    <>
      <EditDestinationModal {...propsOf("edit")} />
      <RotateSecretModal {...propsOf("rotate")} />
      <ReplayModal {...propsOf("replay")} />
      <RecoverModal {...propsOf("recover")} />
      <DeleteDestinationModal {...propsOf("delete")} />
    </>
  );
}

export function EditDestinationModal({ destination, isOpen, close }: DestinationDialogProps) {
  const { form, submitTo } = useDestinationForm(destination);
  const save = useApiAction(
    "PATCH /destinations/{id}",
    (body: ApiBody<"POST /destinations">) => ({ params: { id: destination.id }, body }),
    { onSuccess: close },
  );
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title="Edit destination"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      action={save}
      size="lg"
    >
      <DestinationFields form={form} />
    </FormModal>
  );
}

export function DeleteDestinationModal({ destination, isOpen, close }: DestinationDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const remove = useApiAction(
    "DELETE /destinations/{id}",
    () => ({ params: { id: destination.id } }),
    {
      onSuccess: () =>
        void navigate({ to: "/w/$workspaceId/destinations", params: { workspaceId } }),
    },
  );
  return (
    <ConfirmModal
      isOpen={isOpen}
      close={close}
      title="Delete this destination?"
      confirmLabel="Delete"
      typed={{ label: "Type its name to confirm", value: destination.name }}
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Nothing more is sent to <b>{destination.name}</b>, and{" "}
        {countOf(destination.health.pending, "waiting message")}{" "}
        will not be delivered. To stop for a while, disable it instead.
      </Text>
    </ConfirmModal>
  );
}
