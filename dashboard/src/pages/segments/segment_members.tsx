import { PersonIcon } from "@primer/octicons-react";
import type { SegmentMember } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { customerColumns } from "../customers/customer_columns.tsx";

const columns: Column<SegmentMember>[] = [
  ...customerColumns.slice(0, 2),
  { label: "Member since", align: "right", cell: (row) => <TimeAgo time={row.member_since} /> },
];

export function SegmentMembers({ segmentId }: { segmentId: string }) {
  const { id } = useWorkspace();
  const members = useApiList("GET /segments/{id}/customers", { params: { id: segmentId } });
  return (
    <ListTable
      label="Members"
      list={members}
      columns={columns}
      linkTo={(member) => `/w/${id}/customers/${member.id}`}
      empty={
        <EmptyState icon={PersonIcon} title="No members yet">
          Customers appear here as soon as they enter the segment.
        </EmptyState>
      }
    />
  );
}
