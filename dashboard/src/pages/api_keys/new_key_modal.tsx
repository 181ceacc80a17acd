import "./scopes.css";
import { Checkbox, Chip, Group, Input, Stack, Table, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { type ApiBody, useApiAction } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { FormModal } from "../../ui/form_modal.tsx";
import { SecretPanel } from "../../ui/secret_panel.tsx";
import { TimeInput } from "../../ui/time_input.tsx";
import { findPreset, presets, scopeAreas, type ScopeText, scopeTexts } from "./scopes.ts";

export function NewKeyModal({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "api-key:new",
    schema: "newApiKey",
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
      size="xl"
    >
      <TextInput
        label="Name"
        description="Where you use the key, such as “Web shop”"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <ScopeFields
        value={form.values.scopes}
        onChange={(scopes) => form.setFieldValue("scopes", scopes)}
        error={form.errors.scopes}
      />
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

interface ScopeFieldsProps {
  value: string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

/** Chooses scopes one by one, or all of a common use at once. */
function ScopeFields({ value, onChange, error }: ScopeFieldsProps) {
  const choose = (label: string) =>
    onChange([...presets.find((preset) => preset.label === label)?.scopes ?? []]);
  return (
    <Stack gap="xs">
      <Input.Wrapper
        label="Preset"
        labelElement="div"
        description="Chooses scopes, which you can change below"
      >
        <Chip.Group value={findPreset(value) ?? null} onChange={choose}>
          <Group gap="xs" mt="xs" role="radiogroup" aria-label="Preset">
            {presets.map(({ label }) => <Chip key={label} name="preset" value={label}>{label}
            </Chip>)}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
      <Checkbox.Group
        label={`Scopes: ${value.length} of ${scopeTexts.length}`}
        value={value}
        onChange={onChange}
        error={error}
      >
        <ScopeTable />
      </Checkbox.Group>
    </Stack>
  );
}

/** The scopes by area: what each lets a key read, and what it lets it change. */
function ScopeTable() {
  return (
    <div className="scope-list">
      <Table verticalSpacing="xs" horizontalSpacing="sm" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Area</Table.Th>
            <Table.Th scope="col">Read</Table.Th>
            <Table.Th scope="col">Write</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {scopeAreas.map(({ area, read, write }) => (
            <Table.Tr key={area}>
              <Table.Th scope="row" tt="capitalize">{area}</Table.Th>
              <ScopeCell scope={read} />
              <ScopeCell scope={write} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function ScopeCell({ scope }: { scope: ScopeText | undefined }) {
  if (scope === undefined) {
    return (
      <Table.Td>
        <Text size="sm" c="dimmed">–</Text>
      </Table.Td>
    );
  }
  const { value, label, text } = scope;
  // The area is named by its row.
  const [verb] = label.split(" ");
  return (
    <Table.Td>
      <Checkbox value={value} label={verb} description={text} aria-label={label} />
    </Table.Td>
  );
}
