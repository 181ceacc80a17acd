import { Group, Select, TextInput } from "@mantine/core";
import { durationUnits } from "../../../format/duration.ts";

interface DurationFieldProps {
  label: string;
  description?: string;
  /** A duration such as "2d"; undefined for none. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  error?: string | undefined;
  placeholder?: string;
  /** An empty field that is required stays a fault. */
  isRequired?: boolean;
}

/** A duration: a number and its unit. */
export function DurationField(
  { label, value, onChange, isRequired, description, ...props }: DurationFieldProps,
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
