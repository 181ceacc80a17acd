import { hmacSenders } from "../../../../supabase/functions/api/contract/hmac_senders.ts";
import { Paper, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { findSender, valuesOfSender } from "./hmac_settings.ts";
import { hmacSenderOptions } from "./schemes.ts";
import type { SourceForm } from "./use_source_form.ts";
import { NumberInput, Select } from "../../ui/overlays.tsx";

type GetField = (name: string) => ReturnType<SourceForm["getInputProps"]>;

const separators = [
  { value: ",", label: "Comma" },
  { value: ";", label: "Semicolon" },
  { value: " ", label: "Space" },
];

const algorithms = [
  { value: "sha256", label: "HMAC-SHA256" },
  { value: "sha512", label: "HMAC-SHA512" },
  { value: "sha1", label: "HMAC-SHA1" },
];

/** The settings of HMAC signatures. Choosing a sender fills them in. */
export function HmacFields({ form }: { form: SourceForm }) {
  return (
    <Paper p="md" role="group" aria-label="How the sender signs">
      <Stack>
        <SenderSelect form={form} />
        <SettingFields form={form} />
      </Stack>
    </Paper>
  );
}

/** The settings of a known sender, behind a line until something about them is to be changed. */
export function FilledHmacFields({ form, sender }: { form: SourceForm; sender: string }) {
  const [isOpen, setIsOpen] = useState(form.isDirty("hmac"));
  const wrong = Object.keys(form.errors).find((field) => field.startsWith("hmac"));
  const isHidden = !isOpen && wrong === Object.keys(form.errors)[0];
  useEffect(() => {
    // The form could not move the focus to a field that was hidden.
    if (wrong !== undefined && isHidden) form.getInputNode(wrong)?.focus();
  }, [wrong]);
  return (
    <details
      open={isOpen || wrong !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="plain-summary">Signature settings, filled in for {sender}</summary>
      <Paper p="md" mt="xs">
        <SettingFields form={form} />
      </Paper>
    </details>
  );
}

function SettingFields({ form }: { form: SourceForm }) {
  const field: GetField = (name) => form.getInputProps(`hmac.${name}`);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label="Signature header"
        description="Header that holds the signature"
        placeholder="X-Signature"
        withAsterisk
        {...field("header")}
      />
      <TextInput
        label="Signature prefix"
        description="Text before the signature"
        placeholder="sha256="
        {...field("prefix")}
      />
      <Select
        label="Algorithm"
        data={algorithms}
        allowDeselect={false}
        {...field("algorithm")}
      />
      <Select
        label="Encoding"
        data={["hex", "base64"]}
        allowDeselect={false}
        {...field("encoding")}
      />
      <TextInput
        label="Signed text"
        description="Placeholders: {body}, {timestamp}, {method}, {url}"
        classNames={{ input: "mono" }}
        {...field("signed")}
      />
      <Select
        label="Separator"
        description="Between several parts of the header"
        placeholder="None"
        data={separators}
        clearable
        value={form.values.hmac.separator || null}
        onChange={(value) => form.setFieldValue("hmac.separator", value ?? "")}
        error={form.errors["hmac.separator"]}
      />
      <TimestampFields field={field} />
      <Select
        label="Secret encoding"
        description="Format of the secret"
        data={["text", "base64", "hex"]}
        allowDeselect={false}
        {...field("secret_encoding")}
      />
      <TextInput
        label="URL for {url}"
        description="Leave empty to use the webhook URL"
        {...field("url")}
      />
    </SimpleGrid>
  );
}

function TimestampFields({ field }: { field: GetField }) {
  return (
    <>
      <TextInput
        label="Timestamp header"
        description="If the time is in its own header"
        placeholder="X-Timestamp"
        {...field("timestamp_header")}
      />
      <TextInput
        label="Timestamp prefix"
        description="If the time is in the signature header"
        placeholder="t="
        {...field("timestamp_prefix")}
      />
      <Select
        label="Timestamp unit"
        data={["seconds", "milliseconds"]}
        allowDeselect={false}
        {...field("timestamp_unit")}
      />
      <NumberInput
        label="Tolerance (seconds)"
        min={1}
        max={3600}
        {...field("tolerance_seconds")}
      />
    </>
  );
}

function SenderSelect({ form }: { form: SourceForm }) {
  const choose = (name: keyof typeof hmacSenders) => {
    form.setFieldValue("hmac", valuesOfSender(name));
    if (form.values.name === "") form.setFieldValue("name", hmacSenders[name].label);
  };
  return (
    <Select
      label="HMAC sender"
      description="Fills in the settings below"
      placeholder="Choose a sender"
      data={hmacSenderOptions}
      searchable
      value={findSender(form.values.hmac) ?? null}
      onChange={(name) => name && choose(name as keyof typeof hmacSenders)}
    />
  );
}
