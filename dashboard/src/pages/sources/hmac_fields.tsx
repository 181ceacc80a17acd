import { NumberInput, Paper, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { valuesOfSender } from "./hmac_settings.ts";
import { HMAC_SENDER_OPTIONS } from "./schemes.ts";
import type { SourceForm } from "./use_source_form.ts";

const SEPARATORS = [
  { value: ",", label: "Comma" },
  { value: ";", label: "Semicolon" },
  { value: " ", label: "Space" },
];

/** How a sender signs by HMAC; choosing one fills the fields in. */
export function HmacFields({ form }: { form: SourceForm }) {
  const field = (name: string) => form.getInputProps(`hmac.${name}`);
  return (
    <Paper p="md" role="group" aria-label="How the sender signs">
      <Stack>
        <Select
          label="Sender's settings"
          description="Fills in the fields below as the sender documents them"
          placeholder="Choose a sender"
          data={HMAC_SENDER_OPTIONS}
          searchable
          onChange={(name) => name && form.setFieldValue("hmac", valuesOfSender(name as never))}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Signature header"
            description="The header with the signature"
            placeholder="X-Signature"
            withAsterisk
            {...field("header")}
          />
          <TextInput
            label="Signature prefix"
            description="What the signature starts with"
            placeholder="sha256="
            {...field("prefix")}
          />
          <Select
            label="Algorithm"
            data={[
              { value: "sha256", label: "HMAC-SHA256" },
              { value: "sha512", label: "HMAC-SHA512" },
              { value: "sha1", label: "HMAC-SHA1" },
            ]}
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
            description="Uses {body}, {timestamp}, {method}, {url}"
            classNames={{ input: "mono" }}
            {...field("signed")}
          />
          <Select
            label="Separator"
            description="If the header has several parts"
            placeholder="None"
            data={SEPARATORS}
            clearable
            value={form.values.hmac.separator || null}
            onChange={(value) => form.setFieldValue("hmac.separator", value ?? "")}
            error={form.errors["hmac.separator"]}
          />
          <TextInput
            label="Timestamp header"
            description="If the time has a header of its own"
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
          <Select
            label="Secret encoding"
            description="How the secret is written"
            data={["text", "base64", "hex"]}
            allowDeselect={false}
            {...field("secret_encoding")}
          />
          <TextInput
            label="Address for {url}"
            description="Leave empty to use the source's address"
            {...field("url")}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}
