import { Badge, Button, Grid, Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useClipboard, useDebouncedValue } from "@mantine/hooks";
import { LinkIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import { listRows } from "../../api/use_api.ts";
import { PictureCard } from "../../charts/picture_card.tsx";
import { formatShare } from "../../format/numbers.ts";
import { useZone } from "../../format/use_zone.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { Page } from "../../ui/page.tsx";
import { EventTabs } from "../../ui/section_tabs.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useCurrentContents, useOpenedView } from "../../ui/views/current_view.ts";
import { useFilters, useRange } from "../../url/use_filters.ts";
import { EarlierEvents, NothingInRange } from "./events_elsewhere.tsx";
import { explainResult } from "./explain_result.ts";
import { FirstChoice } from "./first_choice.tsx";
import { drawResult, isEmptyResult, type Result } from "./pictures.ts";
import { QuestionFold } from "./question_fold.tsx";
import { MissingEvents } from "./missing_events.tsx";
import { kinds, readKind, readQuestion, usualRange } from "./question.ts";
import { OpenedQuestion, SaveQuestion } from "./save_question.tsx";
import { SavedQuestions } from "./saved_questions.tsx";
import { useSavedQuestions } from "./use_saved_questions.ts";
import { useExploration } from "./use_exploration.ts";
import { useFirstQuestion } from "./use_first_question.ts";
import { useMissingEvents } from "./use_missing_events.ts";
import { Tooltip } from "../../ui/overlays.tsx";

const typingMs = 300;

export function ExplorePage() {
  const { filters, setFilters } = useFilters();
  const clipboard = useClipboard();
  const saved = useSavedQuestions();
  const opened = useOpenedView(listRows(saved), useCurrentContents());
  const isWaiting = useFirstQuestion();
  return (
    <Page
      above={<EventTabs />}
      title="Explore"
      description="Trends, funnels, retention and paths, by when events happened."
      actions={
        <>
          <RangePicker fallback={usualRange} />
          <Button
            variant="default"
            leftSection={<LinkIcon />}
            // A phone has its own way to share an address, and little room.
            visibleFrom="sm"
            onClick={() => clipboard.copy(location.href)}
          >
            {clipboard.copied ? "Copied" : "Copy link"}
          </Button>
          <SaveQuestion opened={opened} />
        </>
      }
    >
      <Stack>
        {opened && <OpenedQuestion view={opened} />}
        <SegmentedControl
          aria-label="Kind of exploration"
          data={[...kinds]}
          value={readKind(filters)}
          onChange={(kind) => setFilters({ kind: kind === "counts" ? undefined : kind })}
          style={{ alignSelf: "flex-start" }}
          transitionDuration={0}
        />
        <Grid>
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <QuestionFold range={usualRange} isWaiting={isWaiting} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 8 }}>
            {isWaiting ? <Skeleton h={400} /> : <Answer />}
          </Grid.Col>
        </Grid>
        <SavedQuestions list={saved} />
      </Stack>
    </Page>
  );
}

function Answer() {
  const { filters } = useFilters();
  const range = useRange(usualRange);
  const zone = useZone();
  // Asks when nothing was typed for a moment.
  const [text] = useDebouncedValue(JSON.stringify({ ...filters, range }), typingMs);
  // Once: an open range ends now, and every other end would be another question.
  const question = useMemo(() => {
    const asked = JSON.parse(text) as typeof filters & { range: typeof range };
    return readQuestion(asked, asked.range);
  }, [text]);
  const missing = useMissingEvents(filters);
  const exploration = useExploration(missing.length === 0 ? question : undefined);
  if (question === undefined) return <FirstChoice />;
  if (missing.length > 0) return <MissingEvents names={missing} />;
  if (exploration.error) {
    return <ErrorState error={exploration.error} retry={exploration.refetch} />;
  }
  if (exploration.data === undefined) return <Skeleton h={400} />;
  const { question: answered, result } = exploration.data;
  if (isEmptyResult(result)) return <NothingInRange question={answered} />;
  return (
    <Stack gap="sm">
      <EarlierEvents question={answered} />
      <PictureCard
        picture={drawResult(answered, result)}
        isOld={exploration.isPlaceholderData}
        note={<Quality result={result} />}
        explanation={explainResult(answered, result, zone)}
      />
    </Stack>
  );
}

/** Says whether the numbers are exact, and in which zone the intervals are. */
function Quality({ result }: { result: Result }) {
  const share = formatShare(result.sampled_share, 1);
  return (
    <Group gap="xs">
      {"zone" in result && <Text size="xs" c="dimmed">{result.zone}</Text>}
      {!result.is_exact && (
        <Tooltip label={`Estimated from a random sample of ${share}`}>
          <Badge color="orange" tabIndex={0}>Estimate</Badge>
        </Tooltip>
      )}
    </Group>
  );
}
