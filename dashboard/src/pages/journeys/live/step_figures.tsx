import { Anchor, Paper, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { JourneyStats } from "../../../api/types.ts";
import { formatCount, formatShare } from "../../../format/numbers.ts";
import { useFilters } from "../../../url/use_filters.ts";
import { type Described, describePart } from "../model/describe_part.ts";
import { listTroubles } from "../model/figures.ts";
import { mayHaveGoal } from "../model/may_have_goal.ts";

type CountedStep = JourneyStats["steps"][number];

const columns: readonly (readonly [label: string, (step: CountedStep) => ReactNode])[] = [
  ["Reached", ({ came }) => formatCount(came)],
  ["Here now", ({ waiting }) => formatCount(waiting)],
  ["Goal", ({ reached_goal }) => formatCount(reached_goal)],
  ["Sent", ({ kind, sent }) => kind === "send" ? formatCount(sent) : ""],
  ["Opened", ({ kind, opened, sent }) => kind === "send" ? formatShare(opened, sent) : ""],
  ["Clicked", ({ kind, clicked, sent }) => kind === "send" ? formatShare(clicked, sent) : ""],
  ["Problems", (step) => <Troubles step={step} />],
];

/** Each reason with its number, for which something was not done or did not arrive. */
function Troubles({ step }: { step: CountedStep }) {
  return listTroubles(step).map(([name, count]) => (
    <div key={name}>
      {formatCount(count)} <Text span size="xs" c="dimmed">{name}</Text>
    </div>
  ));
}

/** Without a goal, there is none to reach. */
function columnsOf(definition: Described["definition"]) {
  return columns.filter(([label]) => label !== "Goal" || mayHaveGoal(definition));
}

const titleId = "step-figures";

/** Moves the focus to the table, which scrolls into view. */
export function focusStepFigures(): void {
  document.getElementById(titleId)?.focus();
}

/** The figures of all steps as a table, which can be read without the canvas. */
export function StepFigures({ stats, ...described }: Described & { stats: JourneyStats }) {
  const { setFilters } = useFilters();
  const shown = columnsOf(described.definition);
  return (
    <Paper>
      <Title order={2} size="h5" p="md" pb={0} id={titleId} tabIndex={-1} className="panel-title">
        Steps
      </Title>
      <Table.ScrollContainer minWidth={620} type="native">
        <Table aria-label="Steps" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Step</Table.Th>
              {shown.map(([label]) => (
                <Table.Th key={label} scope="col" ta="right">{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {stats.steps.map((step) => (
              <Table.Tr key={step.step}>
                <Table.Td>
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    ta="start"
                    onClick={() => setFilters({ step: step.step })}
                  >
                    {describePart(step.step, described) ?? step.step}
                  </Anchor>
                  <Text size="xs" c="dimmed" ff="monospace" className="break-anywhere">
                    {step.step}
                  </Text>
                </Table.Td>
                {shown.map(([label, show]) => (
                  <Table.Td key={label} ta="right" className="tabular">{show(step)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
