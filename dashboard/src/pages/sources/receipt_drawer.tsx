import { Drawer, Skeleton } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../components/item_view.tsx";
import { useFilters } from "../../use_filters.ts";
import { ReceiptDetails } from "./receipt_details.tsx";

/** The receipt that the page's address names. */
export function ReceiptDrawer({ sourceId }: { sourceId: string }) {
  const { filters, setFilters } = useFilters();
  const receipt = useApiItem("GET /sources/{id}/receipts/{receipt_id}", {
    params: { id: sourceId, receipt_id: filters.receipt ?? "" },
  }, { enabled: filters.receipt !== undefined });
  const isShown = receipt.data?.id === filters.receipt;
  return (
    <Drawer
      opened={filters.receipt !== undefined}
      onClose={() => setFilters({ receipt: undefined })}
      position="right"
      size="lg"
      title={<b>Received request</b>}
      closeButtonProps={{ "aria-label": "Close the request" }}
    >
      <ItemView
        item={isShown ? receipt : { ...receipt, data: undefined }}
        skeleton={<Skeleton h={300} />}
      >
        {(data) => <ReceiptDetails receipt={data} />}
      </ItemView>
    </Drawer>
  );
}
