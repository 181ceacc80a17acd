import { Anchor, Group, Loader, Stack, Text } from "@mantine/core";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { DeliveryResponse } from "./delivery_response.tsx";
import { Modal } from "../../ui/overlays.tsx";

interface MessageModalProps {
  title: string;
  destinationId: string;
  /** The message to wait for. The modal is closed without one. */
  messageId: string | undefined;
  /** Ignores attempts up to this time. */
  after?: string | undefined;
  error: Error | null;
  close: () => void;
}

const pollMs = 700;
const recentCount = 20;

/** Waits for the next attempt of a message and shows its outcome. */
export function MessageModal(props: MessageModalProps) {
  const { id: workspaceId } = useWorkspace();
  const { destinationId: destination_id, messageId, after = "" } = props;
  const recent = useApiList("GET /deliveries", { query: { destination_id, limit: recentCount } }, {
    refetchInterval: pollMs,
    enabled: messageId !== undefined,
  });
  const delivery = listRows(recent).find((row) =>
    row.message_id === messageId && row.attempted_at > after
  );
  const isOpen = messageId !== undefined || props.error !== null;
  return (
    <Modal opened={isOpen} onClose={props.close} title={props.title} size="lg">
      <Stack aria-live="polite">
        {props.error && <ErrorState error={props.error} />}
        {recent.error && <ErrorState error={recent.error} retry={recent.refetch} />}
        {messageId && !delivery && (
          <Group>
            <Loader size="sm" />
            <Text size="sm">Sent. Waiting for the response…</Text>
          </Group>
        )}
        {delivery && (
          <>
            <DeliveryResponse delivery={delivery} />
            <Anchor
              {...linkTo(`/w/${workspaceId}/deliveries/${delivery.id}`)}
              size="sm"
              onClick={props.close}
            >
              Show the delivery
            </Anchor>
          </>
        )}
      </Stack>
    </Modal>
  );
}
