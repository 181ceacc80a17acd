import { JsonInput, Stack, Textarea, TextInput } from "@mantine/core";
import { FilledHmacFields, HmacFields } from "./hmac_fields.tsx";
import type { KnownSender } from "./known_senders.ts";
import { presetOptions, schemeTexts, secretHint, secretLabel } from "./schemes.ts";
import type { SourceForm } from "./use_source_form.ts";
import { Select } from "../../ui/overlays.tsx";

const example = JSON.stringify({
  name: "/type",
  external_id: "/data/user/id",
  properties: "/data",
});

interface SourceFieldsProps {
  form: SourceForm;
  /** The sender of a new source. */
  sender?: KnownSender;
}

export function SourceFields({ form, sender }: SourceFieldsProps) {
  const { scheme, preset } = form.values;
  const words = schemeTexts[scheme];
  const isKnown = sender !== undefined && !sender.isGeneric;
  return (
    <Stack>
      <TextInput label="Name" placeholder="Our shop" withAsterisk {...form.getInputProps("name")} />
      {scheme === "hmac" && !isKnown && <HmacFields form={form} />}
      {sender && !words.isWithoutSecret && (
        <TextInput
          label={secretLabel(scheme)}
          description={secretHint(scheme, form.values.hmac)}
          placeholder={words.isSenders ? "You can add it later" : ""}
          autoComplete="off"
          classNames={{ input: "mono" }}
          {...form.getInputProps("secret")}
        />
      )}
      {scheme === "hmac" && isKnown && <FilledHmacFields form={form} sender={sender.label} />}
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
      {!isKnown && (
        <Select
          label="Preset"
          description="Reads this sender’s payloads without a mapping"
          placeholder="None"
          data={presetOptions}
          clearable
          {...form.getInputProps("preset")}
        />
      )}
      <JsonInput
        label="Mapping"
        description={describeMapping({ isNew: sender !== undefined, hasPreset: preset !== null })}
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

function describeMapping({ isNew, hasPreset }: { isNew: boolean; hasPreset: boolean }): string {
  const pointers = "JSON Pointers into the payload";
  if (hasPreset) return `${pointers}. With a preset, overrides only the customer IDs`;
  return isNew
    ? `${pointers}. Leave empty to choose the values in the first request that arrives`
    : pointers;
}
