import { Button, Paper, Stack } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { EventInput, useProperties } from "./event_input.tsx";
import {
  type Address,
  addsUp,
  eventCounts,
  type ExploredEvent,
  type Kind,
  lengths,
  measures,
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
  counts: (index) => index === 0 ? "Event" : `Event ${index + 1}`,
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
            {kind === "counts" ? "Compare with an event" : "Add step"}
          </Button>
        )}
        <div className="question-options">
          <Options {...{ kind, address, onChange }} events={events} />
        </div>
      </Stack>
    </Paper>
  );
}

const intervals = ["hour", "day", "week", "month"].map((value) => ({
  value,
  label: `By ${value}`,
}));

interface OptionsProps extends QuestionFormProps {
  events: ExploredEvent[];
}

function Options({ kind, ...props }: OptionsProps & { kind: Kind }) {
  const choose = makeChoices(props);
  switch (kind) {
    case "counts":
      return <CountsOptions {...props} />;
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

function CountsOptions({ address, onChange, events }: OptionsProps) {
  const properties = useProperties(events[0]?.event ?? "");
  const choose = makeChoices({ address, onChange });
  const chooseText = (name: "value" | "property") => ({
    value: address[name] ?? "",
    onChange: (text: string) => onChange({ [name]: text || undefined }),
    clearable: true,
  });
  const changeMeasure = (measure: string | null) =>
    onChange({
      measure: measure === "events" ? undefined : measure ?? undefined,
      value: addsUp(measure ?? undefined) ? address.value : undefined,
    });
  return (
    <>
      <Select
        label="Measure"
        data={[...measures]}
        {...choose("measure", "events")}
        onChange={changeMeasure}
        // Wide enough for its words: the longest have a row of their own.
        miw={addsUp(address.measure) ? 200 : 170}
      />
      {addsUp(address.measure) && (
        <Autocomplete
          label="Property"
          placeholder="Choose a number"
          data={properties.numeric}
          {...chooseText("value")}
        />
      )}
      <Select label="Interval" data={intervals} {...choose("interval", "day")} />
      {events.length === 1 && (
        <Autocomplete
          label="Split by property"
          placeholder="No split"
          data={properties.all}
          {...chooseText("property")}
        />
      )}
    </>
  );
}

/** Returns a function that gives a select the value of an address, which leaves out the usual one. */
function makeChoices({ address, onChange }: QuestionFormProps) {
  return (name: keyof Address, usual: string) => ({
    value: address[name] ?? usual,
    onChange: (value: string | null) =>
      onChange({ [name]: value === usual ? undefined : value ?? undefined }),
    allowDeselect: false,
  });
}
