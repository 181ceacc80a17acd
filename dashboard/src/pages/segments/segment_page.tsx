import {
  Accordion,
  Badge,
  Button,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Title,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { MegaphoneIcon, PencilIcon, TrashIcon } from "@primer/octicons-react";
import { useParams } from "@tanstack/react-router";
import type { Segment } from "../../api/types.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { formatWhole } from "../../format/numbers.ts";
import { TrendLine } from "../../charts/trend_line.tsx";
import { describeCondition } from "../../conditions/describe.ts";
import { useNameOf } from "../../conditions/use_references.ts";
import { ActionsMenu } from "../../ui/actions_menu.tsx";
import { JsonView } from "../../ui/code_view.tsx";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { Menu } from "../../ui/overlays.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { Stat } from "../../ui/stat.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { UsedBy } from "../../ui/used_by.tsx";
import { useOpener } from "../../ui/use_opener.ts";
import { useReturn } from "../../ui/use_list_before.ts";
import { useFilters } from "../../url/use_filters.ts";
import { ExplainMembership } from "./explain_membership.tsx";
import { SegmentChanges } from "./segment_changes.tsx";
import { SegmentHistory } from "./segment_history.tsx";
import { SegmentMembers } from "./segment_members.tsx";
import { SegmentTransfers } from "./segment_transfers.tsx";
import { SegmentState } from "./segment_state.tsx";

const refreshMs = 10_000;

export function SegmentPage() {
  const { segmentId } = useParams({ from: "/w/$workspaceId/segments/$segmentId" });
  const segment = useApiItem("GET /segments/{id}", { params: { id: segmentId } }, {
    refetchInterval: refreshMs,
  });
  return <ItemView item={segment}>{(data) => <Details segment={data} />}</ItemView>;
}

function Details({ segment }: { segment: Segment }) {
  return (
    <Page
      title={segment.name}
      above={<BackLink path="/segments">Segments</BackLink>}
      heading={
        <Group gap="sm">
          <bdi>{segment.name}</bdi>
          <Badge color="gray">{segment.kind === "live" ? "Live" : "Static"}</Badge>
          <SegmentState segment={segment} />
        </Group>
      }
      description={segment.description}
      actions={<SegmentActions segment={segment} />}
    >
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        <Stack>
          <Stat
            label="Members"
            value={formatWhole(segment.members)}
            note={
              <Group justify="space-between" align="flex-end">
                Last 30 days
                <TrendLine values={segment.members_by_day} label="Members in the last 30 days" />
              </Group>
            }
          />
          <Paper p="md">
            <Facts segment={segment} />
          </Paper>
        </Stack>
        <div style={{ gridColumn: "span 2" }} className="wide-cell">
          <SegmentTabs segment={segment} />
        </div>
      </SimpleGrid>
    </Page>
  );
}

function Facts({ segment }: { segment: Segment }) {
  return (
    <Stack>
      <FieldList
        fields={[
          ["Key", segment.key],
          [
            "In use by",
            segment.used_by.length > 0
              ? <UsedBy key="uses" uses={segment.used_by} />
              : "Not in use",
          ],
          ["Created", <TimeAgo key="created" time={segment.created_at} />],
          ["Updated", <TimeAgo key="updated" time={segment.updated_at} />],
          ["Segment ID", <IdText key="id" value={segment.id} label="segment ID" />],
        ]}
      />
      {segment.condition !== null && <ConditionFacts condition={segment.condition} />}
    </Stack>
  );
}

function ConditionFacts({ condition }: { condition: NonNullable<Segment["condition"]> }) {
  const nameOf = useNameOf(condition);
  return (
    <section>
      <Title order={2} size="h5" mb="xs">Condition</Title>
      <Text size="sm" className="break-anywhere" mb="sm">
        {describeCondition(condition, nameOf)}
      </Text>
      <Accordion variant="contained" chevronPosition="left">
        <Accordion.Item value="json">
          <Accordion.Control fz="sm">JSON</Accordion.Control>
          <Accordion.Panel>
            <JsonView value={condition} label="Condition" />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </section>
  );
}

function SegmentTabs({ segment }: { segment: Segment }) {
  const { filters, setFilters } = useFilters();
  return (
    <Tabs
      value={filters.tab ?? "members"}
      onChange={(tab) => setFilters({ tab: tab === "members" ? undefined : tab ?? undefined })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="members">Members</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
        <Tabs.Tab value="changes">Changes</Tabs.Tab>
        <Tabs.Tab value="explain">Explain</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="members">
        <SegmentMembers segmentId={segment.id} isLive={segment.kind === "live"} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <SegmentHistory segmentId={segment.id} />
      </Tabs.Panel>
      <Tabs.Panel value="changes">
        <SegmentChanges segmentId={segment.id} />
      </Tabs.Panel>
      <Tabs.Panel value="explain">
        <ExplainMembership segmentId={segment.id} />
      </Tabs.Panel>
    </Tabs>
  );
}

function SegmentActions({ segment }: { segment: Segment }) {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMay("member");
  const maySend = useMay("admin");
  const goBack = useReturn("/segments");
  const { opener, giveBack } = useOpener();
  const [isDeleting, remove] = useDisclosure(false, { onClose: giveBack });
  const deletion = useApiAction(
    "DELETE /segments/{id}",
    () => ({ params: { id: segment.id } }),
    {
      onSuccess: goBack,
    },
  );
  if (!mayEdit) return <SegmentTransfers segment={segment} />;
  return (
    <>
      {maySend && (
        <Button
          {...linkTo(`/w/${workspaceId}/campaigns/new`, { segment: segment.id })}
          leftSection={<MegaphoneIcon />}
        >
          Send a campaign
        </Button>
      )}
      <SegmentTransfers segment={segment} />
      <Button
        {...linkTo(`/w/${workspaceId}/segments/${segment.id}/edit`)}
        variant="default"
        leftSection={<PencilIcon />}
      >
        Edit
      </Button>
      <ActionsMenu opener={opener}>
        <Menu.Item className="danger-item" leftSection={<TrashIcon />} onClick={remove.open}>
          Delete
        </Menu.Item>
      </ActionsMenu>
      <DeleteModal
        isOpen={isDeleting}
        close={remove.close}
        noun="segment"
        name={segment.name}
        action={deletion}
      >
        Deletes <bdi>{segment.name}</bdi> and its history. Its customers stay.
      </DeleteModal>
    </>
  );
}
