import { Button, Textarea, TextInput } from "@mantine/core";
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

/** Creates a template, which is then edited on its page. */
export function TemplateModal({ onCreated, ...dialog }: TemplateModalProps) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "template:new",
    schema: "newTemplate",
    initialValues: { name: "", key: "", subject: "", form: "html", body: "" },
    toBody: (values) => ({
      name: values.name,
      key: textOrNull(values.key),
      subject: values.subject,
      [values.form]: values.body,
    }),
    check: (values) => values.body.trim() === "" ? { [values.form]: "Write the body" } : {},
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
      size="xl"
    >
      <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Key"
        description="Identifies the template in journeys and in the API"
        placeholder="welcome"
        {...form.getInputProps("key")}
      />
      <TextInput
        label="Subject"
        placeholder="Hello {{ customer.first_name }}"
        withAsterisk
        {...form.getInputProps("subject")}
      />
      <Select
        label="Format"
        data={formOptions}
        allowDeselect={false}
        {...form.getInputProps("form")}
      />
      <Textarea
        label="Body"
        classNames={{ input: "mono" }}
        autosize
        minRows={10}
        maxRows={24}
        {...form.getInputProps("body")}
        error={form.errors[form.values.form]}
      />
      {form.values.body.trim() === "" && (
        <FrameButton
          format={form.values.form as BodyFormat}
          onFill={(frame) => {
            form.setFieldValue("body", frame);
            form.clearFieldError(form.values.form);
          }}
        />
      )}
    </FormModal>
  );
}

interface FrameButtonProps {
  format: BodyFormat;
  onFill: (frame: string) => void;
}

/** Fills an empty body with a whole mail; shown for formats that have one. */
function FrameButton({ format, onFill }: FrameButtonProps) {
  const frame = makeFrame(format);
  return frame !== undefined && (
    <Button
      variant="default"
      size="xs"
      style={{ alignSelf: "flex-start" }}
      onClick={() => onFill(frame)}
    >
      Start from an example
    </Button>
  );
}

/** Returns the error if it is about a field that the form does not have by this name. */
function shownElsewhere(errors: Record<string, unknown>, error: Error | null): Error | null {
  return Object.keys(errors).length === 0 ? error : null;
}
