import { Checkbox, Stack, Text } from "@mantine/core";
import { ConditionBuilder } from "../../../conditions/condition_builder.tsx";
import { lacksCondition } from "../model/problems.ts";

interface ConditionFieldProps {
  label: string;
  description?: string;
  value: unknown;
  /** Undefined for no condition. */
  onChange: (value: unknown) => void;
  error?: string | undefined;
  isRequired?: boolean;
}

const options = { allowsTrigger: true };

/** A condition on the customer, which may test the run's trigger. */
export function ConditionField(props: ConditionFieldProps) {
  const { label, description, value, onChange, error, isRequired = false } = props;
  return (
    <Stack gap={6}>
      {isRequired ? <Text size="sm" fw={500}>{label}</Text> : (
        <Checkbox
          label={label}
          description={description}
          checked={value !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked ? { all: [] } : undefined)}
        />
      )}
      {/* The builder says this itself. */}
      {error && error !== lacksCondition && (
        <Text size="xs" c="red" className="break-anywhere">{error}</Text>
      )}
      {(isRequired || value !== undefined) && (
        <ConditionBuilder
          label={label}
          value={value}
          onChange={onChange}
          options={options}
          showsMissing
        />
      )}
    </Stack>
  );
}
