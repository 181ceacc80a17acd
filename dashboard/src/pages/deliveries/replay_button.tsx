import { Button } from "@mantine/core";
import { ReplyIcon } from "@primer/octicons-react";
import type { DeliveryDetail } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { MessageModal } from "./message_modal.tsx";

/** Resends the message and shows the response. */
export function ReplayButton({ delivery }: { delivery: DeliveryDetail }) {
  const replay = useApiAction(
    "POST /deliveries/{id}/replay",
    (_after: string) => ({ params: { id: delivery.id } }),
  );
  // Attempts from before the click are not its outcome.
  const newest = delivery.attempts[0]?.attempted_at ?? delivery.attempted_at;
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
        onClick={() => replay.mutate(newest)}
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
