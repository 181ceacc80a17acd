import { ActionIcon, Group, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { XIcon } from "@primer/octicons-react";
import { useEffect, useRef } from "react";
import { listRows, useApiList } from "../../../api/use_api.ts";
import { usePropertyPaths } from "../../../conditions/use_suggestions.ts";
import { formatShort } from "../../../format/time.ts";
import { useZone } from "../../../format/use_zone.ts";
import { TimeInput } from "../../../ui/time_input.tsx";
import { EventField } from "../fields/event_field.tsx";
import { ValuesField } from "../fields/values_field.tsx";
import { isSame } from "../model/is_same.ts";
import { setOrRemove } from "../model/slots.ts";
import type { TestEvent } from "./test_input.ts";

/** Pause in typing after which the last event is looked for. */
const delayMs = 250;

interface EventFieldsProps {
  event: TestEvent;
  /** Counts from 1. */
  number: number;
  /** Takes the focus when it appears. */
  isNew: boolean;
  onChange: (event: TestEvent) => void;
  remove: () => void;
}

/** An event that happens in a test. The last event of its name fills in the properties. */
export function EventFields({ event, number, isNew, onChange, remove }: EventFieldsProps) {
  const last = useLastEvent(event.name);
  const zone = useZone();
  const filled = useRef<TestEvent["properties"]>(undefined);
  const isTyped = event.properties !== undefined && !isSame(event.properties, filled.current);
  useEffect(() => {
    if (isTyped || last === undefined) return;
    filled.current = last.properties;
    onChange({ ...event, properties: last.properties });
  }, [last?.id]);
  const paths = usePropertyPaths(event.name).map(({ path }) => path);
  const rename = (name: string) => {
    const renamed = { ...event, name };
    onChange(isTyped ? renamed : setOrRemove(renamed, "properties", undefined));
  };
  return (
    <Stack gap="xs" className="inset" role="group" aria-label={`Event ${number}`}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>Event {number}</Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Leave out event ${number}`}
          onClick={remove}
        >
          <XIcon />
        </ActionIcon>
      </Group>
      <EventField label="Name" value={event.name} onChange={rename} autoFocus={isNew} />
      <TimeInput
        label="Happens at"
        placeholder="Now"
        value={event.occurred_at ?? null}
        onChange={(time) => onChange(setOrRemove(event, "occurred_at", time ?? undefined))}
        clearable
      />
      <ValuesField
        label="Properties"
        description={last === undefined
          ? "Data of the event"
          : `As in the last ${event.name}, ${formatShort(last.occurred_at, zone)}`}
        noun="property"
        names={paths.filter((path) => !path.includes("."))}
        type="any"
        value={event.properties}
        onChange={(properties = {}) => onChange({ ...event, properties })}
      />
    </Stack>
  );
}

/** The newest event of a name; undefined while it loads, and for names that were never seen. */
function useLastEvent(name: string) {
  const [asked] = useDebouncedValue(name, delayMs);
  const list = useApiList("GET /events", { query: { name: asked, limit: 1 } }, {
    enabled: asked !== "",
  });
  // While another name loads, the list still has the last one.
  return listRows(list).find((event) => event.name === name);
}
