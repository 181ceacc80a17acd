import { Button, type ButtonProps } from "@mantine/core";
import { PaperAirplaneIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { MessageModal } from "../deliveries/message_modal.tsx";

interface PingButtonProps extends ButtonProps {
  destination: Destination;
}

/** Sends a test ping and shows the response. */
export function PingButton({ destination, ...props }: PingButtonProps) {
  const ping = useApiAction(
    "POST /destinations/{id}/test",
    () => ({ params: { id: destination.id } }),
  );
  const { opener, giveBack } = useOpener();
  const close = () => {
    ping.reset();
    giveBack();
  };
  return (
    <>
      <Button
        ref={opener}
        leftSection={<PaperAirplaneIcon />}
        loading={ping.isPending}
        onClick={() => ping.mutate()}
        {...props}
      >
        Send test ping
      </Button>
      <MessageModal
        title={`Test ping to ${destination.name}`}
        destinationId={destination.id}
        messageId={ping.data?.message_id}
        error={ping.error}
        close={close}
      />
    </>
  );
}
