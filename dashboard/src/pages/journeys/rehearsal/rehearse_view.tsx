import {
  Alert,
  Button,
  Group,
  Paper,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { HistoryIcon } from "@primer/octicons-react";
import { useEffect, useState } from "react";
import { type ApiResponse, isConflict } from "../../../api/api_client.ts";
import { isSame } from "../../../api/is_same.ts";
import type { Definition } from "../../../api/journey_definition.ts";
import type { Journey, Rehearsal } from "../../../api/types.ts";
import { useApiAction } from "../../../api/use_api.ts";
import { useMay } from "../../../api/workspace.ts";
import { countOf, formatCount, formatShare } from "../../../format/numbers.ts";
import { formatShort } from "../../../format/time.ts";
import { useZone } from "../../../format/use_zone.ts";
import { EmptyState } from "../../../ui/empty_state.tsx";
import { ErrorState } from "../../../ui/error_state.tsx";
import { RoleGate } from "../../../ui/role_gate.tsx";
import { TimeAgo } from "../../../ui/time_ago.tsx";
import { CustomerLink } from "../../customers/customer_link.tsx";
import { Figure } from "../live/figure.tsx";
import type { SaveState } from "../editor/save_state.ts";
import { describeNobody } from "../model/describe_nobody.ts";
import { makeStepNamer } from "../model/describe_part.ts";
import { mayHaveGoal } from "../model/may_have_goal.ts";
import { runState } from "../model/run_state.ts";
import { Select } from "../../../ui/overlays.tsx";
import { useNames } from "../use_names.ts";
import { describeRest } from "./describe_rest.ts";
import { RehearsedCanvas } from "./rehearsed_canvas.tsx";
import { useRehearsalJob } from "./use_rehearsal_job.ts";

const dayMs = 86_400_000;
const lengths = [7, 30, 90, 365].map((days) => ({ value: `${days}`, label: `Last ${days} days` }));

interface RehearseViewProps {
  journey: Journey;
  /** State of the saving of the draft on the page. */
  saveState: SaveState;
}

/** Runs the draft over recorded events: who would have entered, and what would have been sent. */
export function RehearseView({ journey, saveState }: RehearseViewProps) {
  const mayRehearse = useMay("member");
  const job = useRehearsalJob(journey);
  const { jobId, data } = job;
  const [days, setDays] = useState("30");
  const start = useApiAction("POST /journeys/{id}/rehearse", () => ({
    params: { id: journey.id },
    body: { since: new Date(Date.now() - Number(days) * dayMs).toISOString() },
  }), {
    onSuccess: ({ job_id }) => job.show(job_id),
    // Perhaps a colleague's is running.
    onError: (error) => isConflict(error) && job.showLast(),
  });
  const isRunning = data?.state === "pending" || data?.state === "running";
  useEffect(() => {
    if (!isRunning) start.reset();
  }, [isRunning]);
  const result = data?.result;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Runs the saved draft over past events. Nothing is sent, and nobody enters. The more
        customers have events in that time, the longer it takes.
      </Text>
      {mayRehearse && (
        <Group>
          <Select
            aria-label="Events of"
            data={lengths}
            value={days}
            onChange={(value) => setDays(value ?? "30")}
            allowDeselect={false}
          />
          <Button
            loading={start.isPending || isRunning}
            disabled={saveState !== "saved"}
            onClick={() => start.mutate()}
          >
            Rehearse
          </Button>
        </Group>
      )}
      {start.error && <ErrorState error={start.error} />}
      {job.error && <ErrorState error={job.error} retry={job.refetch} />}
      {jobId === undefined && !start.isPending && (
        <RoleGate role="member" action="rehearse journeys">
          <Paper>
            <EmptyState icon={HistoryIcon} title="See this journey before it runs">
              A rehearsal counts who would have entered, the emails of each step and who would have
              reached the goal, with examples.
            </EmptyState>
          </Paper>
        </RoleGate>
      )}
      {isRunning && <Running job={data} />}
      {data?.state === "failed" && (
        <Alert color="red" title="The rehearsal failed">{data.error}</Alert>
      )}
      {result && <Result key={data.id} journey={journey} result={result} />}
    </Stack>
  );
}

function Running({ job }: { job: ApiResponse<"GET /jobs/{id}"> }) {
  const { done, total } = job;
  const rest = describeRest(job, Date.now());
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Text size="sm" role="status" className="tabular">
          {total === 0
            ? "Finding customers…"
            : `${formatCount(done)} of ${countOf(total, "customer")}`}
          {rest && `, ${rest}`}
        </Text>
        {total > 0 && <Text size="sm" fw={600} className="tabular">{formatShare(done, total)}
        </Text>}
      </Group>
      <Progress
        value={total === 0 ? 0 : (done / total) * 100}
        size="lg"
        animated
        aria-label="Progress"
      />
      <Text size="sm" c="dimmed" mt="sm">
        You can leave this page: the rehearsal continues. Everyone in the workspace sees its result
        here.
      </Text>
    </Paper>
  );
}

function Result({ journey, result }: { journey: Journey; result: Rehearsal }) {
  const zone = useZone();
  const sent = result.steps.reduce((sum, step) => sum + step.sent, 0);
  const { entered, holdout, not_entered } = result;
  const hasGoal = mayHaveGoal(result.definition as Definition);
  const outside = [
    ...holdout.entered > 0 ? [`${formatCount(holdout.entered)} were held out`] : [],
    ...Object.entries(not_entered).map(([reason, count]) => describeRefusal(reason, count)),
  ];
  return (
    <Stack>
      <Text size="sm">
        {result.version === null ? "The draft" : `Version ${result.version}`} with the events from
        {" "}
        {formatShort(result.since, zone)} to {formatShort(result.until, zone)}.
        {isOutdated(result, journey) && " The draft was changed after this rehearsal."}
      </Text>
      <SimpleGrid cols={{ base: 2, md: hasGoal ? 4 : 3 }}>
        <Figure
          label="Would have entered"
          value={formatCount(entered - holdout.entered)}
          note={outside.join(", ")}
        />
        <Figure label="Emails" value={formatCount(sent)} />
        {hasGoal && <Figure label="Reached the goal" value={formatCount(result.reached_goal)} />}
        <Figure
          label="Still inside"
          value={formatCount(result.active)}
          note={`of ${countOf(result.customers, "customer")}`}
        />
      </SimpleGrid>
      <Nobody result={result} />
      <RehearsedCanvas result={result} />
      <Examples result={result} />
      <Text size="sm" c="dimmed">
        Conditions and sends use today’s{" "}
        {listNames(result.as_of_now)}, because their history is not recorded. The rehearsal ignores
        {" "}
        {listNames(result.left_out)}.
      </Text>
    </Stack>
  );
}

/** Says why nobody would have entered. */
function Nobody({ result }: { result: Rehearsal }) {
  const { nameOf } = useNames();
  const text = describeNobody(result, nameOf);
  return text && <Alert color="blue" title="Nobody would have entered">{text}</Alert>;
}

/**
 * Returns whether the draft differs from what was rehearsed. Publishing or renaming a journey changes
 * neither. The times count too: a rehearsal has ids where a draft may have keys.
 */
function isOutdated({ version, until, definition }: Rehearsal, journey: Journey): boolean {
  return version === null && until < journey.updated_at && !isSame(definition, journey.definition);
}

/** Reasons why customers would not have entered, to stand after their number. */
const refusals: Readonly<Record<string, string>> = {
  condition: "did not meet the entry condition",
  already_inside: "were already inside",
  entered_before: "had already entered",
  too_soon: "had entered too recently",
};

function describeRefusal(reason: string, count: number): string {
  return `${formatCount(count)} ${refusals[reason] ?? reason.replaceAll("_", " ")}`;
}

const wordList = new Intl.ListFormat("en-GB");
const listNames = (names: readonly string[]) => wordList.format(names).replaceAll("_", " ");

/** Some of the runs, as they were at the end of the rehearsed period. */
function Examples({ result: { examples, until, definition } }: { result: Rehearsal }) {
  const { nameOf } = useNames();
  const nameStep = makeStepNamer({ definition: definition as Definition, nameOf });
  if (examples.length === 0) return null;
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Examples</Title>
      <Stack gap="xs" component="ul" className="plain-list" m={0} p={0}>
        {examples.map((example) => (
          <li key={`${example.customer_id} ${example.entered_at}`}>
            <Group gap="sm">
              <CustomerLink customerId={example.customer_id} />
              <Text size="xs" c="dimmed" component="span">
                <TimeAgo time={example.entered_at} />
              </Text>
              <Text size="sm">{runState(example, { now: Date.parse(until) }).label}</Text>
            </Group>
            <Text size="sm" c="dimmed" className="break-anywhere">
              {example.path.map(({ step }) => nameStep(step)).join(" → ")}
            </Text>
          </li>
        ))}
      </Stack>
    </Paper>
  );
}
