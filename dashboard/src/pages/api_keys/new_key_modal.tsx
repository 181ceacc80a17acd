import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, TextInput } from "@mantine/core";
import dayjs from "dayjs";
import { newApiKey } from "../../api/schemas.ts";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { TimeInput } from "../../ui/time_input.tsx";
import { SCOPES } from "./scopes.ts";

export function NewKeyModal({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { form, submitTo } = useApiForm({
    schema: newApiKey,
    initialValues: { name: "", scopes: ["track:write"], expires_at: null as string | null },
    toBody: ({ name, scopes, expires_at }) => ({
      name,
      scopes,
      ...(expires_at ? { expires_at: dayjs(expires_at).toISOString() } : {}),
    }),
  });
  const create = useApiAction("POST /api-keys", (body: ApiBody<"POST /api-keys">) => ({ body }));
  const forget = () => {
    create.reset();
    form.reset();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={forget}
      title={create.data ? "Your new key" : "New API key"}
      size="lg"
    >
      {create.data
        ? (
          <Stack>
            <SecretPanel title={create.data.name} secret={create.data.key} />
            <Group justify="flex-end">
              <Button onClick={close}>Done</Button>
            </Group>
          </Stack>
        )
        : (
          <form onSubmit={submitTo(create)} noValidate>
            <Stack>
              <TextInput
                label="Name"
                description="Where it is used, such as “Web shop”"
                data-autofocus
                {...form.getInputProps("name")}
              />
              <Checkbox.Group label="Scopes" {...form.getInputProps("scopes")}>
                <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
                  {SCOPES.map(({ value, label, text }) => (
                    <Checkbox key={value} value={value} label={label} description={text} />
                  ))}
                </SimpleGrid>
              </Checkbox.Group>
              <TimeInput
                label="Expires"
                description="Empty: never"
                clearable
                minDate={new Date()}
                {...form.getInputProps("expires_at")}
              />
              {create.error && <ErrorState error={create.error} />}
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>Cancel</Button>
                <Button type="submit" loading={create.isPending}>Create key</Button>
              </Group>
            </Stack>
          </form>
        )}
    </Modal>
  );
}
