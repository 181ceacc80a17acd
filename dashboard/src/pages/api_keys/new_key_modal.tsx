import { Checkbox, SimpleGrid, TextInput } from "@mantine/core";
import { newApiKey } from "../../api/schemas.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { TimeInput } from "../../ui/time_input.tsx";
import { scopeTexts } from "./scopes.ts";

export function NewKeyModal({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "api-key:new",
    schema: newApiKey,
    initialValues: { name: "", scopes: ["track:write"], expires_at: null as string | null },
    toBody: ({ name, scopes, expires_at }) => ({
      name,
      scopes,
      ...(expires_at ? { expires_at } : {}),
    }),
  });
  const create = useApiAction("POST /api-keys", (body: ApiBody<"POST /api-keys">) => ({ body }));
  const forget = () => {
    create.reset();
    form.reset();
  };
  return (
    <FormModal
      isOpen={isOpen}
      close={close}
      title={create.data ? "API key created" : "New API key"}
      submitLabel="Create key"
      onSubmit={submitTo(create)}
      isPending={create.isPending}
      error={generalError(create.error)}
      draft={draft}
      result={create.data && <SecretPanel title={create.data.name} secret={create.data.key} />}
      onClosed={forget}
      size="lg"
    >
      <TextInput
        label="Name"
        description="Where you use the key, such as “Web shop”"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group label="Scopes" {...form.getInputProps("scopes")}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          {scopeTexts.map(({ value, label, text }) => (
            <Checkbox key={value} value={value} label={label} description={text} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <TimeInput
        label="Expires"
        description="Leave empty for no expiry"
        clearable
        minDate={new Date()}
        {...form.getInputProps("expires_at")}
      />
    </FormModal>
  );
}
