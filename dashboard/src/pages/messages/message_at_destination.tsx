import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useId } from "react";
import type { Delivery, Message } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { destinationName, OutcomeBadge } from "../deliveries/outcome_badge.tsx";
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
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
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
        <MessageActions message={message} body={body} />
      </Group>
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
      {attempts.length === 0 && <Text size="xs" c="dimmed">No attempts yet</Text>}
    </Stack>
  );
}

function MessageActions({ message, body }: { message: Message; body: string | null }) {
  const mayAct = useMay("member");
  const input = () => ({
    params: { id: message.id },
    body: { destination_id: message.destination_id },
  });
  const cancel = useApiAction("POST /messages/{id}/cancel", input);
  const tryNow = useTryNow();
  const isDisabled = useIsDisabled(message);
  const error = tryNow.error ?? cancel.error;
  if (!mayAct) return null;
  return (
    <>
      <Group gap="xs">
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
        <EditAndResendButton
          message={{ id: message.id, event_type: message.event_type, body }}
          destination={{ id: message.destination_id, name: message.destination_name }}
          size="xs"
        />
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
      </Group>
      <TriedResult result={tryNow.result} />
      {error && <ErrorState error={error} />}
    </>
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

/** Says why a message cannot be tried, and leads to its destination. */
function EnableFirst({ message }: { message: Message }) {
  const { id } = useWorkspace();
  const mayEnable = useMay("admin");
  const reasonId = useId();
  return (
    <>
      <Button size="xs" variant="default" disabled aria-describedby={reasonId}>Try now</Button>
      {mayEnable && (
        <Button size="xs" {...linkTo(`/w/${id}/destinations/${message.destination_id}`)}>
          Enable {destinationName(message)}
        </Button>
      )}
      <Text id={reasonId} size="xs" c="dimmed">
        {mayEnable ? "Enable the destination first" : "An admin must enable the destination first"}
      </Text>
    </>
  );
}
