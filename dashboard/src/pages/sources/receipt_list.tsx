import { Select, Text } from "@mantine/core";
import { InboxIcon } from "@primer/octicons-react";
import type { ApiInput } from "../../api/api_client.ts";
import type { Receipt, Source } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { countOf } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ReceiptDrawer } from "./receipt_drawer.tsx";
import { OUTCOME_OPTIONS, ReceiptOutcome } from "./receipt_outcome.tsx";

type Filter = NonNullable<ApiInput<"GET /sources/{id}/receipts">["query"]>;

const COLUMNS: Column<Receipt>[] = [
  {
    label: "Message",
    cell: ({ message_id, body_bytes }) => (
      <>
        <Text size="xs" ff="monospace" className="break-anywhere" lineClamp={1}>
          {message_id ?? "no message id"}
        </Text>
        <Text size="xs" c="dimmed">{countOf(body_bytes, "byte")}</Text>
      </>
    ),
  },
  {
    label: "Outcome",
    cell: (receipt) => (
      <>
        <ReceiptOutcome {...receipt} />
        {receipt.error && <Text size="xs" c="dimmed" lineClamp={1}>{receipt.error}</Text>}
      </>
    ),
  },
  {
    label: "Entries",
    visibleFrom: "sm",
    cell: (receipt) => <Text size="xs" className="tabular">{countEntries(receipt)}</Text>,
  },
  { label: "When", align: "right", cell: ({ received_at }) => <TimeAgo time={received_at} /> },
];

/** "2 accepted, 1 rejected": those that there are. */
function countEntries({ accepted, duplicates, ignored, rejected }: Receipt): string {
  const counts = Object.entries({ accepted, duplicate: duplicates, ignored, rejected });
  const found = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return found.join(", ") || "none";
}

/** What the source received, and what became of it. */
export function ReceiptList({ source }: { source: Source }) {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const outcome = filters.outcome as Filter["outcome"];
  const receipts = useApiList(
    "GET /sources/{id}/receipts",
    { params: { id: source.id }, query: { outcome } },
    { refetchInterval: 5_000 },
  );
  return (
    <>
      <Select
        aria-label="Outcome"
        placeholder="Any outcome"
        data={OUTCOME_OPTIONS}
        value={filters.outcome ?? null}
        onChange={(value) => setFilters({ outcome: value ?? undefined })}
        clearable
        mb="md"
        maw={220}
      />
      <ListTable
        label="Received"
        list={receipts}
        columns={COLUMNS}
        linkTo={() => `/w/${id}/sources/${source.id}`}
        linkSearch={(receipt) => ({ ...filters, receipt: receipt.id })}
        empty={
          <EmptyState icon={InboxIcon} title="Nothing received">
            {filters.outcome
              ? "Nothing of the last 30 days had this outcome."
              : "Give the sender the address above and have it send a test."}
          </EmptyState>
        }
      />
      <ReceiptDrawer sourceId={source.id} />
    </>
  );
}
