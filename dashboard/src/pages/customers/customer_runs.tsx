import { Badge, Button, Text } from "@mantine/core";
import { WorkflowIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import type { ListedRun } from "../../api/types.ts";
import { useApiAction, useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { runState } from "../journeys/model/run_state.ts";

const refreshMs = 10_000;

/** The journeys of a customer: where they stand, since when, and what comes next. */
export function CustomerRuns({ customerId }: { customerId: string }) {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const [removing, setRemoving] = useState<ListedRun>();
  const runs = useApiList("GET /customers/{id}/runs", { params: { id: customerId } }, {
    refetchInterval: refreshMs,
  });
  const shown = useMemo(
    () => [...columns, ...mayEdit ? [makeRemoveColumn(setRemoving)] : []],
    [mayEdit],
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

const columns: Column<ListedRun>[] = [
  {
    label: "Journey",
    cell: ({ journey, version, key }) => (
      <>
        <Text size="sm" fw={550} className="break-anywhere" dir="auto">
          {journey.name ?? "Deleted journey"}
        </Text>
        <Text size="xs" c="dimmed">Version {version}{key && `, ${key}`}</Text>
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
  { label: "Step", visibleFrom: "sm", cell: ({ step }) => step ?? "–" },
  {
    label: "Next",
    visibleFrom: "md",
    cell: ({ state, wake_at }) => state === "active" && wake_at ? <TimeAgo time={wake_at} /> : "–",
  },
  { label: "Entered", visibleFrom: "sm", cell: (run) => <TimeAgo time={run.entered_at} /> },
];

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
