import { Button } from "@mantine/core";
import { BeakerIcon, PencilIcon } from "@primer/octicons-react";
import type { DeliveryDetail, Destination } from "../../api/types.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { readTestEvent, type TestEvent, testEventDraft } from "./test_event.ts";

const TestEventModal = lateDialog(async () =>
  (await import("./test_event_modal.tsx")).TestEventModal
);

const noEvent: TestEvent = { type: "", payload: null };

/** Opens the dialog that sends an event to the destination alone. */
export function TestEventButton({ destination }: { destination: Destination }) {
  const { opener, giveBack } = useOpener();
  const [isOpen, { open, close }] = useDraftDialog(testEventDraft(destination.id), {
    onClose: giveBack,
  });
  return (
    <>
      <Button ref={opener} variant="default" leftSection={<BeakerIcon />} onClick={open}>
        Send a test event…
      </Button>
      <TestEventModal destination={destination} event={noEvent} isOpen={isOpen} close={close} />
    </>
  );
}

/** Opens the same dialog with the type and the payload of a delivery. */
export function EditAndResendButton({ delivery }: { delivery: DeliveryDetail }) {
  const event = readTestEvent(delivery);
  const { id, destination_id, destination_name } = delivery;
  const { opener, giveBack } = useOpener();
  const [isOpen, { open, close }] = useDraftDialog(testEventDraft(destination_id, id), {
    onClose: giveBack,
  });
  if (event === undefined || destination_name === null) return null;
  return (
    <>
      <Button ref={opener} variant="default" leftSection={<PencilIcon />} onClick={open}>
        Edit and resend
      </Button>
      <TestEventModal
        destination={{ id: destination_id, name: destination_name }}
        event={event}
        deliveryId={id}
        isOpen={isOpen}
        close={close}
      />
    </>
  );
}
