import { Button, Group, Input, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import type { DestinationForm } from "./use_destination_form.ts";
import { errorOfHeader, type HeaderError, type HeaderRow } from "./header_rows.ts";

/** Headers that every request has in addition. Stored values can be replaced, and not read. */
export function HeaderFields({ form }: { form: DestinationForm }) {
  const { headers } = form.values;
  // A draft has no values.
  const values = headers.map((_, index) => form.values.header_values[index] ?? "");
  const set = (index: number, row: HeaderRow, value = "") =>
    form.setValues({
      headers: headers.with(index, row),
      header_values: values.with(index, value),
    });
  const drop = (index: number) =>
    form.setValues({
      headers: headers.toSpliced(index, 1),
      header_values: values.toSpliced(index, 1),
    });
  const add = () =>
    form.setValues({
      headers: [...headers, { name: "", change: "add" }],
      header_values: [...values, ""],
    });
  const errors = headers.map((_, index) => errorOfHeader(form.errors, headers, index));
  const hasOwnErrors = errors.some((error) => error !== undefined);
  return (
    <Stack gap="xs" role="group" aria-label="Request headers">
      <div>
        <Input.Label component="div">Request headers</Input.Label>
        <Text size="xs" c="dimmed">
          Sent with every request. Values are encrypted, and never shown again.
        </Text>
      </div>
      {headers.map((row, index) => (
        <HeaderInput
          key={index}
          row={row}
          value={values[index] ?? ""}
          set={(next, value) => set(index, next, value)}
          drop={() => drop(index)}
          error={errors[index]}
        />
      ))}
      {form.errors.headers && !hasOwnErrors && (
        <Text size="xs" c="red" role="alert">{form.errors.headers}</Text>
      )}
      <div>
        <Button variant="default" size="compact-sm" leftSection={<PlusIcon />} onClick={add}>
          Add header
        </Button>
      </div>
    </Stack>
  );
}

interface HeaderInputProps {
  row: HeaderRow;
  value: string;
  /** Changes the row; its value is empty unless given. */
  set: (row: HeaderRow, value?: string) => void;
  /** Takes a row out that is not stored. */
  drop: () => void;
  error: HeaderError | undefined;
}

function HeaderInput({ row, value, set, drop, error }: HeaderInputProps) {
  const { name, change } = row;
  const isNew = change === "add";
  return (
    <div>
      <Group gap="xs" align="flex-start" justify="flex-end">
        {isNew
          ? (
            <TextInput
              aria-label="Header name"
              placeholder="Authorization"
              classNames={{ input: "mono" }}
              flex="1 1 140px"
              value={name}
              onChange={(event) => set({ ...row, name: event.currentTarget.value }, value)}
              error={error?.part === "name"}
            />
          )
          : (
            <Text
              size="sm"
              ff="monospace"
              flex="1 1 110px"
              py={6}
              className="break-anywhere"
              td={change === "remove" ? "line-through" : undefined}
            >
              {name}
            </Text>
          )}
        {(isNew || change === "replace") && (
          <PasswordInput
            aria-label={`Value of ${name || "the header"}`}
            placeholder="Value"
            autoComplete="off"
            flex="1 1 140px"
            value={value}
            onChange={(event) => set(row, event.currentTarget.value)}
            error={error?.part === "value"}
            aria-invalid={error?.part === "value"}
          />
        )}
        {change === "keep" && (
          <Button
            variant="default"
            onClick={() => set({ name, change: "replace" })}
          >
            Replace
          </Button>
        )}
        {change === "keep" || isNew
          ? (
            <Button
              variant="default"
              onClick={isNew ? drop : () => set({ name, change: "remove" })}
              aria-label={`Remove ${name || "the header"}`}
            >
              Remove
            </Button>
          )
          : (
            <Button variant="default" onClick={() => set({ name, change: "keep" })}>
              {change === "remove" ? "Keep" : "Keep the stored value"}
            </Button>
          )}
      </Group>
      {error && <Text size="xs" c="red" role="alert" className="break-anywhere">{error.text}</Text>}
    </div>
  );
}
