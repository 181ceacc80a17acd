import { Anchor, Group } from "@mantine/core";
import { PaperAirplaneIcon } from "@primer/octicons-react";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../components/empty_state.tsx";
import { linkTo } from "../../components/link_to.ts";
import { ListTable } from "../../components/list_table.tsx";
import { useWorkspace } from "../../workspace.ts";
import { deliveryColumns } from "../deliveries/delivery_columns.tsx";

const SHOWN = 10;

export function RecentDeliveries({ destinationId }: { destinationId: string }) {
  const { id } = useWorkspace();
  const deliveries = useApiList("GET /deliveries", {
    query: { destination_id: destinationId, limit: SHOWN },
  }, {
    refetchInterval: 5_000,
  });
  return (
    <>
      <ListTable
        label="Recent deliveries"
        list={{ ...deliveries, hasNextPage: false }}
        columns={deliveryColumns()}
        linkTo={(delivery) => `/w/${id}/deliveries/${delivery.id}`}
        empty={
          <EmptyState icon={PaperAirplaneIcon} title="Nothing was sent yet">
            Send a test ping, or wait for the first event that it subscribes to.
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
}
