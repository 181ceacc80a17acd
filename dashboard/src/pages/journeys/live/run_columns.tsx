import { Badge, Text } from "@mantine/core";
import type { Definition } from "../../../api/journey_definition.ts";
import type { ListedRun } from "../../../api/types.ts";
import type { Column } from "../../../ui/list_table.tsx";
import { RowButton } from "../../../ui/list_table.tsx";
import { TimeAgo } from "../../../ui/time_ago.tsx";
import type { NameOf } from "../model/name_of.ts";
import { describePart } from "../model/describe_part.ts";
import { runState } from "../model/run_state.ts";
import { StepName } from "../publish/step_name.tsx";

interface RunColumnOptions {
  /** Shows the log of a run. */
  open: (run: ListedRun) => void;
  /** True while nobody moves. */
  isPaused: boolean;
  nameOf: NameOf;
  /** Definitions by version, of those that are known. */
  definitions: ReadonlyMap<number, Definition>;
}

/** Columns of a list of runs. */
export function makeRunColumns(
  { open, isPaused, nameOf, definitions }: RunColumnOptions,
): Column<ListedRun>[] {
  return [
    {
      label: "Customer",
      cell: (run) => (
        <RowButton onClick={() => open(run)}>
          <Text size="sm" fw={550} className="break-anywhere" dir="auto">
            {run.customer_name ?? run.customer_id}
          </Text>
          {run.step !== null && (
            <Text size="xs" c="dimmed" className="break-anywhere" hiddenFrom="sm">
              {describePart(run.step, { definition: definitions.get(run.version), nameOf }) ??
                run.step}
            </Text>
          )}
          {run.key && <Text size="xs" c="dimmed" className="break-anywhere">{run.key}</Text>}
        </RowButton>
      ),
    },
    {
      label: "State",
      cell: (run) => {
        const { label, color } = runState(run, { isPaused });
        return <Badge color={color}>{label}</Badge>;
      },
    },
    {
      label: "Step",
      visibleFrom: "sm",
      cell: ({ step, version }) =>
        step === null
          ? "–"
          : <StepName part={step} definition={definitions.get(version)} nameOf={nameOf} />,
    },
    {
      label: "Next or ended",
      visibleFrom: "sm",
      cell: ({ state, wake_at, exited_at }) => {
        const time = state === "active" ? wake_at : exited_at;
        return time ? <TimeAgo time={time} /> : "–";
      },
    },
    { label: "Entered", align: "right", cell: (run) => <TimeAgo time={run.entered_at} /> },
  ];
}
