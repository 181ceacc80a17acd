import { Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Journey } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { countOf } from "../../format/numbers.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { FormModal } from "../../ui/form_modal.tsx";

interface StateModalProps {
  journey: Journey;
  isOpen: boolean;
  close: () => void;
  /** Called when the closed dialog is out of sight. */
  onClosed?: () => void;
}

/** Pauses a journey: nobody enters and nobody moves. */
export function PauseModal({ journey, ...dialog }: StateModalProps) {
  const pause = useApiAction("POST /journeys/{id}/pause", () => paramsOf(journey), {
    onSuccess: dialog.close,
  });
  return (
    <FormModal
      {...dialog}
      title="Pause this journey?"
      submitLabel="Pause"
      onSubmit={() => pause.mutate()}
      isPending={pause.isPending}
      error={pause.error}
    >
      <Text size="sm">
        Nobody enters, and nobody moves. {countOf(journey.active_runs, "run")}{" "}
        stay where they are until you resume.
      </Text>
    </FormModal>
  );
}

/** Resumes a journey, with or without the effects that fell due meanwhile. */
export function ResumeModal({ journey, ...dialog }: StateModalProps) {
  const [late, setLate] = useState("run");
  const resume = useApiAction(
    "POST /journeys/{id}/resume",
    () => ({ ...paramsOf(journey), body: late === "skip" ? { late: "skip" as const } : {} }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Resume this journey?"
      submitLabel="Resume"
      onSubmit={() => resume.mutate()}
      isPending={resume.isPending}
      error={resume.error}
    >
      {journey.state === "paused" && (
        <Radio.Group
          label="Emails, updates and webhooks that fell due during the pause"
          value={late}
          onChange={setLate}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="run" label="Do them now" />
            <Radio value="skip" label="Skip them" />
          </Stack>
        </Radio.Group>
      )}
      <Text size="sm">Customers enter again, and those inside move on.</Text>
    </FormModal>
  );
}

/** Drains a journey: nobody enters any more. */
export function DrainModal({ journey, onClosed, ...dialog }: StateModalProps) {
  const drain = useApiAction("POST /journeys/{id}/drain", () => paramsOf(journey), {
    onSuccess: dialog.close,
  });
  return (
    <FormModal
      {...dialog}
      onClosed={onClosed}
      title="Drain this journey?"
      submitLabel="Drain"
      onSubmit={() => drain.mutate()}
      isPending={drain.isPending}
      error={drain.error}
    >
      <Text size="sm">
        No more customers enter. {countOf(journey.active_runs, "run")}{" "}
        continue to their end. You can resume later.
      </Text>
    </FormModal>
  );
}

/** Stops a journey: all runs end, and it cannot start again. */
export function StopModal({ journey, onClosed: _, ...dialog }: StateModalProps) {
  const stop = useApiAction("POST /journeys/{id}/stop", () => paramsOf(journey), {
    onSuccess: dialog.close,
  });
  return (
    <ConfirmModal
      {...dialog}
      title="Stop this journey?"
      confirmLabel="Stop journey"
      typed={{ label: "Type its name to confirm", value: journey.name }}
      action={stop}
      onConfirm={() => stop.mutate()}
    >
      <Text size="sm">
        {countOf(journey.active_runs, "run")}{" "}
        end now, with the reason “stopped”. This can’t be undone: a stopped journey does not start
        again, but you can duplicate it.
      </Text>
    </ConfirmModal>
  );
}

function paramsOf({ id }: Journey) {
  return { params: { id } };
}
