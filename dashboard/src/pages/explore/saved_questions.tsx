import { Anchor, Badge, Box, Button, Group, Text, Title } from "@mantine/core";
import { AppsIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { View } from "../../api/types.ts";
import { type ListQuery, useWholeList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { linkToView } from "../../ui/views/current_view.ts";
import { QuestionMenu } from "./question_menu.tsx";
import { useMissingEvents } from "./use_missing_events.ts";
import { useQuestionText } from "./use_saved_questions.ts";

/** The saved questions of the workspace, each with who saved it. */
export function SavedQuestions({ list }: { list: ListQuery<View> }) {
  const { id } = useWorkspace();
  const mayEdit = useMay("member");
  const members = useWholeList("GET /members", {});
  const columns = useMemo(() => {
    const emails = new Map(members.map(({ user_id, email }) => [user_id, email]));
    // Every workspace has a member, so without any they are not read yet.
    const other = members.length === 0 ? "" : "Former member";
    const nameOf = (userId: string | null) =>
      userId === null ? "API key" : emails.get(userId) ?? other;
    return makeColumns({ path: `/w/${id}/explore`, nameOf, mayEdit });
  }, [id, members, mayEdit]);
  return (
    <Box component="section" aria-labelledby="saved-questions" mt="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="saved-questions">Saved questions</Title>
        <Button
          variant="default"
          leftSection={<AppsIcon />}
          {...linkTo(`/w/${id}/explore/board`)}
        >
          Open as a board
        </Button>
      </Group>
      <ListTable
        label="Saved questions"
        list={list}
        columns={columns}
        empty={
          <Text size="sm" c="dimmed" p="md">
            None yet. Ask a question above and choose{" "}
            <b>Save question</b>: it is kept here for everyone in the workspace.
          </Text>
        }
      />
    </Box>
  );
}

interface ColumnsOptions {
  /** Path of the page Explore. */
  path: string;
  nameOf: (userId: string | null) => string;
  mayEdit: boolean;
}

function makeColumns({ path, nameOf, mayEdit }: ColumnsOptions): Column<View>[] {
  return [
    {
      label: "Question",
      cell: (view) => (
        <>
          <Anchor
            {...linkToView(path, view)}
            className="row-link break-anywhere"
            size="sm"
            fw={550}
          >
            <bdi>{view.name}</bdi>
          </Anchor>
          <SavedText view={view} />
          {view.board !== null && (
            <Text size="xs" c="dimmed">
              Board:{" "}
              <Anchor {...linkTo(`${path}/board`, { board: view.board })} inherit>
                <bdi>{view.board}</bdi>
              </Anchor>
            </Text>
          )}
        </>
      ),
    },
    {
      label: "Saved by",
      visibleFrom: "sm",
      cell: ({ created_by }) => (
        <Text size="sm" className="break-anywhere">{nameOf(created_by)}</Text>
      ),
    },
    {
      label: "Last change",
      align: "right",
      cell: ({ updated_at }) => <TimeAgo time={updated_at} />,
    },
    ...mayEdit
      ? [{
        label: "Actions",
        align: "right" as const,
        width: 60,
        cell: (view: View) => <QuestionMenu view={view} />,
      }]
      : [],
  ];
}

function SavedText({ view }: { view: View }) {
  const text = useQuestionText(view.filters);
  const missing = useMissingEvents(view.filters);
  return (
    <>
      <Text size="xs" c="dimmed" className="break-anywhere" dir="auto">{text}</Text>
      {missing.length > 0 && (
        <Badge color="orange" mt={4} tt="none">
          {missing.length === 1
            ? "An event does not exist any more"
            : "Events do not exist any more"}
        </Badge>
      )}
    </>
  );
}
