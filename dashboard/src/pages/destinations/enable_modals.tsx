import { Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useApiAction } from "../../api/use_api.ts";
import type { Destination, StartedJob } from "../../api/types.ts";
import { describeSince } from "../../format/time.ts";
import { countOf } from "../../format/numbers.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { JobProgress } from "./job_progress.tsx";

type DestinationDialog = DialogProps & { destination: Destination };

const choices = [
  {
    value: "recover",
    label: "Deliver them now",
    description: "Oldest first. New messages may arrive in between",
  },
  {
    value: "keep",
    label: "Decide later",
    description: "They stay on the missed list for up to 30 days",
  },
  {
    value: "discard",
    label: "Discard them",
    description: "They will not be delivered. You can still resend single messages",
  },
] as const;
type Choice = typeof choices[number]["value"];

/** Enables a destination, and asks what to do with the messages it missed. */
export function EnableModal({ destination, ...dialog }: DestinationDialog) {
  const { id, health } = destination;
  const [choice, setChoice] = useState<Choice>("recover");
  const [job, setJob] = useState<StartedJob>();
  // The count is gone once the job has started.
  const [missed, setMissed] = useState(health.missed);
  const params = { params: { id } };
  const recover = useApiAction("POST /destinations/{id}/recover", () => ({ ...params, body: {} }), {
    onSuccess: setJob,
  });
  const discard = useApiAction("POST /destinations/{id}/discard", () => params, {
    onSuccess: setJob,
  });
  const enable = useApiAction(
    "PATCH /destinations/{id}",
    () => ({ ...params, body: { enabled: true } }),
    {
      onSuccess: () => {
        if (choice === "recover") return recover.mutate();
        if (choice === "discard") return discard.mutate();
        dialog.close();
      },
    },
  );
  const submit = () => {
    setMissed(health.missed);
    enable.mutate();
  };
  return (
    <FormModal
      {...dialog}
      title="Enable destination"
      submitLabel="Enable"
      onSubmit={submit}
      isPending={enable.isPending || recover.isPending || discard.isPending}
      error={enable.error ?? recover.error ?? discard.error}
      result={job && <JobProgress job={job} isDiscard={choice === "discard"} />}
      onClosed={() => setJob(undefined)}
    >
      <Text size="sm" component="div">
        {countOf(job ? missed : health.missed, "message was", "messages were")} missed
        {health.missed_since && ` in the last ${describeSince(health.missed_since)}`}. What should
        happen to them?
      </Text>
      <Radio.Group
        aria-label="Missed messages"
        value={choice}
        onChange={(value) => setChoice(value as Choice)}
      >
        <Stack gap="xs">
          {choices.map((each) => <Radio key={each.value} {...each} />)}
        </Stack>
      </Radio.Group>
    </FormModal>
  );
}

/** Disables a destination after a confirmation. */
export function DisableModal({ destination, ...dialog }: DestinationDialog) {
  const disable = useApiAction(
    "PATCH /destinations/{id}",
    () => ({ params: { id: destination.id }, body: { enabled: false } }),
    { onSuccess: dialog.close },
  );
  return (
    <ConfirmModal
      {...dialog}
      title="Disable this destination?"
      confirmLabel="Disable destination"
      action={disable}
      onConfirm={() => disable.mutate()}
    >
      <Text size="sm">
        Nothing is sent to <bdi>{destination.name}</bdi>{" "}
        until you enable it again. Waiting messages are sent once you enable it. New messages are
        saved as missed, and can be delivered later.
      </Text>
    </ConfirmModal>
  );
}
