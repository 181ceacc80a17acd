import "./payload_values.css";
import { Badge, Box, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import {
  fieldLabels,
  listFields,
  listUses,
  listValues,
  type MappedField,
  type Mapping,
  type PayloadValue,
} from "./payload_values.ts";
import { Menu } from "../../ui/overlays.tsx";

interface PayloadValueListProps {
  /** The payload as text; not yet JSON while it is typed. */
  payload: string;
  /** Undefined while its text is not JSON. */
  mapping: Mapping | undefined;
  hasPreset: boolean;
  /** Gets the mapping with another field. */
  onChange: (mapping: Mapping) => void;
}

/** The values of a payload. Each opens a menu of the fields that it can be used for. */
export function PayloadValueList(
  { payload, mapping, hasPreset, onChange }: PayloadValueListProps,
) {
  const [done, setDone] = useState("");
  const values = readValues(payload, mapping?.items);
  const use = (value: PayloadValue, field: MappedField) => {
    onChange({ ...mapping, [field]: value.pointer });
    setDone(`${fieldLabels[field]} is read from ${value.path}`);
  };
  return (
    <div>
      <Text size="sm" fw={500} id="payload-values">Values of the payload</Text>
      <Text size="xs" c="dimmed" mb={6}>Choose a value, then the field of the event it is for</Text>
      <Box
        hidden={values.length === 0}
        className="payload-values"
        role="list"
        aria-labelledby="payload-values"
      >
        {values.map((value) => (
          <ValueItem
            key={`${value.kind} ${value.pointer}`}
            value={value}
            uses={mapping === undefined ? [] : listUses(value, mapping)}
            fields={mapping === undefined ? [] : listFields(value, hasPreset)}
            use={(field) => use(value, field)}
          />
        ))}
      </Box>
      {values.length === 0 && (
        <Text size="sm" c="dimmed">The payload has no values, or is not JSON.</Text>
      )}
      <VisuallyHidden role="status">{done}</VisuallyHidden>
    </div>
  );
}

function readValues(payload: string, items: string | undefined): PayloadValue[] {
  try {
    return listValues(JSON.parse(payload), items);
  } catch {
    return [];
  }
}

interface ValueItemProps {
  value: PayloadValue;
  /** Fields that read it. */
  uses: readonly MappedField[];
  /** Fields that it can be used for. */
  fields: readonly MappedField[];
  use: (field: MappedField) => void;
}

function ValueItem({ value: { path, text }, uses, fields, use }: ValueItemProps) {
  return (
    <div role="listitem">
      <Menu position="bottom-start">
        <Menu.Target>
          <UnstyledButton className="payload-value" disabled={fields.length === 0}>
            <span className="mono" dir="auto">{path}</span>
            <Text span size="xs" c="dimmed" truncate dir="auto">{text}</Text>
            {uses.map((field) => <Badge key={field} color="teal">{fieldLabels[field]}</Badge>)}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Use as</Menu.Label>
          {fields.map((field) => (
            <Menu.Item key={field} onClick={() => use(field)}>{fieldLabels[field]}</Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
