import { Text } from "@mantine/core";
import { useApiAction } from "../../api/use_api.ts";
import type { DestinationDialogProps } from "./dialog_props.ts";
import { JobModal } from "./job_modal.tsx";

/** Sends what matched while the destination was disabled. */
export function RecoverModal({ destination, isOpen, close }: DestinationDialogProps) {
  const recover = useApiAction(
    "POST /destinations/{id}/recover",
    () => ({ params: { id: destination.id }, body: {} }),
  );
  return (
    <JobModal
      isOpen={isOpen}
      close={close}
      title="Recover missed messages"
      submitLabel="Recover"
      isReady={destination.enabled}
      action={recover}
      onSubmit={() => recover.mutate()}
    >
      <Text size="sm">
        Messages that this destination missed while it was disabled are delivered now, oldest first.
        {!destination.enabled && " Enable it first."}
      </Text>
    </JobModal>
  );
}
