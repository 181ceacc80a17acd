import { Button, Paper, Stack } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { EventInput, useProperties } from "./event_input.tsx";
import {
  type Address,
  eventCounts,
  type ExploredEvent,
  type Kind,
  lengths,
  periodCounts,
  readEvents,
  readKind,
} from "./question.ts";
import { Autocomplete, Select } from "../../ui/overlays.tsx";
import "./question.css";

interface QuestionFormProps {
  address: Address;
  onChange: (changes: Partial<Address>) => void;
}

const eventLabels: Record<Kind, (index: number) => string> = {
  counts: () => "Event",
  funnel: (index) => `Step ${index + 1}`,
  retention: (index) => index === 0 ? "First event" : "Returning event",
  paths: () => "Starting event",
};

/** The parts of a question, kept in the page's address. */
export function QuestionForm({ address, onChange }: QuestionFormProps) {
  const kind = readKind(address);
  const events = readEvents(address);
  const [fewest, most] = eventCounts[kind];
  const changeEvents = (list: ExploredEvent[]) => onChange({ events: JSON.stringify(list) });
  return (
    <Paper p="md">
      <Stack gap="sm">
        {events.map((event, index) => (
          <EventInput
            key={index}
            label={eventLabels[kind](index)}
            event={event}
            onChange={(changed) => changeEvents(events.with(index, changed))}
            remove={events.length > fewest
              ? () => changeEvents(events.filter((_, at) => at !== index))
              : undefined}
          />
        ))}
        {events.length < most && (
          <Button
            variant="default"
            leftSection={<PlusIcon />}
            onClick={() => changeEvents([...events, { event: "" }])}
          >
            Add step
          </Button>
        )}
        <div className="question-options">
          <Options {...{ kind, address, onChange }} event={events[0]?.event ?? ""} />
        </div>
      </Stack>
    </Paper>
  );
}

const intervals = ["hour", "day", "week", "month"].map((value) => ({
  value,
  label: `By ${value}`,
}));
function Options(
  { kind, address, onChange, event }: QuestionFormProps & { kind: Kind; event: string },
) {
  const properties = useProperties(kind === "counts" ? event : "");
  const choose = (name: keyof Address, usual: string) => ({
    value: address[name] ?? usual,
    onChange: (value: string | null) =>
      onChange({ [name]: value === usual ? undefined : value ?? undefined }),
    allowDeselect: false,
  });
  switch (kind) {
    case "counts":
      return (
        <>
          <Select
            label="Count"
            data={[{ value: "events", label: "Events" }, {
              value: "customers",
              label: "Unique customers",
            }]}
            {...choose("measure", "events")}
          />
          <Select label="Interval" data={intervals} {...choose("interval", "day")} />
          <Autocomplete
            label="Split by property"
            placeholder="No split"
            data={properties}
            value={address.property ?? ""}
            onChange={(property) => onChange({ property: property || undefined })}
            clearable
          />
        </>
      );
    case "funnel":
      return <Select label="Within" data={lengths} {...choose("within", "7d")} />;
    case "retention":
      return (
        <>
          <Select label="Interval" data={intervals.slice(1)} {...choose("interval", "week")} />
          <Select label="Periods" data={[...periodCounts]} {...choose("periods", "8")} />
        </>
      );
    case "paths":
      return (
        <>
          <Select label="Within" data={lengths} {...choose("within", "1d")} />
          <Select
            label="Number of events"
            data={["1", "2", "3", "4", "5", "6"]}
            {...choose("depth", "3")}
          />
        </>
      );
  }
}
