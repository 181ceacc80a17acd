import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { FormModal } from "../../components/form_modal.tsx";
import type { SourceDialogProps } from "./dialog_props.ts";
import { SourceFields } from "./source_fields.tsx";
import { useSourceForm } from "./use_source_form.ts";

export function EditSourceModal({ source, isOpen, close }: SourceDialogProps) {
  const { form, submitTo } = useSourceForm(source);
  const save = useApiAction(
    "PATCH /sources/{id}",
    (body: ApiBody<"PATCH /sources/{id}">) => ({ params: { id: source.id }, body }),
    { onSuccess: close },
  );
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title="Edit source"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      action={save}
      size="lg"
    >
      <SourceFields form={form} isNew={false} />
    </FormModal>
  );
}
