import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { FormModal } from "../../components/form_modal.tsx";
import { DestinationFields } from "./destination_fields.tsx";
import type { DestinationDialogProps } from "./dialog_props.ts";
import { useDestinationForm } from "./use_destination_form.ts";

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
