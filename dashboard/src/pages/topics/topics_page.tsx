import { Badge, Button, Text } from "@mantine/core";
import { MegaphoneIcon, PlusIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { Topic } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { formatCount } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable, RowButton } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { TopicModal } from "./topic_modal.tsx";

export function TopicsPage() {
  const mayEdit = useMay("admin");
  const topics = useApiList("GET /topics", {});
  const [opened, setOpened] = useState<Topic | "new">();
  const create = mayEdit && (
    <Button leftSection={<PlusIcon />} onClick={() => setOpened("new")}>New topic</Button>
  );
  return (
    <Page title="Topics" description="What customers can subscribe to." actions={create}>
      <ListTable
        label="Topics"
        list={topics}
        columns={makeColumns(mayEdit ? setOpened : undefined)}
        empty={
          <EmptyState icon={MegaphoneIcon} title="No topics yet" action={create}>
            {mayEdit
              ? "Create a topic, such as a newsletter, that customers can join and leave."
              : "Ask an admin of this workspace to create one."}
          </EmptyState>
        }
      />
      {opened && (
        <TopicModal
          topic={opened === "new" ? undefined : opened}
          isOpen
          close={() => setOpened(undefined)}
        />
      )}
    </Page>
  );
}

/** @param edit opens a topic; undefined for users who may only read. */
function makeColumns(edit: ((topic: Topic) => void) | undefined): Column<Topic>[] {
  const name = (topic: Topic) => (
    <>
      <Text size="sm" fw={550} lineClamp={1} className="break-anywhere" dir="auto">
        {topic.name}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">{topic.key}</Text>
    </>
  );
  return [
    {
      label: "Topic",
      cell: (topic) =>
        edit ? <RowButton onClick={() => edit(topic)}>{name(topic)}</RowButton> : name(topic),
    },
    {
      label: "Default",
      visibleFrom: "sm",
      cell: (topic) => (
        <Badge color="gray">{topic.default === "subscribed" ? "Subscribed" : "Opt-in"}</Badge>
      ),
    },
    {
      label: "Joined",
      align: "right",
      cell: ({ subscribed }) => <span className="tabular">{formatCount(subscribed)}</span>,
    },
    {
      label: "Left",
      align: "right",
      cell: ({ unsubscribed }) => <span className="tabular">{formatCount(unsubscribed)}</span>,
    },
  ];
}
