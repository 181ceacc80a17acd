import { Button, Stack, Text, TextInput } from "@mantine/core";
import { PlusIcon, TrashIcon } from "@primer/octicons-react";
import type { Match, MatchedEvents } from "../../../api/journey_definition.ts";
import type { Draft } from "../../../conditions/draft.ts";
import { PropertyTests } from "../../../conditions/property_tests.tsx";
import { setOrRemove } from "../model/slots.ts";
import { EventField } from "./event_field.tsx";
import { useMessage } from "./use_message.ts";

interface MatchedFieldsProps<Events extends MatchedEvents> {
  value: Events;
  onChange: (value: Events, field?: string) => void;
  /** Path of the value below its part. */
  path: readonly (string | number)[];
  /** Hides the matches, for an event that begins a run. */
  hasNoRun?: boolean;
}

/** An event, tests of its properties, and how it belongs to the run. */
export function MatchedFields<Events extends MatchedEvents>(
  { value, onChange, path, hasNoRun }: MatchedFieldsProps<Events>,
) {
  const message = useMessage();
  const tests = (Array.isArray(value.where) ? value.where : []) as Draft[];
  const fault = message(...path, "where");
  return (
    <>
      <EventField
        label="Event"
        value={value.event}
        onChange={(event) => onChange({ ...value, event }, `${path.join(".")}.event`)}
        error={message(...path, "event")}
      />
      <Stack gap={6} align="flex-start" role="group" aria-label="Tests of its properties">
        <PropertyTests
          tests={tests}
          path={[]}
          onChange={(changed) =>
            onChange(
              setOrRemove(value, "where", changed.length > 0 ? changed as never : undefined),
              `${path.join(".")}.where`,
            )}
          event={value.event}
        />
        {fault && <Text size="xs" c="red" className="break-anywhere">{fault}</Text>}
      </Stack>
      {!hasNoRun && (
        <Matches
          value={value.match ?? []}
          onChange={(match) =>
            onChange(
              setOrRemove(value, "match", match.length > 0 ? match : undefined) as Events,
              `${path.join(".")}.match`,
            )}
          path={[...path, "match"]}
        />
      )}
    </>
  );
}

interface MatchesProps {
  value: readonly Match[];
  onChange: (value: readonly Match[]) => void;
  path: readonly (string | number)[];
}

const newMatch: Match = { property: "run_id", same_as: "run.id" };

function Matches({ value, onChange, path }: MatchesProps) {
  const message = useMessage();
  const replace = (index: number, match: Match) =>
    onChange(value.map((each, n) => n === index ? match : each));
  return (
    <Stack gap="xs">
      {value.map((match, n) => (
        <Stack key={n} gap={6} className="inset">
          <TextInput
            label={`Property ${n + 1} of the event`}
            value={match.property}
            onChange={(event) => replace(n, { ...match, property: event.currentTarget.value })}
            error={message(...path, n, "property")}
          />
          <TextInput
            label="Must be the same as"
            description="trigger.<path>, or run.id for emails of this run"
            value={match.same_as}
            onChange={(event) => replace(n, { ...match, same_as: event.currentTarget.value })}
            error={message(...path, n, "same_as")}
          />
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            leftSection={<TrashIcon />}
            onClick={() => onChange(value.filter((_, index) => index !== n))}
          >
            Remove match {n + 1}
          </Button>
        </Stack>
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<PlusIcon />}
          onClick={() => onChange([...value, newMatch])}
        >
          Match with the run
        </Button>
        <Text size="xs" c="dimmed">Counts only events that belong to this run.</Text>
      </div>
    </Stack>
  );
}
