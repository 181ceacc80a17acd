import { Group, Input, TextInput } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { durationUnits, splitDuration } from "../format/duration.ts";
import type { FieldProps } from "./field_props.ts";
import { Select } from "./overlays.tsx";

/** A duration such as "2d": a number and its unit. */
export function DurationField(
  { label, value, onChange, isRequired, description, error, ...props }: FieldProps,
) {
  const id = useId();
  const { number, unit: written } = splitDuration(value ?? "");
  // An empty value has no text that could hold its unit.
  const [unit, setUnit] = useState(written ?? "d");
  useEffect(() => {
    if (written) setUnit(written);
  }, [written]);
  const shown = written ?? unit;
  const write = (digits: string, letter: string) => {
    setUnit(letter);
    onChange(digits === "" && !isRequired ? undefined : `${digits}${letter}`);
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={error}
      withAsterisk={isRequired}
      role="group"
      aria-label={label}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          {...props}
          id={id}
          error={error !== undefined}
          inputMode="numeric"
          miw={0}
          flex={1}
          value={number}
          onChange={(event) => write(event.currentTarget.value.trim(), shown)}
        />
        <Select
          aria-label={`${label}, unit`}
          data={durationUnits}
          w={112}
          flex="none"
          allowDeselect={false}
          value={shown}
          onChange={(letter) => write(number, letter ?? shown)}
        />
      </Group>
    </Input.Wrapper>
  );
}
