import { Alert, Anchor, Drawer, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
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

export function ReceiptDetails({ receipt }: { receipt: ReceiptDetail }) {
  const { id } = useWorkspace();
  return (
    <Stack gap="lg">
      {receipt.error && (
        <Alert color="red" icon={<AlertIcon />} title={receipt.error}>
          The sender was answered with status {receipt.status_code}.
        </Alert>
      )}
      <FieldList
        fields={[
          ["Outcome", <ReceiptOutcome key="outcome" {...receipt} />],
          ["Signature", receipt.is_verified ? "verified" : "not verified"],
          ["Received", <ExactTime key="received" time={receipt.received_at} />],
          ["Message id", receipt.message_id],
          ["Request id", <IdText key="id" value={receipt.request_id} label="the request id" />],
        ]}
      />
      <section>
        <Title order={3} size="h5" mb="xs">Result</Title>
        <Stack gap={4}>
          {receipt.results.length === 0 && <Text size="sm" c="dimmed">Nothing.</Text>}
          {receipt.results.map((result, index) => (
            <Group key={index} gap="xs">
              <Text size="sm" fw={550}>{result.name ?? "entry"}</Text>
              {result.customer_id && (
                <Anchor size="sm" {...linkTo(`/w/${id}/customers/${result.customer_id}`)}>
                  stored for a customer{result.duplicate ? " before" : ""}
                </Anchor>
              )}
              {result.ignored && <Text size="sm" c="dimmed">ignored: {result.ignored}</Text>}
              {result.error && <Text size="sm" c="red">rejected: {result.error}</Text>}
            </Group>
          ))}
        </Stack>
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">Headers</Title>
        <JsonView value={receipt.headers} label="Headers of the request" />
      </section>
      <section>
        <Title order={3} size="h5" mb="xs">Body</Title>
        {receipt.body === null
          ? (
            <Text size="sm" c="dimmed">
              Not kept: it did not verify, is over 256 KiB, or was erased.
            </Text>
          )
          : <CodeView code={receipt.body} language="json" label="Body of the request" />}
      </section>
    </Stack>
  );
}
