import { Alert, Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import type { ReceiptDetail } from "../../api/types.ts";
import { CodeView, JsonView } from "../../components/code_view.tsx";
import { ExactTime } from "../../components/exact_time.tsx";
import { FieldList } from "../../components/field_list.tsx";
import { IdText } from "../../components/id_text.tsx";
import { linkTo } from "../../components/link_to.ts";
import { useWorkspace } from "../../workspace.ts";
import { ReceiptOutcome } from "./receipt_outcome.tsx";

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
