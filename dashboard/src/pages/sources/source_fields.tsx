import { JsonInput, Stack, Textarea, TextInput } from "@mantine/core";
import { HmacFields } from "./hmac_fields.tsx";
import { presetOptions, schemeOptions, schemeTexts, secretHint, secretLabel } from "./schemes.ts";
import type { SourceForm } from "./use_source_form.ts";
import { Select } from "../../ui/overlays.tsx";

const example = JSON.stringify({
  name: "/type",
  external_id: "/data/user/id",
  properties: "/data",
});

interface SourceFieldsProps {
  form: SourceForm;
  isNew: boolean;
}

type Scheme = SourceForm["values"]["scheme"];

/** Chooses the sender, and its preset if it has one of its own. */
function chooseSender(form: SourceForm, scheme: Scheme): void {
  const preset = presetOptions.find(({ value }) => value === scheme)?.value ?? null;
  const isOwn = presetOptions.some(({ value }) => value === form.values.scheme);
  form.setValues({ scheme, ...preset || isOwn ? { preset } : {} });
}

export function SourceFields({ form, isNew }: SourceFieldsProps) {
  const { scheme } = form.values;
  const words = schemeTexts[scheme];
  return (
    <Stack>
      <TextInput label="Name" placeholder="Our shop" withAsterisk {...form.getInputProps("name")} />
      {isNew && (
        <Select
          label="Sender"
          description="Determines how signatures are verified"
          data={schemeOptions}
          allowDeselect={false}
          {...form.getInputProps("scheme")}
          onChange={(value) => value && chooseSender(form, value as Scheme)}
        />
      )}
      {scheme === "hmac" && <HmacFields form={form} />}
      {isNew && !words.isWithoutSecret && (
        <TextInput
          label={secretLabel(scheme)}
          description={secretHint(scheme, form.values.hmac)}
          placeholder={words.isSenders ? "You can add it later" : ""}
          autoComplete="off"
          classNames={{ input: "mono" }}
          {...form.getInputProps("secret")}
        />
      )}
      {scheme === "sns" && (
        <TextInput
          label="Topic ARN"
          description="Messages from other topics are refused"
          placeholder="arn:aws:sns:us-east-1:123456789012:mail"
          withAsterisk
          classNames={{ input: "mono" }}
          {...form.getInputProps("topic_arn")}
        />
      )}
      <Select
        label="Preset"
        description="Reads this sender’s payloads without a mapping"
        placeholder="None"
        data={presetOptions}
        clearable
        {...form.getInputProps("preset")}
      />
      <JsonInput
        label="Mapping"
        description="JSON Pointers into the payload. With a preset, overrides only the customer IDs"
        placeholder={example}
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
