import { Badge, Box, Button, Text } from "@mantine/core";
import { WorkflowIcon } from "@primer/octicons-react";
import { type ReactNode, useMemo, useState } from "react";
import type { ListedRun } from "../../api/types.ts";
import { useApiAction, useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import type { NameOf } from "../journeys/model/name_of.ts";
import { runState } from "../journeys/model/run_state.ts";
import { StepName } from "../journeys/publish/step_name.tsx";
import { useDefinitions } from "../journeys/use_definitions.ts";
import { useNames } from "../journeys/use_names.ts";

const refreshMs = 10_000;

/** The journeys of a customer: where they stand, since when, and what comes next. */
export function CustomerRuns({ customerId }: { customerId: string }) {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const { nameOf } = useNames();
  const [removing, setRemoving] = useState<ListedRun>();
  const runs = useApiList("GET /customers/{id}/runs", { params: { id: customerId } }, {
    refetchInterval: refreshMs,
  });
  const shown = useMemo(
    () => [...makeColumns(nameOf), ...mayEdit ? [makeRemoveColumn(setRemoving)] : []],
    [mayEdit, nameOf],
  );
  const close = () => setRemoving(undefined);
  const remove = useApiAction(
    "POST /runs/{id}/remove",
    () => ({ params: { id: removing?.id ?? "" } }),
    { onSuccess: close },
  );
  return (
    <>
      <ListTable
        label="Journeys"
        list={runs}
        columns={shown}
        linkTo={({ journey }) => `/w/${id}/journeys/${journey.id}`}
        linkSearch={(run) => ({ tab: "runs", run: run.id })}
        empty={
          <EmptyState icon={WorkflowIcon} title="Not in a journey yet">
            Journeys that this customer enters appear here.
          </EmptyState>
        }
      />
      <ConfirmModal
        isOpen={removing !== undefined}
        close={close}
        title="Remove from this journey?"
        confirmLabel="Remove"
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        <Text size="sm">
          The customer leaves <bdi>{removing?.journey.name}</bdi> now. No further steps are done.
        </Text>
      </ConfirmModal>
    </>
  );
}

function makeColumns(nameOf: NameOf): Column<ListedRun>[] {
  return [
    {
      label: "Journey",
      cell: (run) => (
        <>
          <Text size="sm" fw={550} className="break-anywhere" dir="auto">
            {run.journey.name ?? "Deleted journey"}
          </Text>
          <Text size="xs" c="dimmed">Version {run.version}{run.key && `, ${run.key}`}</Text>
          {run.step !== null && <Box mt={4} hiddenFrom="sm">{showStep(run, nameOf)}</Box>}
        </>
      ),
    },
    {
      label: "State",
      cell: (run) => {
        const { label, color } = runState(run);
        return <Badge color={color}>{label}</Badge>;
      },
    },
    {
      label: "Step",
      visibleFrom: "sm",
      cell: (run) => showStep(run, nameOf),
    },
    {
      label: "Next",
      visibleFrom: "md",
      cell: ({ state, wake_at }) =>
        state === "active" && wake_at ? <TimeAgo time={wake_at} /> : "–",
    },
    { label: "Entered", visibleFrom: "sm", cell: (run) => <TimeAgo time={run.entered_at} /> },
  ];
}

/** The step of a run. A journey that was deleted has no definitions: its step keeps the key. */
function showStep(run: ListedRun, nameOf: NameOf): ReactNode {
  const { step, journey } = run;
  if (step === null) return "–";
  return journey.name === null ? step : <RunStep run={run} step={step} nameOf={nameOf} />;
}

interface RunStepProps {
  run: ListedRun;
  step: string;
  nameOf: NameOf;
}

/** The step of a run as the canvas names it. The runs of a journey share one request. */
function RunStep({ run, step, nameOf }: RunStepProps) {
  const definitions = useDefinitions(run.journey.id);
  return <StepName part={step} definition={definitions.get(run.version)} nameOf={nameOf} />;
}
function makeRemoveColumn(remove: (run: ListedRun) => void): Column<ListedRun> {
  return {
    label: "Action",
    align: "right",
    cell: (run) =>
      run.state === "active" && (
        <Button
          variant="subtle"
          color="red"
          size="compact-xs"
          aria-label={`Remove from ${run.journey.name}`}
          onClick={() => remove(run)}
        >
          Remove
        </Button>
      ),
  };
}
