import { Anchor } from "@mantine/core";
import { PersonIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import type { SegmentMember } from "../../api/types.ts";
import { customerName } from "../../api/customer_name.ts";
import { useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { customerColumns } from "../customers/customer_columns.tsx";

const columns: Column<SegmentMember>[] = [
  ...customerColumns.slice(0, 2),
  { label: "Member since", align: "right", cell: (row) => <TimeAgo time={row.member_since} /> },
];

/** Leads to the explanation of a membership. */
function makeWhyColumn(path: string): Column<SegmentMember> {
  return {
    label: "Reason",
    align: "right",
    cell: (member) => (
      <Anchor
        {...linkTo(path, { tab: "explain", customer_id: member.id })}
        size="sm"
        aria-label={`Why is ${customerName(member)} a member?`}
      >
        Why?
      </Anchor>
    ),
  };
}

interface SegmentMembersProps {
  segmentId: string;
  /** True for a segment that follows a condition. */
  isLive: boolean;
}

export function SegmentMembers({ segmentId, isLive }: SegmentMembersProps) {
  const { id } = useWorkspace();
  const members = useApiList("GET /segments/{id}/customers", { params: { id: segmentId } });
  const path = `/w/${id}/segments/${segmentId}`;
  const shown = useMemo(
    () => isLive ? [...columns, makeWhyColumn(path)] : columns,
    [isLive, path],
  );
  return (
    <ListTable
      label="Members"
      list={members}
      columns={shown}
      linkTo={(member) => `/w/${id}/customers/${member.id}`}
      empty={
        <EmptyState icon={PersonIcon} title="No members yet">
          Customers appear here as soon as they enter the segment.
        </EmptyState>
      }
    />
  );
}
