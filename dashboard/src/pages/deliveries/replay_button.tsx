import { Alert, Anchor, Button, type ButtonProps } from "@mantine/core";
import { AlertIcon, ReplyIcon } from "@primer/octicons-react";
import type { Delivery } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { MessageModal } from "./message_modal.tsx";

/** Id of the text that says why a message cannot be sent again. */
const reasonId = "resend-reason";

interface ReplayButtonProps extends ButtonProps {
  /** The attempt whose message is sent again. */
  delivery: Delivery;
  /** Time of the newest attempt. Earlier ones are not the outcome of a click. */
  newest: string;
  /** True if nothing is sent to the destination: `DisabledDestination` says so. */
  isDisabled?: boolean;
}

/** Resends the message and shows the response. */
export function ReplayButton(props: ReplayButtonProps) {
  const { delivery, newest, isDisabled = false, ...button } = props;
  const replay = useApiAction(
    "POST /deliveries/{id}/replay",
    (_after: string) => ({ params: { id: delivery.id } }),
  );
  const { opener, giveBack } = useOpener();
  const close = () => {
    replay.reset();
    giveBack();
  };
  return (
    <>
      <Button
        ref={opener}
        leftSection={<ReplyIcon />}
        loading={replay.isPending}
        disabled={isDisabled}
        aria-describedby={isDisabled ? reasonId : undefined}
        onClick={() => replay.mutate(newest)}
        {...button}
      >
        Resend
      </Button>
      <MessageModal
        title={`Resend of ${delivery.event_type}`}
        destinationId={delivery.destination_id}
        messageId={replay.data?.message_id}
        after={replay.variables}
        error={replay.error}
        close={close}
      />
    </>
  );
}

/** Says why a message cannot be sent again, and leads to the destination. */
export function DisabledDestination({ destinationId }: { destinationId: string }) {
  const { id } = useWorkspace();
  return (
    <Alert color="yellow" icon={<AlertIcon />} mb="lg">
      <span id={reasonId}>
        The destination is disabled.{" "}
        <Anchor {...linkTo(`/w/${id}/destinations/${destinationId}`)} inherit>Enable it</Anchor>
        {" "}
        to resend.
      </span>
    </Alert>
  );
}
