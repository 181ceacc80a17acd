import { Badge, Group, Text } from "@mantine/core";
import { HistoryIcon } from "@primer/octicons-react";
import type { SegmentChange } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

const columns: Column<SegmentChange>[] = [
  {
    label: "Customer",
    cell: ({ customer_id, customer_name }) => (
      <Text size="sm" fw={550} className="break-anywhere" dir="auto">
        {customer_name ?? customer_id}
      </Text>
    ),
  },
  {
    label: "Change",
    cell: ({ change }) => (
      <Badge color={change === "entered" ? "teal" : "orange"}>
        {change === "entered" ? "Entered" : "Left"}
      </Badge>
    ),
  },
  { label: "Cause", visibleFrom: "sm", cell: ({ cause }) => cause.replaceAll("_", " ") },
  { label: "When", align: "right", cell: ({ at }) => <TimeAgo time={at} /> },
];

/** The customers that entered and left, newest first. */
export function SegmentChanges({ segmentId }: { segmentId: string }) {
  const { id } = useWorkspace();
  const list = { params: { id: segmentId } };
  const changes = useApiList("GET /segments/{id}/changes", list);
  return (
    <>
      <Group justify="flex-end" mb="md">
        <ExportMenu
          route="GET /segments/{id}/changes/export"
          input={list}
          label="Export changes"
        />
      </Group>
      <ListTable
        label="Changes"
        list={changes}
        columns={columns}
        linkTo={({ customer_id }) => `/w/${id}/customers/${customer_id}`}
        empty={
          <EmptyState icon={HistoryIcon} title="No changes yet">
            Customers that enter or leave appear here for 30 days.
          </EmptyState>
        }
      />
    </>
  );
}
