import { Alert, SimpleGrid, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Destination } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { countOf } from "../../format/numbers.ts";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { TimeInput } from "../../ui/time_input.tsx";
import { JobProgress } from "./job_progress.tsx";
import { ReplayCount } from "./replay_count.tsx";
import { useReplayPreview } from "./use_replay_preview.ts";

type DestinationDialog = DialogProps & { destination: Destination };

const dayMs = 86_400_000;

/** Resends the messages of a time range that have failed and not been delivered since. */
export function ReplayModal({ destination, ...dialog }: DestinationDialog) {
  const [since, setSince] = useState<string | null>(() =>
    new Date(Date.now() - dayMs).toISOString()
  );
  const [until, setUntil] = useState<string | null>(null);
  const isBackwards = since !== null && until !== null &&
    Date.parse(since) >= Date.parse(until);
  const range = since === null || isBackwards ? undefined : { since, ...(until ? { until } : {}) };
  const replay = useApiAction(
    "POST /destinations/{id}/replay",
    () => ({ params: { id: destination.id }, body: range ?? { since: "" } }),
  );
  const preview = useReplayPreview(destination.id, range, dialog.isOpen && !replay.data);
  const { matched = 0, is_exact: isExact = false } = preview.data ?? {};
  // An inexact count of 0 says nothing about older attempts, and an unknown one nothing at all.
  const isEmpty = preview.isFetching || isExact && matched === 0;
  return (
    <FormModal
      {...dialog}
      title="Resend failed messages"
      size="lg"
      submitLabel={isExact && matched > 0 ? `Resend ${countOf(matched, "message")}` : "Resend"}
      isIncomplete={!destination.enabled || range === undefined || isEmpty}
      onSubmit={() => replay.mutate()}
      isPending={replay.isPending}
      error={replay.error}
      result={replay.data && <JobProgress job={replay.data} />}
      onClosed={replay.reset}
    >
      <Text size="sm">
        Resend the messages of this period that failed or were given up. The webhook-id stays the
        same, so receivers can recognize duplicates.
        {!destination.enabled && " Enable the destination first."}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="md">
        <TimeInput label="From" value={since} onChange={setSince} />
        <TimeInput
          label="To"
          description="Until now if empty"
          clearable
          value={until}
          onChange={setUntil}
          error={isBackwards && "Must be after the start time"}
        />
      </SimpleGrid>
      {range && <ReplayCount preview={preview} waiting={destination.health.pending} />}
      {destination.enabled && destination.health.next_probe_at !== null && (
        <Alert color="yellow" icon={<AlertIcon />}>
          This destination is paused after failures. Resent messages wait until an attempt succeeds.
        </Alert>
      )}
    </FormModal>
  );
}

/** Sends the messages that matched while the destination was disabled. */
export function RecoverModal({ destination, ...dialog }: DestinationDialog) {
  const recover = useApiAction(
    "POST /destinations/{id}/recover",
    () => ({ params: { id: destination.id }, body: {} }),
  );
  const { missed } = destination.health;
  return (
    <FormModal
      {...dialog}
      title="Deliver missed messages"
      submitLabel="Deliver"
      onSubmit={() => recover.mutate()}
      isPending={recover.isPending}
      error={recover.error}
      result={recover.data && <JobProgress job={recover.data} />}
      // The number may be refreshed before the job's response is here.
      obstacle={!recover.isPending && describeObstacle(destination)}
      onClosed={recover.reset}
    >
      <Text size="sm">
        Sends the {countOf(missed, "message")}{" "}
        that this destination missed while it was disabled, oldest first.
      </Text>
    </FormModal>
  );
}

/** Returns why no missed messages can be delivered; undefined if they can. */
function describeObstacle({ enabled, health: { missed } }: Destination) {
  if (missed === 0) {
    return (
      <Text size="sm">
        This destination has missed no messages, so there is nothing to deliver.
      </Text>
    );
  }
  if (enabled) return undefined;
  return (
    <Text size="sm">
      This destination is disabled and has missed{" "}
      {countOf(missed, "message")}. Enable it first: you are then asked what should happen to them.
    </Text>
  );
}
