import { Alert, Group, List, Skeleton, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useRef } from "react";
import type { RejectedEntry } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { IdText } from "../../ui/id_text.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { listReasons, placeInEntry } from "./list_reasons.ts";
import { ResendForm } from "./resend_form.tsx";
import { Drawer } from "../../ui/overlays.tsx";

/** Shows the rejected entry that the page's address names. */
export function RejectedDrawer() {
  const { filters, setFilters } = useFilters();
  const entry = useApiItem("GET /rejected-entries/{id}", { params: { id: filters.entry ?? "" } }, {
    enabled: filters.entry !== undefined,
  });
  const close = () => setFilters({ entry: undefined });
  const askToClose = useRef<() => void>(null);
  const isShown = entry.data?.id === filters.entry;
  return (
    <Drawer
      opened={filters.entry !== undefined}
      onClose={() => (askToClose.current ?? close)()}
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
            <Reasons entry={data} />
            <ResendForm key={data.id} entry={data} close={close} askToClose={askToClose} />
          </>
        )}
      </ItemView>
    </Drawer>
  );
}

/** Everything that is wrong with an entry, and the request that brought it. */
function Reasons({ entry: { error, field, request_id } }: { entry: RejectedEntry }) {
  const reasons = listReasons(error);
  const place = placeInEntry(field ?? "");
  return (
    <Alert
      color="orange"
      icon={<AlertIcon />}
      title={reasons.length === 1 ? reasons[0] : `${reasons.length} problems`}
      mb="md"
    >
      {reasons.length > 1 && (
        <List size="sm" mb="xs" aria-label="Problems">
          {reasons.map((reason) => (
            <List.Item key={reason} className="break-anywhere">{reason}</List.Item>
          ))}
        </List>
      )}
      {place !== "" && !reasons[0]!.startsWith("Field ") && <Text size="sm">Field: {place}</Text>}
      <Group gap="xs" wrap="nowrap">
        <Text size="sm">Request ID</Text>
        <IdText value={request_id} label="request ID" />
      </Group>
    </Alert>
  );
}
