import {
  Anchor,
  Badge,
  Button,
  Group,
  Skeleton,
  Stack,
  Text,
  Timeline,
  Title,
} from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Run } from "../../../api/types.ts";
import { useApiAction, useApiItem } from "../../../api/use_api.ts";
import { useMay, useWorkspace } from "../../../api/workspace.ts";
import { formatLocal } from "../../../format/time.ts";
import { useZone } from "../../../format/use_zone.ts";
import { ConfirmModal } from "../../../ui/confirm_modal.tsx";
import { ErrorState } from "../../../ui/error_state.tsx";
import { type Field, FieldList } from "../../../ui/field_list.tsx";
import { IdText } from "../../../ui/id_text.tsx";
import { ItemView } from "../../../ui/item_view.tsx";
import { linkTo } from "../../../ui/link_to.ts";
import { ExactTime, TimeAgo } from "../../../ui/time_ago.tsx";
import { useFilters } from "../../../url/use_filters.ts";
import { KindIcon } from "../editor/kind_icon.tsx";
import { kindOf } from "../model/describe_step.ts";
import { describeOutcome } from "../model/describe_outcome.ts";
import { makeStepNamer } from "../model/describe_part.ts";
import { runState } from "../model/run_state.ts";
import { useDefinitions } from "../use_definitions.ts";
import { useNames } from "../use_names.ts";
import { RunTrigger } from "./run_trigger.tsx";
import { StepSend } from "./step_send.tsx";
import { Drawer, Select } from "../../../ui/overlays.tsx";

const refreshMs = 5_000;

/**
 * Shows the log of the run that the page's address names.
 */
export function RunDrawer({ isOpen, ...options }: { isOpen: boolean } & RunOptions) {
  const { filters, setFilters } = useFilters();
  const run = useApiItem("GET /runs/{id}", { params: { id: filters.run ?? "" } }, {
    enabled: filters.run !== undefined,
    refetchInterval: refreshMs,
  });
  const isShown = run.data?.id === filters.run;
  return (
    <Drawer
      opened={isOpen}
      onClose={() => setFilters({ run: undefined })}
      position="right"
      size="lg"
      title="Run"
      closeButtonProps={{ "aria-label": "Close run" }}
    >
      <ItemView
        item={isShown ? run : { ...run, data: undefined }}
        skeleton={<Skeleton h={300} />}
      >
        {(data) => <RunDetails run={data} {...options} />}
      </ItemView>
    </Drawer>
  );
}

interface RunOptions {
  /** True while nobody moves. */
  isPaused: boolean;
}

function RunDetails({ run, isPaused }: RunOptions & { run: Run }) {
  const mayEdit = useMay("admin");
  const { nameOf } = useNames();
  const definition = useDefinitions(run.journey.id).get(run.version);
  const nameStep = makeStepNamer({ definition, nameOf });
  const here = definition?.steps[run.step ?? ""];
  const zone = useZone();
  return (
    <Stack gap="lg">
      <RunFacts run={run} isPaused={isPaused} nameStep={nameStep} />
      {mayEdit && <RunActions run={run} nameStep={nameStep} />}
      <section>
        <Title order={3} size="h5" mb="sm">Steps</Title>
        <Timeline bulletSize={24} lineWidth={2} active={run.steps.length - 1}>
          {run.steps.map(({ visit, step, kind, at, done_at, outcome }) => (
            <Timeline.Item
              key={visit}
              bullet={<KindIcon kind={kind} size={12} />}
              title={nameStep(step)}
            >
              <Text size="xs" c="dimmed">
                {formatLocal(at, zone)}
                {Date.parse(done_at) - Date.parse(at) > 60_000 &&
                  `, done ${formatLocal(done_at, zone)}`}
              </Text>
              <Text size="sm" className="break-anywhere">
                {describeOutcome(outcome, { kind, nameStep })}
              </Text>
              {typeof outcome.send_id === "string" && <StepSend sendId={outcome.send_id} />}
            </Timeline.Item>
          ))}
          {run.state === "active" && run.step !== null && (
            <Timeline.Item
              bullet={here && <KindIcon kind={kindOf(here)} size={12} />}
              title={nameStep(run.step)}
            >
              <Text size="sm">At this step</Text>
            </Timeline.Item>
          )}
        </Timeline>
        {run.steps.length === 0 && <Text size="sm" c="dimmed">No step has been done yet.</Text>}
      </section>
      <RunTrigger run={run} nameOf={nameOf} />
    </Stack>
  );
}

interface RunProps {
  run: Run;
  nameStep: (step: string) => string;
}

function RunFacts({ run, isPaused, nameStep }: RunProps & RunOptions) {
  const { id } = useWorkspace();
  const { label, color } = runState(run, { isPaused });
  return (
    <FieldList
      fields={[
        [
          "Customer",
          <Anchor
            key="customer"
            {...linkTo(`/w/${id}/customers/${run.customer_id}`)}
            size="sm"
            className="whole-row"
          >
            <bdi>{run.customer_name ?? run.customer_id}</bdi>
          </Anchor>,
        ],
        ["State", <Badge key="state" color={color}>{label}</Badge>],
        ["Step", run.step && nameStep(run.step)],
        ...known(
          "Next",
          run.state === "active" && run.wake_at && <TimeAgo key="w" time={run.wake_at} />,
        ),
        ["Version", run.version],
        ...known("Key", run.key),
        ...known("Goal reached", run.goal_at && <TimeAgo key="goal" time={run.goal_at} />),
        ["Entered", <ExactTime key="entered" time={run.entered_at} />],
        ...known("Ended", run.exited_at && <ExactTime key="exited" time={run.exited_at} />),
        ["Run ID", <IdText key="id" value={run.id} label="run ID" />],
      ]}
    />
  );
}

/** A field that is left out while it has no value. */
function known(label: string, value: ReactNode): Field[] {
  return value ? [[label, value]] : [];
}

function RunActions({ run, nameStep }: RunProps) {
  const [dialog, setDialog] = useState<"remove" | "replay">();
  const close = () => setDialog(undefined);
  const remove = useApiAction("POST /runs/{id}/remove", () => ({ params: { id: run.id } }), {
    onSuccess: close,
  });
  return (
    <Group>
      {run.state === "active" && (
        <Button
          variant="light"
          color="red"
          size="xs"
          onClick={() => setDialog("remove")}
        >
          Remove from the journey
        </Button>
      )}
      <Replay run={run} nameStep={nameStep} />
      <ConfirmModal
        isOpen={dialog === "remove"}
        close={close}
        title="Remove this run?"
        confirmLabel="Remove"
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">The run ends now, with the reason “removed”.</Text>
      </ConfirmModal>
    </Group>
  );
}

/** Moves the run to a step, from which it continues. */
function Replay({ run, nameStep }: RunProps) {
  const [from, setFrom] = useState<string | null>(null);
  const replay = useApiAction("POST /journeys/{id}/replay", () => ({
    params: { id: run.journey.id },
    body: { run_ids: [run.id], from: from ?? "" },
  }), { onSuccess: () => setFrom(null) });
  return (
    <>
      <Select
        aria-label="Replay from step"
        placeholder="Replay from step…"
        size="xs"
        data={listSteps(run).map((step) => ({ value: step, label: nameStep(step) }))}
        value={from}
        onChange={setFrom}
        clearable
      />
      <ConfirmModal
        isOpen={from !== null}
        close={() => setFrom(null)}
        title="Replay this run?"
        confirmLabel="Replay"
        action={replay}
        onConfirm={() => replay.mutate()}
      >
        <Text size="sm">
          The run continues at{" "}
          {nameStep(from ?? "")}. The steps from there happen again, and emails are sent again.
        </Text>
      </ConfirmModal>
      {replay.error && <ErrorState error={replay.error} />}
    </>
  );
}

/** Lists the steps that the run came to, the newest first. */
function listSteps(run: Run): string[] {
  const names = [...run.steps.map(({ step }) => step), ...run.step ? [run.step] : []];
  return [...new Set(names.toReversed())];
}
