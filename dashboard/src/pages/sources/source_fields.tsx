import { JsonInput, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { PRESET_OPTIONS, SCHEME_OPTIONS, SCHEMES } from "./schemes.ts";
import type { SourceForm } from "./use_source_form.ts";

const EXAMPLE = JSON.stringify({
  name: "/type",
  external_id: "/data/user/id",
  properties: "/data",
});

interface SourceFieldsProps {
  form: SourceForm;
  isNew: boolean;
}

export function SourceFields({ form, isNew }: SourceFieldsProps) {
  const { scheme } = form.values;
  return (
    <Stack>
      <TextInput label="Name" placeholder="Our shop" {...form.getInputProps("name")} />
      {isNew && (
        <>
          <Select
            label="Sender"
            description="Decides how its signatures are verified"
            data={SCHEME_OPTIONS}
            allowDeselect={false}
            {...form.getInputProps("scheme")}
          />
          <TextInput
            label="Signing secret"
            description={SCHEMES[scheme].secret}
            placeholder={SCHEMES[scheme].isSenders ? "Can be given later" : ""}
            autoComplete="off"
            classNames={{ input: "mono" }}
            {...form.getInputProps("secret")}
          />
        </>
      )}
      <Select
        label="Preset"
        description="Understands the sender's payloads without a mapping"
        placeholder="None"
        data={PRESET_OPTIONS}
        clearable
        {...form.getInputProps("preset")}
      />
      <JsonInput
        label="Mapping"
        description="JSON Pointers into the payload; with a preset it only replaces the ids"
        placeholder={EXAMPLE}
        classNames={{ input: "mono" }}
        autosize
        minRows={4}
        maxRows={14}
        formatOnBlur
        {...form.getInputProps("mapping")}
      />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps("description")} />
    </Stack>
  );
}
