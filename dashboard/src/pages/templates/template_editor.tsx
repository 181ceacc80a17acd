import { Group, Paper, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import type { Template } from "../../api/types.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useMay } from "../../api/workspace.ts";
import { DraftNotice } from "../../ui/draft_notice.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { SaveButton } from "../../ui/save_button.tsx";
import { useModule } from "../../ui/use_module.ts";
import type { BodyFormat } from "./editor/body_language.ts";
import { TemplateBody } from "./template_body.tsx";
import { type Contents, usePreview } from "./use_preview.ts";
import type { SampleData } from "./use_sample_data.ts";
import { Select } from "../../ui/overlays.tsx";

const formOptions: { value: BodyFormat; label: string }[] = [
  { value: "html", label: "HTML" },
  { value: "mjml", label: "MJML" },
  { value: "text", label: "Text only" },
];

const previewDelayMs = 600;

function useEditor(template: Template) {
  return useApiForm({
    draft: `template:${template.id}`,
    schema: "newTemplate",
    resource: template,
    readAs: { subject: "version", html: "version", mjml: "version", text: "version" },
    initialValues: {
      name: template.name,
      subject: template.subject,
      form: (template.mjml ? "mjml" : template.html ? "html" : "text") as BodyFormat,
      body: template.mjml ?? template.html ?? template.text ?? "",
      ownsText: !template.is_text_generated && template.html !== null,
      text: template.text ?? "",
      strict: template.strict,
      track_opens: template.track_opens,
      track_clicks: template.track_clicks,
    },
    toBody: ({ form, body, ownsText, text, ...values }) => ({
      ...values,
      ...toBodyFields({ form, body, ownsText, text }),
    }),
  });
}

interface WrittenBody {
  form: BodyFormat;
  body: string;
  /** True if the text part is written, and not made from the HTML. */
  ownsText: boolean;
  text: string;
}

/** The other forms of a body are removed. */
function toBodyFields({ form, body, ownsText, text }: WrittenBody) {
  if (form === "text") return { html: null, mjml: null, text: body };
  return { [form]: body, text: ownsText ? text : null };
}

type EditorForm = ReturnType<typeof useEditor>["form"];

interface TemplateEditorProps {
  template: Template;
  sample: SampleData;
}

/** Edits a template beside its preview. */
export function TemplateEditor({ template, sample }: TemplateEditorProps) {
  const mayEdit = useMay("member");
  const { form, submitTo, generalError, draft } = useEditor(template);
  const save = useApiAction(
    "PATCH /templates/{id}",
    (body: ApiBody<"POST /templates">) => ({ params: { id: template.id }, body }),
  );
  const { subject, form: format, body, ownsText, text } = form.values;
  const written = useMemo<Contents>(
    () => ({ subject, ...toBodyFields({ form: format, body, ownsText, text }) }),
    [subject, format, body, ownsText, text],
  );
  const [contents] = useDebouncedValue(written, previewDelayMs);
  const preview = usePreview({ templateId: template.id, contents, data: sample.data });
  const panel = useModule("template_preview", () => import("./template_preview.tsx"));
  const error = generalError(save.error);
  const isDirty = draft.isDirty();
  const version = Math.max(template.version, save.data?.version ?? 0);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Paper p="md">
        <form noValidate onSubmit={submitTo(save)}>
          <Stack>
            <Group justify="space-between">
              <Group gap="sm">
                <Text size="sm" c="dimmed" role="status">
                  {isDirty ? "Not saved yet" : `Version ${version}`}
                </Text>
                {panel && preview.rendered && <panel.ProblemsLink rendered={preview.rendered} />}
              </Group>
              {mayEdit && (
                <SaveButton isDirty={isDirty} isPending={save.isPending}>
                  Save as a new version
                </SaveButton>
              )}
            </Group>
            {error && <ErrorState error={error} />}
            <DraftNotice draft={draft} />
            <EditorFields form={form} mayEdit={mayEdit} sample={sample} />
          </Stack>
        </form>
      </Paper>
      <Paper p="md">
        {panel
          ? <panel.TemplatePreview preview={preview} sample={sample} />
          : <Text size="sm" c="dimmed" role="status">The preview is loading.</Text>}
      </Paper>
    </SimpleGrid>
  );
}

interface EditorFieldsProps {
  form: EditorForm;
  mayEdit: boolean;
  sample: SampleData;
}

function EditorFields({ form, mayEdit, sample }: EditorFieldsProps) {
  const { form: format, body } = form.values;
  return (
    <>
      <TextInput label="Name" readOnly={!mayEdit} {...form.getInputProps("name")} />
      <TextInput
        label="Subject"
        description="Liquid, such as {{ customer.first_name }}"
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
      <TemplateBody
        format={format}
        value={body}
        onChange={(value) => form.setFieldValue("body", value)}
        isReadOnly={!mayEdit}
        error={form.errors[format]}
        sample={sample}
      />
      {format !== "text" && <TextPart form={form} mayEdit={mayEdit} />}
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

/** The part for programs that show no HTML. */
function TextPart({ form, mayEdit }: { form: EditorForm; mayEdit: boolean }) {
  return (
    <>
      <Switch
        label="Write the text part myself"
        description="Otherwise it is made from the HTML"
        disabled={!mayEdit}
        {...form.getInputProps("ownsText", { type: "checkbox" })}
      />
      {form.values.ownsText && (
        <Textarea
          label="Text part"
          classNames={{ input: "mono" }}
          autosize
          minRows={6}
          maxRows={20}
          readOnly={!mayEdit}
          {...form.getInputProps("text")}
        />
      )}
    </>
  );
}
