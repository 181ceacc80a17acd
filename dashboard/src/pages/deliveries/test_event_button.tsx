import { Button } from "@mantine/core";
import { BeakerIcon, PencilIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useOpener } from "../../ui/use_opener.ts";
import { readTestEvent, type SentMessage, type TestEvent, testEventDraft } from "./test_event.ts";

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

interface EditAndResendProps {
  /** The sent message. Its button is only shown while its body is kept. */
  message: SentMessage;
  destination: { id: string; name: string | null };
  size?: string;
}

/** Opens the same dialog with the type and the payload of a message. */
export function EditAndResendButton({ message, destination, size }: EditAndResendProps) {
  const event = readTestEvent(message);
  const { id, name } = destination;
  const { opener, giveBack } = useOpener();
  const [isOpen, { open, close }] = useDraftDialog(testEventDraft(id, message.id), {
    onClose: giveBack,
  });
  if (event === undefined || name === null) return null;
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        size={size}
        leftSection={<PencilIcon size={size === "xs" ? 12 : 16} />}
        onClick={open}
      >
        Edit and resend
      </Button>
      <TestEventModal
        destination={{ id, name }}
        event={event}
        sentId={message.id}
        isOpen={isOpen}
        close={close}
      />
    </>
  );
}
