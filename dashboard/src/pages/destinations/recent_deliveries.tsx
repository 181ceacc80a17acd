import { Anchor, Group } from "@mantine/core";
import { PaperAirplaneIcon } from "@primer/octicons-react";
import { memo } from "react";
import type { Delivery } from "../../api/types.ts";
import { type ListQuery, useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { useWorkspace } from "../../api/workspace.ts";
import { deliveryColumns } from "../deliveries/delivery_columns.tsx";

const shownCount = 10;
const columns = deliveryColumns();

export function useRecentDeliveries(destinationId: string): ListQuery<Delivery> {
  return useApiList("GET /deliveries", {
    query: { destination_id: destinationId, limit: shownCount },
  }, {
    refetchInterval: 5_000,
  });
}

interface RecentDeliveriesProps {
  destinationId: string;
  deliveries: ListQuery<Delivery>;
}

export const RecentDeliveries = memo(
  function RecentDeliveries({ destinationId, deliveries }: RecentDeliveriesProps) {
    const { id } = useWorkspace();
    return (
      <>
        <ListTable
          label="Recent deliveries"
          list={{ ...deliveries, hasNextPage: false }}
          columns={columns}
          linkTo={(delivery) => `/w/${id}/deliveries/${delivery.id}`}
          empty={
            <EmptyState icon={PaperAirplaneIcon} title="No deliveries yet">
              Send a test ping, or wait for the first event it subscribes to.
            </EmptyState>
          }
        />
        <Group justify="flex-end" mt="xs">
          <Anchor
            {...linkTo(`/w/${id}/deliveries`, { destination_id: destinationId })}
            size="sm"
          >
            All deliveries
          </Anchor>
        </Group>
      </>
    );
  },
);
