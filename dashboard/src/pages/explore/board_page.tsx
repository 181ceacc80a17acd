import { Button, Paper, SimpleGrid, Skeleton } from "@mantine/core";
import { AppsIcon, GraphIcon } from "@primer/octicons-react";
import { listRows } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useFilters, useHasRange } from "../../url/use_filters.ts";
import { QuestionCard } from "./question_card.tsx";
import { useSavedQuestions } from "./saved_questions.tsx";

/** The saved questions of the workspace, each with a small picture. */
export function BoardPage() {
  return (
    <Page
      above={<BackLink path="/explore">Explore</BackLink>}
      title="Board"
      description="The saved questions of this workspace, by name."
      actions={<RangePicker fallback="all" allLabel="Each in its own range" />}
    >
      <Board />
    </Page>
  );
}

const order = new Intl.Collator("en", { numeric: true });

function Board() {
  const list = useSavedQuestions();
  const { range, since, until } = useFilters().filters;
  const hasRange = useHasRange();
  if (list.isPending) {
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }} role="status" aria-label="Loading">
        <Skeleton h={320} />
        <Skeleton h={320} />
      </SimpleGrid>
    );
  }
  if (list.isError && !list.data) return <ErrorState error={list.error} retry={list.refetch} />;
  // By name, so that each has its place, and a number in front of a name chooses it.
  const views = listRows(list).toSorted((a, b) => order.compare(a.name, b.name));
  if (views.length === 0) return <EmptyBoard />;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {views.map((view) => (
        <QuestionCard
          key={view.id}
          view={view}
          range={hasRange ? { range, since, until } : undefined}
        />
      ))}
    </SimpleGrid>
  );
}

function EmptyBoard() {
  const { id } = useWorkspace();
  return (
    <Paper>
      <EmptyState
        icon={AppsIcon}
        title="No saved questions yet"
        action={
          <Button leftSection={<GraphIcon />} {...linkTo(`/w/${id}/explore`)}>
            Ask a question
          </Button>
        }
      >
        Ask a question in Explore and choose “Save question”. Its picture appears here, for everyone
        in the workspace.
      </EmptyState>
    </Paper>
  );
}
