import { Group, TextInput } from "@mantine/core";
import { durationUnits } from "../format/duration.ts";
import type { FieldProps } from "./field_props.ts";
import { Select } from "./overlays.tsx";

/** A duration such as "2d": a number and its unit. */
export function DurationField(
  { label, value, onChange, isRequired, description, ...props }: FieldProps,
) {
  const [, number = "", unit = "d"] = /^(\D*\d*|[^smhdw]*)([smhdw]?)$/.exec(value ?? "") ?? [];
  const write = (digits: string, letter: string) =>
    onChange(digits === "" && !isRequired ? undefined : `${digits}${letter}`);
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap" role="group" aria-label={label}>
      <TextInput
        {...props}
        label={label}
        description={description}
        withAsterisk={isRequired}
        inputMode="numeric"
        style={{ flex: 1 }}
        value={number}
        onChange={(event) => write(event.currentTarget.value.trim(), unit || "d")}
      />
      <Select
        aria-label={`${label}, unit`}
        data={durationUnits}
        w={112}
        allowDeselect={false}
        value={unit || "d"}
        onChange={(letter) => write(number, letter ?? "d")}
      />
    </Group>
  );
}
