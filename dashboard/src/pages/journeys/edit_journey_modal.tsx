import { Textarea, TextInput } from "@mantine/core";
import type { Journey } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";

/** Changes the name, key and description of a journey. */
export function EditJourneyModal({ journey, ...dialog }: DialogProps & { journey: Journey }) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: `journey-name:${journey.id}`,
    schema: "journeyEdit",
    resource: journey,
    initialValues: {
      name: journey.name,
      key: journey.key ?? "",
      description: journey.description ?? "",
    },
    toBody: ({ name, key, description }) => ({
      name,
      key: textOrNull(key),
      description: textOrNull(description),
    }),
  });
  const save = useApiAction(
    "PATCH /journeys/{id}",
    (body: ApiBody<"PATCH /journeys/{id}">) => ({ params: { id: journey.id }, body }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Name and key"
      submitLabel="Save"
      onSubmit={submitTo(save)}
      isPending={save.isPending}
      error={generalError(save.error)}
      draft={draft}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Key"
        description="Identifies the journey in conditions and in the API"
        placeholder="welcome"
        {...form.getInputProps("key")}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps("description")} />
    </FormModal>
  );
}
