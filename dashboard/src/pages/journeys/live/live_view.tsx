import { Anchor, Group, SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey, JourneyStats } from "../../../api/types.ts";
import { listRows, useApiItem, useApiList } from "../../../api/use_api.ts";
import { formatCount, formatShare } from "../../../format/numbers.ts";
import { ItemView } from "../../../ui/item_view.tsx";
import { useModule } from "../../../ui/use_module.ts";
import { useFilters } from "../../../url/use_filters.ts";
import type { JourneyCanvasProps } from "../canvas/canvas_props.ts";
import { LoadingCanvas } from "../canvas/loading_canvas.tsx";
import { Figure } from "./figure.tsx";
import { mayHaveGoal } from "../model/may_have_goal.ts";
import { readFigures } from "../model/figures.ts";
import { nameEnd } from "../model/run_state.ts";
import { useNames } from "../use_names.ts";
import { LiveList } from "./live_list.tsx";
import { focusStepFigures, StepFigures } from "./step_figures.tsx";
import { Select } from "../../../ui/overlays.tsx";
import { latePanel } from "../../../ui/late_panel.tsx";

const WaitingRuns = latePanel(async () => (await import("./waiting_runs.tsx")).WaitingRuns);

const refreshMs = 5_000;

/** A published version with its figures: who entered, who waits where, and what came of the sends. */
export function LiveView({ journey }: { journey: Journey }) {
  const { filters, setFilters } = useFilters();
  const { nameOf } = useNames();
  const version = Number(filters.version) || journey.version || 1;
  const params = { id: journey.id };
  const stats = useApiItem("GET /journeys/{id}/stats", { params, query: { version } }, {
    refetchInterval: refreshMs,
  });
  const versions = useApiList("GET /journeys/{id}/versions", { params });
  const rows = listRows(versions);
  const shown = rows.find((row) => row.version === version);
  return (
    <Stack>
      {rows.length > 1 && (
        <Group justify="flex-end">
          <Select
            aria-label="Version"
            data={rows.map((row) => ({ value: `${row.version}`, label: `Version ${row.version}` }))}
            value={`${version}`}
            onChange={(value) => setFilters({ version: value ?? undefined, step: undefined })}
            allowDeselect={false}
            w={160}
          />
        </Group>
      )}
      <ItemView item={stats} skeleton={<Skeleton h={520} />}>
        {(data) =>
          versions.isPending ? <Skeleton h={520} /> : (
            <Stack>
              <Totals stats={data} definition={shown?.definition as Definition | undefined} />
              {shown && <LiveSteps definition={shown.definition as Definition} stats={data} />}
              {filters.step && (
                <WaitingRuns
                  journey={journey}
                  version={version}
                  step={filters.step}
                />
              )}
              <StepFigures
                stats={data}
                definition={shown?.definition as Definition | undefined}
                nameOf={nameOf}
              />
            </Stack>
          )}
      </ItemView>
    </Stack>
  );
}

interface TotalsProps {
  stats: JourneyStats;
  /** Undefined until it has loaded. */
  definition: Definition | undefined;
}

function Totals({ stats, definition }: TotalsProps) {
  const { entered, active, stuck, reached_goal, holdout, exited } = stats;
  const hasGoal = mayHaveGoal(definition);
  const { setFilters } = useFilters();
  const ended = Object.entries(exited).sort(([, a], [, b]) => b - a);
  const passed = entered - holdout.entered;
  return (
    <SimpleGrid cols={{ base: 2, sm: hasGoal ? 3 : 4, lg: hasGoal ? 5 : 4 }}>
      <Figure
        label="Entered"
        value={formatCount(passed)}
        note={holdout.entered > 0 ? `and ${formatCount(holdout.entered)} held out` : ""}
      />
      <Figure
        label="Inside now"
        value={formatCount(active)}
        note={stuck > 0 && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            c="red"
            onClick={() => setFilters({ tab: "runs", state: "stuck" })}
          >
            {formatCount(stuck)} stuck
          </Anchor>
        )}
      />
      {hasGoal && (
        <Figure
          label="Reached the goal"
          value={formatCount(reached_goal)}
          note={`${formatShare(reached_goal, passed)} of those who entered${
            holdout.entered > 0
              ? `; ${formatShare(holdout.reached_goal, holdout.entered)} of those held out`
              : ""
          }`}
        />
      )}
      <Emails steps={stats.steps} />
      <Figure
        label="Ended"
        value={formatCount(ended.reduce((sum, [, count]) => sum + count, 0))}
        note={ended.map(([reason, count]) => `${formatCount(count)} ${nameEnd(reason)}`).join(", ")}
      />
    </SimpleGrid>
  );
}

/** The emails of all steps together, and how many of them were read. */
function Emails({ steps }: Pick<JourneyStats, "steps">) {
  const count = (kind: "sent" | "opened" | "clicked") =>
    steps.reduce((sum, step) => sum + (step[kind] ?? 0), 0);
  const sent = count("sent");
  const share = (kind: "opened" | "clicked") => formatShare(count(kind), sent);
  return (
    <Figure
      label="Emails sent"
      value={formatCount(sent)}
      note={sent > 0 && `${share("opened")} opened, ${share("clicked")} clicked`}
    />
  );
}

interface LiveStepsProps {
  definition: Definition;
  stats: JourneyStats;
}

/** Width from which the text of a canvas can be read. */
const wide = "(min-width: 48em)";

/** The steps with their figures: a canvas, or a list on a phone. */
function LiveSteps({ definition, stats }: LiveStepsProps) {
  const isWide = useMediaQuery(wide, matchMedia(wide).matches);
  const { nameOf } = useNames();
  const { filters, setFilters } = useFilters();
  const figures = useMemo(() => readFigures(definition, stats), [definition, stats]);
  const steps = {
    definition,
    nameOf,
    figures,
    selected: filters.step,
    onSelect: (step: string | undefined) =>
      setFilters({ step: step?.startsWith("@") ? undefined : step }),
  };
  return isWide ? <LiveCanvas {...steps} /> : <LiveList {...steps} />;
}

function LiveCanvas(props: JourneyCanvasProps) {
  const loaded = useModule("journey_canvas", () => import("../canvas/journey_canvas.tsx"));
  if (!loaded) return <LoadingCanvas showTable={focusStepFigures} />;
  return <loaded.JourneyCanvas {...props} isCompact />;
}
