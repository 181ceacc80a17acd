import { PasswordInput, SimpleGrid, Text, TextInput } from "@mantine/core";
import type { Sender } from "../../api/types.ts";
import { useServices } from "../../api/services.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { textOrNull, useApiForm } from "../../api/use_api_form.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import {
  encryptions,
  findMissing,
  fromConfigValues,
  type Provider,
  type ProviderField,
  providers,
  secretFields,
  toConfigValues,
} from "./provider_fields.ts";
import { NumberInput, Select } from "../../ui/overlays.tsx";

const providerOptions = Object.entries(providers).map(([value, { label }]) => ({ value, label }));

/** Two fields side by side. */
const pair = { cols: { base: 1, xs: 2 }, verticalSpacing: "md" };
/** A description that only one of two fields has stands below, so that both are on one line. */
const belowInput: ("label" | "input" | "description" | "error")[] = [
  "label",
  "input",
  "description",
  "error",
];
const wholeRow = { gridColumn: "1 / -1" };

const unknownOptions = [
  { value: "stop", label: "Do not send it again: it may be lost" },
  { value: "repeat", label: "Send it again: it may arrive twice" },
];

function useSenderForm(sender: Sender | undefined) {
  const { hasInbox } = useServices().config;
  return useApiForm({
    draft: `sender:${sender?.id ?? "new"}`,
    secrets: secretFields.map((name) => `config.${name}`),
    schema: "newSender",
    resource: sender,
    initialValues: {
      name: sender?.name ?? "",
      key: sender?.key ?? "",
      provider: (sender?.provider ?? (hasInbox ? "inbox" : "resend")) as Provider,
      from: sender?.from ?? "",
      reply_to: sender?.reply_to ?? "",
      config: toConfigValues(sender?.config),
      rate_per_second: (sender?.rate_per_second ?? "") as number | "",
      on_unknown: sender?.on_unknown ?? "stop",
    },
    toBody: ({ provider, config, ...values }) => ({
      name: values.name,
      key: textOrNull(values.key),
      provider,
      from: values.from.trim(),
      reply_to: textOrNull(values.reply_to),
      config: fromConfigValues(provider, config),
      rate_per_second: values.rate_per_second || null,
      on_unknown: values.on_unknown,
    }),
    check: ({ provider, config }) =>
      findMissing(provider, { values: config, isStored: provider === sender?.provider }),
  });
}

type SenderForm = ReturnType<typeof useSenderForm>["form"];

interface SenderModalProps extends DialogProps {
  sender?: Sender;
  onCreated?: (sender: Sender) => void;
}

/** Creates a sender, or changes the given one. */
export function SenderModal({ sender, onCreated, ...dialog }: SenderModalProps) {
  const { form, submitTo, generalError, draft } = useSenderForm(sender);
  const create = useApiAction(
    "POST /senders",
    (body: ApiBody<"POST /senders">) => ({ body }),
    {
      onSuccess: (created) => {
        dialog.close();
        onCreated?.(created);
      },
    },
  );
  const save = useApiAction(
    "PATCH /senders/{id}",
    (body: ApiBody<"POST /senders">) => ({ params: { id: sender?.id ?? "" }, body }),
    { onSuccess: dialog.close },
  );
  const action = sender ? save : create;
  return (
    <FormModal
      {...dialog}
      title={sender ? "Edit sender" : "New sender"}
      submitLabel={sender ? "Save" : "Create sender"}
      onSubmit={submitTo(action)}
      isPending={action.isPending}
      error={generalError(action.error)}
      draft={draft}
      size="xl"
    >
      <SenderFields form={form} storedFor={sender?.provider} />
    </FormModal>
  );
}

interface SenderFieldsProps {
  form: SenderForm;
  /** The provider that the stored secret is for. */
  storedFor: Provider | undefined;
}

function SenderFields({ form, storedFor }: SenderFieldsProps) {
  const { provider } = form.values;
  return (
    <SimpleGrid {...pair}>
      <TextInput
        label="Name"
        placeholder="Shop"
        withAsterisk
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select
        label="Provider"
        data={providerOptions}
        allowDeselect={false}
        {...form.getInputProps("provider")}
      />
      <TextInput
        label="From"
        description="An address at a domain that you own"
        placeholder="Acme <hello@acme.example>"
        withAsterisk
        style={wholeRow}
        {...form.getInputProps("from")}
      />
      {providers[provider].fields.map((field) => (
        <div key={provider + field.name} style={field.isHalf ? undefined : wholeRow}>
          <ConfigField form={form} field={field} isStored={provider === storedFor} />
        </div>
      ))}
      {provider === "inbox" && (
        <Text size="sm" c="dimmed" style={wholeRow}>
          Emails go to the inbox of the local stack. Nothing leaves the machine.
        </Text>
      )}
      <TextInput
        label="Reply to"
        description="Where replies go, if not to From"
        {...form.getInputProps("reply_to")}
      />
      <TextInput
        label="Key"
        description="Identifies the sender in the API"
        {...form.getInputProps("key")}
      />
      <NumberInput
        label="Emails per second"
        description="Leave empty for no limit. Start low with a new domain"
        min={1}
        {...form.getInputProps("rate_per_second")}
      />
      <Select
        label="If we do not know whether an email was sent"
        description="For example, if the connection ended while it was on its way"
        data={unknownOptions}
        allowDeselect={false}
        {...form.getInputProps("on_unknown")}
      />
    </SimpleGrid>
  );
}

interface ConfigFieldProps {
  form: SenderForm;
  field: ProviderField;
  /** True if an empty secret keeps the stored one. */
  isStored: boolean;
}

function ConfigField({ form, field, isStored }: ConfigFieldProps) {
  const { label, placeholder, description, kind } = field;
  const path = `config.${field.name}`;
  const shared = { label, placeholder, description };
  switch (kind) {
    case "encryption":
      return <EncryptionField {...shared} form={form} path={path} />;
    case "number":
      return <NumberInput {...shared} withAsterisk min={1} {...form.getInputProps(path)} />;
    case "secret":
      return (
        <PasswordInput
          {...shared}
          description={isStored ? "Leave empty to keep the stored one" : description}
          inputWrapperOrder={belowInput}
          withAsterisk={!isStored && field.isRequired === true}
          autoComplete="off"
          {...form.getInputProps(path)}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          withAsterisk={field.isRequired === true}
          {...form.getInputProps(path)}
        />
      );
  }
}

interface EncryptionFieldProps {
  form: SenderForm;
  path: string;
  label: string;
  description: string | undefined;
}

/** Chooses how the connection is encrypted. The usual port of one way becomes that of the other. */
function EncryptionField({ form, path, ...shared }: EncryptionFieldProps) {
  const { secure, port } = form.values.config;
  const choose = (label: string | null) => {
    const chosen = encryptions.find((each) => each.label === label);
    if (chosen === undefined) return;
    form.setFieldValue(path, chosen.isSecure);
    const isUsual = encryptions.some((each) => each.port === Number(port));
    if (isUsual) form.setFieldValue("config.port", chosen.port);
  };
  return (
    <Select
      {...shared}
      data={encryptions.map(({ label }) => label)}
      value={encryptions.find(({ isSecure }) => isSecure === secure)?.label ?? null}
      onChange={choose}
      allowDeselect={false}
      error={form.errors[path]}
    />
  );
}
