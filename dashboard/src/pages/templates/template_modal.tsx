import { TextInput } from "@mantine/core";
import type { Template } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { Select } from "../../ui/overlays.tsx";
import { makeFrame } from "./editor/blocks.ts";
import type { BodyFormat } from "./editor/body_language.ts";

const formOptions = [
  { value: "html", label: "HTML" },
  { value: "mjml", label: "MJML" },
  { value: "text", label: "Text only" },
];

interface TemplateModalProps extends DialogProps {
  onCreated: (template: Template) => void;
}

/** Creates a template from an example, which is then edited on its page. */
export function TemplateModal({ onCreated, ...dialog }: TemplateModalProps) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "template:new",
    schema: "newTemplate",
    initialValues: { name: "", key: "", form: "html" },
    toBody: (values) => ({
      name: values.name,
      key: textOrNull(values.key),
      subject: values.name,
      [values.form]: makeFrame(values.form as BodyFormat),
    }),
  });
  const create = useApiAction(
    "POST /templates",
    (body: ApiBody<"POST /templates">) => ({ body }),
    { onSuccess: onCreated },
  );
  return (
    <FormModal
      {...dialog}
      title="New template"
      submitLabel="Create template"
      onSubmit={submitTo(create)}
      isPending={create.isPending}
      error={generalError(create.error) ?? shownElsewhere(form.errors, create.error)}
      draft={draft}
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Key"
        description="Identifies the template in journeys and in the API"
        placeholder="welcome"
        {...form.getInputProps("key")}
      />
      <Select
        label="Format"
        description="The editor opens with an example to change"
        data={formOptions}
        allowDeselect={false}
        {...form.getInputProps("form")}
      />
    </FormModal>
  );
}

/** Returns the error if it is about a field that the form does not have by this name. */
function shownElsewhere(errors: Record<string, unknown>, error: Error | null): Error | null {
  return Object.keys(errors).length === 0 ? error : null;
}
