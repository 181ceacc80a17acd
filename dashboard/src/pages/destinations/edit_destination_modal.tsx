import type { z } from "zod";
import type { newDestination } from "../../api/schemas.ts";
import type { Destination } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { FormModal } from "../../components/form_modal.tsx";
import { DestinationFields } from "./destination_fields.tsx";
import type { DestinationDialogProps } from "./dialog_props.ts";
import { useDestinationForm } from "./use_destination_form.ts";

export function EditDestinationModal({ destination, isOpen, close }: DestinationDialogProps) {
  const { form, submitTo } = useDestinationForm(destination);
  const save = useApiAction<Destination, z.input<typeof newDestination>>((body) => ({
    path: `/destinations/${destination.id}`,
    method: "PATCH",
    body,
  }), { onSuccess: close });
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
