import { Anchor, Box, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useEffect, useMemo, useState } from "react";
import type { View } from "../../api/types.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { smallHeight, SmallPicture } from "../../charts/small_picture.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkToView } from "../../ui/views/current_view.ts";
import { type RangeFilters, resolveRange } from "../../url/range.ts";
import { MissingEvents } from "./missing_events.tsx";
import { drawResult, isEmptyResult } from "./pictures.ts";
import { type Address, readQuestion, usualRange } from "./question.ts";
import { QuestionMenu } from "./question_menu.tsx";
import { useQuestionText } from "./use_saved_questions.ts";
import { describeFigures, shrinkPicture } from "./shrink_picture.ts";
import { useExploration } from "./use_exploration.ts";
import { useMissingEvents } from "./use_missing_events.ts";

interface QuestionCardProps {
  view: View;
  /** The time range of the whole board. @default the question's own */
  range?: RangeFilters | undefined;
}

/** A saved question with a small picture of its answer. */
export function QuestionCard({ view, range }: QuestionCardProps) {
  const { id } = useWorkspace();
  const mayEdit = useMay("member");
  const shown = range === undefined ? view : { ...view, filters: inRange(view.filters, range) };
  const text = useQuestionText(shown.filters);
  const { ref, isSeen } = useSeen();
  return (
    <Paper
      p="md"
      ref={ref}
      component="article"
      aria-label={view.name}
      display="flex"
      style={{ flexDirection: "column" }}
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Title order={2} size="h5" className="break-anywhere" dir="auto">
          <Anchor {...linkToView(`/w/${id}/explore`, shown)} fz="inherit" fw="inherit" lh="inherit">
            {view.name}
          </Anchor>
        </Title>
        {mayEdit && <QuestionMenu view={view} />}
      </Group>
      <Text size="xs" c="dimmed" mb="sm" className="break-anywhere" dir="auto">{text}</Text>
      <SmallAnswer address={shown.filters} isAsked={isSeen} />
    </Paper>
  );
}

/** A question's address with another time range. */
function inRange(address: View["filters"], { range, since, until }: RangeFilters): View["filters"] {
  const { range: _range, since: _since, until: _until, ...question } = address;
  return {
    ...question,
    ...range !== undefined && { range },
    ...since !== undefined && { since },
    ...until !== undefined && { until },
  };
}

/** Returns whether an element has been in sight. */
function useSeen() {
  const { ref, inViewport } = useInViewport<HTMLElement>();
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (inViewport) setSeen(true);
  }, [inViewport]);
  return { ref, isSeen };
}

interface SmallAnswerProps {
  address: Address;
  /** False until the answer is needed. */
  isAsked: boolean;
}

function SmallAnswer({ address, isAsked }: SmallAnswerProps) {
  const written = JSON.stringify(address);
  // Once: an open range ends now, and every other end would be another question.
  const question = useMemo(() => {
    const read = JSON.parse(written);
    return readQuestion(read, resolveRange(read, usualRange));
  }, [written]);
  const missing = useMissingEvents(address);
  const isAnswerable = isAsked && missing.length === 0;
  const { data, error, refetch } = useExploration(isAnswerable ? question : undefined);
  if (missing.length > 0) {
    return (
      <Box my="auto">
        <MissingEvents names={missing} />
      </Box>
    );
  }
  if (question === undefined) {
    return <Note>This question is not complete. Open it to complete it.</Note>;
  }
  if (error) return <ErrorState error={error} retry={refetch} />;
  if (!isAsked) return <Box h={smallHeight} />;
  if (data === undefined) return <Skeleton h={smallHeight} role="status" aria-label="Loading" />;
  if (isEmptyResult(data.result)) return <Note>No events in this time range.</Note>;
  const picture = shrinkPicture(drawResult(data.question, data.result));
  return (
    // Charts beside each other stand on one line.
    <Stack gap="xs" flex={1} justify="space-between">
      {picture.answer && <Text fz={20} fw={650} className="tabular">{picture.answer}</Text>}
      <SmallPicture picture={picture} caption={describeFigures(picture)} />
    </Stack>
  );
}

function Note({ children }: { children: string }) {
  return <Text size="sm" c="dimmed">{children}</Text>;
}
