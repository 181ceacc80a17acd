import { Button, Stack, Text, TextInput } from "@mantine/core";
import { PlusIcon, TrashIcon } from "@primer/octicons-react";
import type { Match, MatchedEvents } from "../../../api/journey_definition.ts";
import { setOrRemove } from "../model/slots.ts";
import { EventField } from "./event_field.tsx";
import { JsonField } from "./json_field.tsx";
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
  const where = value.where as unknown;
  return (
    <>
      <EventField
        label="Event"
        value={value.event}
        onChange={(event) => onChange({ ...value, event }, `${path.join(".")}.event`)}
        error={message(...path, "event")}
      />
      <JsonField
        label="Only if its properties pass"
        description="A list of tests; leave empty for every such event"
        placeholder='[{ "property": "total", "op": "gte", "value": 100 }]'
        value={Array.isArray(where) && where.length === 0 ? undefined : where}
        onChange={(tests) =>
          onChange(
            setOrRemove(value, "where", tests as Events["where"]),
            `${path.join(".")}.where`,
          )}
        error={message(...path, "where")}
        minRows={2}
      />
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
