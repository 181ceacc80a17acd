import { Text } from "@mantine/core";
import dayjs from "dayjs";
import { useState } from "react";
import { useApiAction } from "../../api/use_api.ts";
import { TimeInput } from "../../ui/time_input.tsx";
import type { DestinationDialogProps } from "./dialog_props.ts";
import { JobModal } from "./job_modal.tsx";

const LOCAL = "YYYY-MM-DD HH:mm:ss";

/** Sends again what failed within a time and has not got through since. */
export function ReplayModal({ destination, isOpen, close }: DestinationDialogProps) {
  const [since, setSince] = useState<string | null>(() => dayjs().subtract(1, "day").format(LOCAL));
  const [until, setUntil] = useState<string | null>(null);
  const replay = useApiAction(
    "POST /destinations/{id}/replay",
    () => ({
      params: { id: destination.id },
      body: {
        since: dayjs(since).toISOString(),
        ...(until ? { until: dayjs(until).toISOString() } : {}),
      },
    }),
  );
  return (
    <JobModal
      isOpen={isOpen}
      close={close}
      title="Replay failed messages"
      submitLabel="Replay"
      isReady={since !== null && (until === null || since < until)}
      action={replay}
      onSubmit={() => replay.mutate()}
    >
      <Text size="sm">
        Messages whose last attempt in this time failed, and which have not got through since, are
        sent again. Receivers know them by their unchanged webhook-id.
      </Text>
      <TimeInput label="From" value={since} onChange={setSince} />
      <TimeInput
        label="To"
        description="Leave empty for now"
        clearable
        value={until}
        onChange={setUntil}
        error={since && until && since >= until ? "Must be after the start" : null}
      />
    </JobModal>
  );
}

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
