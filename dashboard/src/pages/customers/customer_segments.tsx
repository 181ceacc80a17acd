import { Badge, Text } from "@mantine/core";
import { PeopleIcon } from "@primer/octicons-react";
import type { ApiResponse } from "../../api/api_client.ts";
import { useApiList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

type Membership = ApiResponse<"GET /customers/{id}/segments">["data"][number];

const columns: Column<Membership>[] = [
  {
    label: "Segment",
    cell: ({ name, key }) => (
      <>
        <Text size="sm" fw={550} className="break-anywhere" dir="auto">{name}</Text>
        {key && <Text size="xs" c="dimmed" ff="monospace">{key}</Text>}
      </>
    ),
  },
  {
    label: "Kind",
    visibleFrom: "xs",
    cell: ({ kind }) => <Badge color="gray">{kind === "live" ? "Live" : "Static"}</Badge>,
  },
  { label: "Member since", align: "right", cell: (row) => <TimeAgo time={row.member_since} /> },
];

/** The segments that a customer is in. A row leads to the reason. */
export function CustomerSegments({ customerId }: { customerId: string }) {
  const { id } = useWorkspace();
  const segments = useApiList("GET /customers/{id}/segments", {
    params: { id: customerId },
    query: {},
  } as never);
  return (
    <ListTable
      label="Segments"
      list={segments}
      columns={columns}
      linkTo={(segment) => `/w/${id}/segments/${segment.id}`}
      linkSearch={() => ({ tab: "explain", customer_id: customerId })}
      empty={
        <EmptyState icon={PeopleIcon} title="Not in a segment">
          Segments that this customer enters appear here.
        </EmptyState>
      }
    />
  );
}
