import { ActionIcon, Button, Checkbox, Group, Input, Stack } from "@mantine/core";
import { PlusIcon, XIcon } from "@primer/octicons-react";
import { useEffect, useRef, useState } from "react";
import type { FieldType } from "../../../api/condition_rules.ts";
import { ScalarInput } from "../../../conditions/scalar_input.tsx";
import { isSame } from "../model/is_same.ts";
import { JsonField } from "./json_field.tsx";
import { Autocomplete } from "../../../ui/overlays.tsx";

type Values = Readonly<Record<string, unknown>>;
type Row = readonly [name: string, value: unknown];

interface ValuesFieldProps {
  label: string;
  description: string;
  /** Noun for one of them: "attribute". */
  noun: string;
  /** Names to suggest. */
  names: readonly string[];
  /** Type of the values; any offers a choice. */
  type: FieldType;
  /** True if a value can be removed from the customer, with null. */
  isRemovable?: boolean;
  /** Undefined for no values. */
  value: Values | undefined;
  onChange: (value: Values | undefined) => void;
  error?: string | undefined;
}

/** Values, each by its name. Lists and objects are shown as JSON. */
export function ValuesField(props: ValuesFieldProps) {
  const { label, description, noun, value, onChange, error } = props;
  const { rows, change } = useRows(value, onChange);
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt={4} role="group" aria-label={label}>
        {rows.map((row, n) => (
          <ValueRow
            key={n}
            {...props}
            row={row}
            onChange={(next) => change(rows.with(n, next))}
            remove={() => change(rows.toSpliced(n, 1))}
          />
        ))}
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<PlusIcon />}
            onClick={() => change([...rows, ["", ""]])}
          >
            Add {noun}
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  );
}

interface ValueRowProps extends Omit<ValuesFieldProps, "onChange"> {
  row: Row;
  onChange: (row: Row) => void;
  remove: () => void;
}

function ValueRow({ row: [name, value], noun, names, onChange, ...props }: ValueRowProps) {
  const { type, isRemovable, remove } = props;
  const isRemoved = value === null && isRemovable;
  return (
    <Stack gap={6} className="inset" role="group" aria-label={name || `New ${noun}`}>
      <Group gap="xs" wrap="nowrap">
        <Autocomplete
          aria-label={`Name of the ${noun}`}
          placeholder="Name"
          data={[...names]}
          limit={100}
          flex={1}
          value={name}
          onChange={(next) => onChange([next, value])}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Leave out ${name || noun}`}
          onClick={remove}
        >
          <XIcon />
        </ActionIcon>
      </Group>
      {isNested(value) && (
        <NestedInput
          name={name}
          value={value}
          onChange={(next) => onChange([name, next])}
        />
      )}
      {!isRemoved && !isNested(value) && (
        <div className="condition-row">
          <ScalarInput
            type={type}
            value={value}
            onChange={(next) => onChange([name, next])}
            seen={[]}
          />
        </div>
      )}
      {isRemovable && (
        <Checkbox
          size="xs"
          label="Remove it from the customer"
          checked={isRemoved}
          onChange={(event) => onChange([name, event.currentTarget.checked ? null : ""])}
        />
      )}
    </Stack>
  );
}

interface NestedInputProps {
  name: string;
  value: object;
  onChange: (value: unknown) => void;
}

/** A list or an object as JSON. It changes once the text is JSON again. */
function NestedInput({ name, value, onChange }: NestedInputProps) {
  const [isBroken, setBroken] = useState(false);
  return (
    <JsonField
      label={`Value of ${name} as JSON`}
      value={value}
      onChange={(next) => {
        const isJson = typeof next !== "string" && next !== undefined;
        setBroken(!isJson);
        if (isJson) onChange(next);
      }}
      error={isBroken ? "This is not valid JSON" : undefined}
      minRows={1}
    />
  );
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Keeps the rows while they are typed, also those without a name. */
function useRows(value: Values | undefined, onChange: ValuesFieldProps["onChange"]) {
  const [rows, setRows] = useState(() => Object.entries(value ?? {}) as Row[]);
  const known = useRef(value);
  useEffect(() => {
    if (isSame(value, known.current)) return;
    known.current = value;
    setRows(Object.entries(value ?? {}));
  }, [value]);
  const change = (next: Row[]) => {
    setRows(next);
    const named = next.filter(([name, each]) => name.trim() !== "" && each !== undefined);
    known.current = named.length > 0
      ? Object.fromEntries(named.map(([name, each]) => [name.trim(), each]))
      : undefined;
    onChange(known.current);
  };
  return { rows, change };
}
