import { ActionIcon, Button, Group, Paper, Stack, TextInput } from "@mantine/core";
import { PlusIcon, TrashIcon, XIcon } from "@primer/octicons-react";
import { toCatalogued } from "../../api/to_catalogued.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { type ExploredEvent, operators, readValue, type Test } from "./question.ts";
import { Autocomplete, Select } from "../../ui/overlays.tsx";

interface EventInputProps {
  label: string;
  event: ExploredEvent;
  onChange: (event: ExploredEvent) => void;
  /** Removes the event; undefined for one that must stay. */
  remove?: (() => void) | undefined;
}

/** Names of the properties of an event name, as the catalogue knows them. */
export function useProperties(name: string): { all: string[]; numeric: string[] } {
  const item = useApiItem("GET /catalogue/{name}", toCatalogued(name), { enabled: name !== "" });
  const list = name === "" ? [] : item.data?.property_list ?? [];
  const numeric = list.filter(({ types, expected_type }) =>
    expected_type === "number" || types.some(({ type }) => type === "number")
  );
  const nameAll = (some: typeof list) => some.map(({ property }) => property);
  return { all: nameAll(list), numeric: nameAll(numeric) };
}

/** Chooses an event name, and tests of its properties. */
export function EventInput({ label, event, onChange, remove }: EventInputProps) {
  const { seen } = useEventTypes();
  const { all: properties } = useProperties(event.event);
  const tests = event.where ?? [];
  const names = event.event === "" || seen.includes(event.event) ? seen : [event.event, ...seen];
  const change = (where: Test[]) => onChange({ event: event.event, where });
  return (
    <Paper p="sm" withBorder>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <Select
            label={label}
            placeholder="Choose an event"
            data={names}
            value={event.event || null}
            onChange={(name) => onChange({ event: name ?? "" })}
            searchable
            flex={1}
          />
          {remove && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove ${label}`}
              onClick={remove}
            >
              <TrashIcon />
            </ActionIcon>
          )}
        </Group>
        {tests.map((test, index) => (
          <TestInput
            key={index}
            label={`Filter ${index + 1} of ${label}`}
            test={test}
            properties={properties}
            onChange={(changed) => change(tests.with(index, changed))}
            remove={() => change(tests.filter((_, at) => at !== index))}
          />
        ))}
        {event.event !== "" && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<PlusIcon size={12} />}
            aria-label={`Add a filter to ${label}`}
            onClick={() => change([...tests, { property: "", op: "eq", value: "" }])}
            style={{ alignSelf: "flex-start" }}
          >
            Filter
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

interface TestInputProps {
  label: string;
  test: Test;
  properties: string[];
  onChange: (test: Test) => void;
  remove: () => void;
}

function TestInput({ label, test, properties, onChange, remove }: TestInputProps) {
  const { property, op, value } = test;
  const hasValue = op !== "exists" && op !== "not_exists";
  const changeOperator = (next: string | null) => {
    const chosen = { property, op: (next ?? "eq") as Test["op"] };
    onChange(chosen.op.endsWith("exists") ? chosen : { ...chosen, value: value ?? "" });
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Autocomplete
        size="xs"
        aria-label={`Property, ${label}`}
        placeholder="Property"
        data={properties}
        value={property}
        onChange={(name) => onChange({ ...test, property: name })}
        flex={2}
        miw={0}
      />
      <Select
        size="xs"
        aria-label={`Operator, ${label}`}
        data={operators}
        value={op}
        onChange={changeOperator}
        allowDeselect={false}
        flex={2}
        miw={0}
      />
      {hasValue && (
        <TextInput
          size="xs"
          aria-label={`Value, ${label}`}
          placeholder="Value"
          value={String(value ?? "")}
          onChange={({ currentTarget }) =>
            onChange({
              property,
              op,
              value: op === "contains" ? currentTarget.value : readValue(currentTarget.value),
            })}
          flex={2}
          miw={0}
        />
      )}
      <ActionIcon
        size="md"
        variant="subtle"
        color="gray"
        aria-label={`Remove ${label}`}
        onClick={remove}
      >
        <XIcon size={14} />
      </ActionIcon>
    </Group>
  );
}
