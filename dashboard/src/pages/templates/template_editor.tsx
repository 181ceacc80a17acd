import {
  Button,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { newTemplate } from "../../api/schemas.ts";
import type { Template } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useMay } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { type Contents, TemplatePreview } from "./template_preview.tsx";

const formOptions = [
  { value: "html", label: "HTML" },
  { value: "mjml", label: "MJML" },
  { value: "text", label: "Text only" },
];

const previewDelayMs = 600;

function useEditor(template: Template) {
  return useApiForm({
    schema: newTemplate,
    initialValues: {
      name: template.name,
      subject: template.subject,
      form: template.mjml ? "mjml" : template.html ? "html" : "text",
      body: template.mjml ?? template.html ?? template.text ?? "",
      strict: template.strict,
      track_opens: template.track_opens,
      track_clicks: template.track_clicks,
    },
    toBody: ({ form, body, ...values }) => ({ ...values, [form]: body }),
  });
}

type EditorForm = ReturnType<typeof useEditor>["form"];

/** Edits a template beside its preview, which follows a moment after each change. */
export function TemplateEditor({ template }: { template: Template }) {
  const mayEdit = useMay("member");
  const { form, submitTo, generalError } = useEditor(template);
  const save = useApiAction(
    "PATCH /templates/{id}",
    (body: ApiBody<"POST /templates">) => ({ params: { id: template.id }, body }),
    { onSuccess: () => form.resetDirty() },
  );
  const { subject, form: format, body } = form.values;
  const [contents] = useDebouncedValue<Contents>(
    toContents({ subject, format, body }),
    previewDelayMs,
  );
  const error = generalError(save.error);
  const isDirty = form.isDirty();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Paper p="md">
        <form onSubmit={submitTo(save)} noValidate>
          <Stack>
            <EditorFields form={form} mayEdit={mayEdit} />
            {error && <ErrorState error={error} />}
            {mayEdit && (
              <Group justify="space-between">
                <Text size="sm" c="dimmed" role="status">
                  {isDirty ? "Not saved yet" : `Version ${template.version}`}
                </Text>
                <Button type="submit" loading={save.isPending} disabled={!isDirty}>
                  Save as a new version
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Paper>
      <Paper p="md">
        <TemplatePreview template={template} contents={contents} />
      </Paper>
    </SimpleGrid>
  );
}

function EditorFields({ form, mayEdit }: { form: EditorForm; mayEdit: boolean }) {
  return (
    <>
      <TextInput label="Name" readOnly={!mayEdit} {...form.getInputProps("name")} />
      <TextInput
        label="Subject"
        withAsterisk
        readOnly={!mayEdit}
        {...form.getInputProps("subject")}
      />
      <Select
        label="Format"
        data={formOptions}
        allowDeselect={false}
        readOnly={!mayEdit}
        {...form.getInputProps("form")}
      />
      <Textarea
        label="Body"
        description="Liquid, such as {{ customer.first_name }}"
        classNames={{ input: "mono" }}
        autosize
        minRows={16}
        maxRows={40}
        spellCheck={false}
        readOnly={!mayEdit}
        {...form.getInputProps("body")}
        error={form.errors[form.values.form]}
      />
      <Switch
        label="Stop the send if a variable is missing"
        disabled={!mayEdit}
        {...form.getInputProps("strict", { type: "checkbox" })}
      />
      <Group>
        <Switch
          label="Track opens"
          disabled={!mayEdit}
          {...form.getInputProps("track_opens", { type: "checkbox" })}
        />
        <Switch
          label="Track clicks"
          disabled={!mayEdit}
          {...form.getInputProps("track_clicks", { type: "checkbox" })}
        />
      </Group>
    </>
  );
}

interface Written {
  subject: string;
  format: string;
  body: string;
}

function toContents({ subject, format, body }: Written): Contents {
  return { subject, [format]: body };
}
