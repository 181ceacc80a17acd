import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import type { Delivery, Message } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { destinationName, OutcomeBadge } from "../deliveries/outcome_badge.tsx";
import { ReplayButton } from "../deliveries/replay_button.tsx";
import { EditAndResendButton } from "../deliveries/test_event_button.tsx";
import { canCancel, canTryNow } from "./describe_state.ts";
import { StateBadge } from "./state_badge.tsx";
import { TriedResult } from "./tried_result.tsx";
import { useTryNow } from "./use_try_now.ts";

interface MessageAtDestinationProps {
  message: Message;
  /** The body of the message, which can be edited and resent. */
  body?: string | null;
  /** The attempts at this destination, newest first. */
  attempts: Delivery[];
}

/** The state of a message at one destination, what can be done about it, and its attempts. */
export function MessageAtDestination(
  { message, body = null, attempts }: MessageAtDestinationProps,
) {
  const { id } = useWorkspace();
  return (
    <Stack gap="xs">
      <Heading message={message} body={body} latest={attempts[0]} />
      {attempts.map((attempt) => (
        <Group key={attempt.id} justify="space-between" wrap="nowrap">
          <Anchor {...linkTo(`/w/${id}/deliveries/${attempt.id}`)} size="sm">
            Attempt {attempt.attempt_number}
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            <OutcomeBadge {...attempt} />
            <Text size="xs" c="dimmed" component="div">
              <TimeAgo time={attempt.attempted_at} />
            </Text>
          </Group>
        </Group>
      ))}
      {attempts.length === 0 && message.state !== "missed" && (
        <Text size="xs" c="dimmed">No attempts yet</Text>
      )}
    </Stack>
  );
}

interface HeadingProps {
  message: Message;
  body: string | null;
  /** The newest attempt. */
  latest: Delivery | undefined;
}

/** The destination and the state, the buttons beside them, and what came of a button below. */
function Heading({ message, body, latest }: HeadingProps) {
  const mayAct = useMay("member");
  const cancel = useApiAction("POST /messages/{id}/cancel", () => ({
    params: { id: message.id },
    body: { destination_id: message.destination_id },
  }));
  const tryNow = useTryNow();
  const error = tryNow.error ?? cancel.error;
  return (
    <div>
      <Group align="flex-start">
        <DestinationState message={message} />
        {mayAct && <Actions {...{ message, body, latest, tryNow, cancel }} />}
      </Group>
      {mayAct && <TriedResult result={tryNow.result} />}
      {mayAct && error && <ErrorState error={error} />}
    </div>
  );
}

function DestinationState({ message }: { message: Message }) {
  const { id } = useWorkspace();
  return (
    // Long texts break here, so that the buttons stay beside them.
    <div style={{ flex: "1 1 15rem", minWidth: 0 }}>
      <Anchor
        {...linkTo(`/w/${id}/destinations/${message.destination_id}`)}
        size="sm"
        fw={550}
        className="break-anywhere"
      >
        <bdi>{destinationName(message)}</bdi>
      </Anchor>
      <StateBadge message={message} />
    </div>
  );
}

interface ActionsProps extends HeadingProps {
  tryNow: ReturnType<typeof useTryNow>;
  cancel: { isPending: boolean; mutate: () => void };
}

function Actions({ message, body, latest, tryNow, cancel }: ActionsProps) {
  const isDisabled = useIsDisabled(message);
  return (
    <Group gap="xs" ml="auto" justify="flex-end">
      <EditAndResendButton
        message={{ id: message.id, event_type: message.event_type, body }}
        destination={{ id: message.destination_id, name: message.destination_name }}
        size="xs"
      />
      {message.state === "delivered" && latest && message.destination_name !== null && (
        <ReplayButton
          delivery={latest}
          newest={latest.attempted_at}
          size="xs"
          variant="default"
        />
      )}
      {isDisabled && <EnableFirst message={message} />}
      {!isDisabled && (canTryNow(message) || tryNow.isBusy) && (
        <Button
          size="xs"
          loading={tryNow.isBusy}
          onClick={() => tryNow.start(message)}
        >
          Try now
        </Button>
      )}
      {canCancel(message) && (
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          Cancel delivery
        </Button>
      )}
    </Group>
  );
}

/** Returns whether a message that is not delivered cannot be sent: its destination is disabled. */
function useIsDisabled(message: Message): boolean {
  const { destination_id: id, destination_name, state, held_by } = message;
  const mayAct = useMay("member");
  const isAsked = mayAct && canTryNow(message) && destination_name !== null;
  const destination = useApiItem("GET /destinations/{id}", { params: { id } }, {
    enabled: isAsked,
    refetchInterval: 5_000,
  }).data;
  if (state === "held" && held_by === "disabled") return true;
  return isAsked && destination?.id === id && !destination.enabled;
}

/** Leads to the disabled destination of a message, or says who can enable it. */
function EnableFirst({ message }: { message: Message }) {
  const { id } = useWorkspace();
  if (!useMay("admin")) {
    return <Text size="xs" c="dimmed">An admin must enable the destination first</Text>;
  }
  return (
    <Button
      size="xs"
      variant="default"
      {...linkTo(`/w/${id}/destinations/${message.destination_id}`)}
    >
      Enable {destinationName(message)}
    </Button>
  );
}
