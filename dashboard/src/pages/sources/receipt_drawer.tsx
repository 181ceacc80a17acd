import { Alert, Anchor, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { useApiItem } from "../../api/use_api.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { useFilters } from "../../url/use_filters.ts";
import type { ReceiptDetail } from "../../api/types.ts";
import { CodeView, JsonView } from "../../ui/code_view.tsx";
import { ExactTime } from "../../ui/time_ago.tsx";
import { FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ReceiptOutcome } from "./receipt_outcome.tsx";
import { Drawer } from "../../ui/overlays.tsx";

/** Shows the receipt that the page's address names. */
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
      title="Request"
      closeButtonProps={{ "aria-label": "Close request" }}
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

export function ReceiptDetails({ receipt }: { receipt: ReceiptDetail }) {
  const { id } = useWorkspace();
  return (
    <Stack gap="lg">
      {receipt.error && (
        <Alert color="red" icon={<AlertIcon />} title={receipt.error}>
          The sender got the status {receipt.status_code}.
        </Alert>
      )}
      <FieldList
        fields={[
          ["Outcome", <ReceiptOutcome key="outcome" {...receipt} />],
          ["Signature", receipt.is_verified ? "Verified" : "Not verified"],
          ["Received", <ExactTime key="received" time={receipt.received_at} />],
          ["Message ID", receipt.message_id],
          ["Request ID", <IdText key="id" value={receipt.request_id} label="request ID" />],
        ]}
      />
      <section>
        <Title order={3} size="h5" mb="xs">Result</Title>
        <Stack gap={4}>
          {receipt.results.length === 0 && <Text size="sm" c="dimmed">No entries</Text>}
          {receipt.results.map((result, index) => (
            <Group key={index} gap="xs">
              <Text size="sm" fw={550}>{result.name ?? "Entry"}</Text>
              {result.customer_id && (
                <Anchor size="sm" {...linkTo(`/w/${id}/customers/${result.customer_id}`)}>
                  {result.duplicate ? "Duplicate: view customer" : "Stored: view customer"}
                </Anchor>
              )}
              {result.ignored && <Text size="sm" c="dimmed">Ignored: {result.ignored}</Text>}
              {result.error && <Text size="sm" c="red">Rejected: {result.error}</Text>}
            </Group>
          ))}
          {receipt.rejected > 0 && (
            <Anchor
              size="sm"
              {...linkTo(`/w/${id}/rejected`, {
                source_id: receipt.source_id,
                status: "rejected",
              })}
            >
              Fix and resend rejected entries of this source
            </Anchor>
          )}
        </Stack>
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">Headers</Title>
        <JsonView value={receipt.headers} label="Request headers" />
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">Body</Title>
        {receipt.body === null
          ? (
            <Text size="sm" c="dimmed">
              Not kept: the signature was invalid, the body was over 256 KiB, or it was erased.
            </Text>
          )
          : <CodeView code={receipt.body} language="json" label="Request body" />}
      </section>
    </Stack>
  );
}
