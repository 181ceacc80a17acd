import { Alert, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";

interface MissingEventsProps {
  /** Names of events. */
  names: string[];
}

/** Says that a question asks for events which the workspace does not have. */
export function MissingEvents({ names }: MissingEventsProps) {
  if (names.length === 0) return null;
  const isOne = names.length === 1;
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      title={isOne ? "This event does not exist any more" : "These events do not exist any more"}
    >
      <Text size="sm" className="break-anywhere">
        {names.map((name, index) => (
          <span key={name}>
            {index > 0 && ", "}“<bdi>{name}</bdi>”
          </span>
        ))} {isOne ? "is not an event" : "are not events"}{" "}
        of this workspace. The question needs another event.
      </Text>
    </Alert>
  );
}
