import { Anchor, Badge, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { EyeIcon, MegaphoneIcon, PlusIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import type { Topic } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { narrowFilter } from "../../conditions/filter_text.ts";
import { capitalize } from "../../format/capitalize.ts";
import { formatCount } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { focusRow } from "../../ui/focus_row.ts";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable, RowButton } from "../../ui/list_table.tsx";
import { showName } from "../../ui/name_column.tsx";
import { Page } from "../../ui/page.tsx";
import { SubscriptionTabs } from "../../ui/section_tabs.tsx";
import { UsedBy } from "../../ui/used_by.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { topicDefaults } from "./topic_defaults.ts";
import { PreferencePreview } from "./preference_preview.tsx";
import { useAskedDialog } from "../../ui/use_draft_dialog.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";

const TopicModal = lateDialog(async () => (await import("./topic_modal.tsx")).TopicModal);

export function TopicsPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const sort = useNameSort();
  const topics = useApiList("GET /topics", { query: { sort } });
  const [openId, setOpenId] = useState(useReturningNames("topic:")[0]);
  const opened = listRows(topics).find(({ id }) => id === openId);
  useAskedDialog("topic:new", () => setOpenId("new"));
  const [isPreviewing, preview] = useDisclosure();
  const columns = useMemo(
    () =>
      makeColumns({ workspaceId: id, edit: mayEdit ? (topic) => setOpenId(topic.id) : undefined }),
    [id, mayEdit],
  );
  const create = mayEdit && (
    <Button
      leftSection={<PlusIcon />}
      data-row="new"
      onClick={() => setOpenId("new")}
    >
      New topic
    </Button>
  );
  return (
    <Page
      above={<SubscriptionTabs />}
      title="Topics"
      description="What customers can subscribe to."
      actions={
        <>
          <Button variant="default" leftSection={<EyeIcon />} onClick={preview.open}>
            Preview the preference page
          </Button>
          {create}
        </>
      }
    >
      <ListTable
        label="Topics"
        list={topics}
        columns={columns}
        empty={
          <EmptyState icon={MegaphoneIcon} title="No topics yet" action={create}>
            {mayEdit
              ? "Create a topic, such as a newsletter, that customers can join and leave."
              : "Ask an admin of this workspace to create one."}
          </EmptyState>
        }
      />
      {mayEdit && (opened || openId === "new") && (
        <TopicModal
          topic={opened}
          isOpen
          close={() => {
            setOpenId(undefined);
            focusRow(openId);
          }}
        />
      )}
      {isPreviewing && <PreferencePreview isOpen close={preview.close} />}
    </Page>
  );
}

interface ColumnOptions {
  workspaceId: string;
  /** Opens a topic; undefined for users who may only read. */
  edit: ((topic: Topic) => void) | undefined;
}

function makeColumns({ workspaceId, edit }: ColumnOptions): Column<Topic>[] {
  return [
    {
      label: "Topic",
      sort: "name",
      cell: (topic) =>
        edit
          ? <RowButton rowId={topic.id} onClick={() => edit(topic)}>{showName(topic)}</RowButton>
          : showName(topic),
    },
    {
      label: "Default",
      visibleFrom: "sm",
      cell: (topic) => (
        <>
          <Badge color="gray">{topicDefaults[topic.default].label}</Badge>
          <Text size="xs" c="dimmed" mt={2}>{capitalize(topicDefaults[topic.default].who)}</Text>
        </>
      ),
    },
    {
      label: "In use by",
      visibleFrom: "md",
      cell: ({ used_by }) =>
        used_by.length > 0
          ? <UsedBy uses={used_by} />
          : <Text size="sm" c="dimmed">Not in use</Text>,
    },
    {
      label: "Subscribed",
      align: "right",
      cell: (topic) => <Subscribed topic={topic} workspaceId={workspaceId} />,
    },
  ];
}

interface SubscribedProps {
  topic: Topic;
  workspaceId: string;
}

/** Subscribers of a topic, with their list. Everyone has an opt-out topic until they leave it. */
function Subscribed({ topic, workspaceId }: SubscribedProps) {
  const { id, name, subscribed, unsubscribed } = topic;
  const left = formatCount(unsubscribed);
  const isOptOut = topic.default === "subscribed";
  const everyone = unsubscribed === 0 ? "Everyone" : `All but ${left}`;
  const text = isOptOut ? everyone : formatCount(subscribed);
  return (
    <div className="tabular">
      <Anchor
        {...linkTo(`/w/${workspaceId}/customers`, {
          filter: narrowFilter(undefined, { topic: id, subscribed: true }),
        })}
        size="sm"
        aria-label={`${text}: customers subscribed to ${name}`}
      >
        {text}
      </Anchor>
      {!isOptOut && unsubscribed > 0 && <Text size="xs" c="dimmed" mt={2}>{left} left</Text>}
    </div>
  );
}
