import { Alert, Skeleton, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { ResendForm } from "./resend_form.tsx";
import { Drawer } from "../../ui/overlays.tsx";

/** Shows the rejected entry that the page's address names. */
export function RejectedDrawer() {
  const { filters, setFilters } = useFilters();
  const entry = useApiItem("GET /rejected-entries/{id}", { params: { id: filters.entry ?? "" } }, {
    enabled: filters.entry !== undefined,
  });
  const isShown = entry.data?.id === filters.entry;
  return (
    <Drawer
      opened={filters.entry !== undefined}
      onClose={() => setFilters({ entry: undefined })}
      position="right"
      size="lg"
      title={<b>Rejected entry</b>}
      closeButtonProps={{ "aria-label": "Close entry" }}
    >
      <ItemView
        item={isShown ? entry : { ...entry, data: undefined }}
        skeleton={<Skeleton h={300} />}
      >
        {(data) => (
          <>
            <Alert color="orange" icon={<AlertIcon />} title={data.error} mb="md">
              {data.field && <Text size="sm">Field: {data.field}</Text>}
              <Text size="sm">Request ID: {data.request_id}</Text>
            </Alert>
            <ResendForm key={data.id} entry={data} />
          </>
        )}
      </ItemView>
    </Drawer>
  );
}
