import { Skeleton } from "@mantine/core";
import { useRef } from "react";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { EntryDetails } from "./entry_details.tsx";
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
      title="Rejected entry"
      closeButtonProps={{ "aria-label": "Close entry" }}
    >
      <ItemView
        item={isShown ? entry : { ...entry, data: undefined }}
        skeleton={<Skeleton h={300} />}
      >
        {(data) => (
          <EntryDetails
            key={data.id}
            entry={data}
            close={close}
            askToClose={askToClose}
          />
        )}
      </ItemView>
    </Drawer>
  );
}
