import { Button, Paper, SimpleGrid, Skeleton } from "@mantine/core";
import { AppsIcon, GraphIcon } from "@primer/octicons-react";
import { listRows } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Select } from "../../ui/overlays.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useFilters, useHasRange } from "../../url/use_filters.ts";
import { listBoards, questionsOf } from "./boards.ts";
import { QuestionCard } from "./question_card.tsx";
import { useSavedQuestions } from "./use_saved_questions.ts";

/** The saved questions of the workspace, each with a small picture. */
export function BoardPage() {
  const { board } = useFilters().filters;
  return (
    <Page
      above={<BackLink path="/explore">Explore</BackLink>}
      title={board ?? "Board"}
      search={board === undefined ? undefined : { board }}
      heading={<span dir="auto">{board ?? "Board"}</span>}
      description={<Description />}
      actions={
        <>
          <BoardSelect />
          <RangePicker fallback="all" allLabel="Saved ranges" />
        </>
      }
    >
      <Board />
    </Page>
  );
}

/** Says what the board shows, and how to make another one. */
function Description() {
  const { board } = useFilters().filters;
  const mayEdit = useMay("member");
  return (
    <>
      {board === undefined
        ? "The saved questions of this workspace, by name."
        : "The questions of this board, by name."}
      {mayEdit && board === undefined &&
        " Choose “Board…” in the menu of a question to make a board of your own."}
    </>
  );
}

/** Chooses one of the boards. Without any, all questions are on one. */
function BoardSelect() {
  const { filters: { board }, setFilters } = useFilters();
  const boards = listBoards(listRows(useSavedQuestions()));
  if (boards.length === 0 && board === undefined) return null;
  return (
    <Select
      aria-label="Board"
      placeholder="All questions"
      data={board === undefined || boards.includes(board) ? boards : [...boards, board]}
      value={board ?? null}
      onChange={(value) => setFilters({ board: value ?? undefined })}
      clearable
    />
  );
}

function Board() {
  const list = useSavedQuestions();
  const { board, range, since, until } = useFilters().filters;
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
  const views = questionsOf(listRows(list), board);
  if (views.length === 0 && board === undefined) return <EmptyBoard />;
  if (views.length === 0) {
    return (
      <NoMatches title="No question is on this board">
        Choose “Board…” in the menu of a saved question to put it here.
      </NoMatches>
    );
  }
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
