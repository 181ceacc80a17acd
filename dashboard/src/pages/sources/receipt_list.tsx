import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Group, Text } from "@mantine/core";
import { InboxIcon } from "@primer/octicons-react";
import type { ApiInput } from "../../api/api_client.ts";
import type { Receipt, Source } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { formatBytes } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ReceiptDrawer } from "./receipt_drawer.tsx";
import { outcomeOptions, ReceiptOutcome } from "./receipt_outcome.tsx";
import { Select } from "../../ui/overlays.tsx";

type Filter = NonNullable<ApiInput<"GET /sources/{id}/receipts">["query"]>;

const tableColumns: Column<Receipt>[] = [
  {
    label: "Request",
    cell: ({ event_names, message_id }) => (
      <>
        {event_names.length > 0
          ? (
            <Text size="sm" fw={550} className="break-anywhere" lineClamp={2} dir="auto">
              {event_names.join(", ")}
            </Text>
          )
          : <Text size="sm" c="dimmed">No event</Text>}
        <Text size="xs" c="dimmed" ff="monospace" className="break-everywhere" lineClamp={1}>
          {message_id ?? "No message ID"}
        </Text>
      </>
    ),
  },
  {
    label: "Outcome",
    cell: (receipt) => (
      <>
        <ReceiptOutcome {...receipt} />
        {describeReceipt(receipt).map((text) => (
          <Text key={text} size="xs" c="dimmed" lineClamp={2} className="break-anywhere">
            {text}
          </Text>
        ))}
      </>
    ),
  },
  {
    label: "Response",
    align: "right",
    visibleFrom: "sm",
    cell: ({ status_code }) => <span className="tabular">{status_code}</span>,
  },
  {
    label: "Body",
    align: "right",
    visibleFrom: "md",
    cell: ({ body_bytes }) => (
      <span className="tabular">{body_bytes === 0 ? "Not read" : formatBytes(body_bytes)}</span>
    ),
  },
  {
    label: "When",
    align: "right",
    sort: "time",
    cell: ({ received_at }) => <TimeAgo time={received_at} />,
  },
];

/** Says why a request was refused, or what became of its entries and what was wrong. */
function describeReceipt(receipt: Receipt): string[] {
  const { error, problem } = receipt;
  return [...new Set([error, countEntries(receipt), problem])].filter((text) => text !== null);
}

/** Lists the counts of several entries: "2 accepted, 1 rejected". The outcome says all of one. */
function countEntries({ accepted, duplicates, ignored, rejected }: Receipt): string | null {
  if (accepted + duplicates + ignored + rejected < 2) return null;
  const counts = Object.entries({ accepted, duplicate: duplicates, ignored, rejected });
  return counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

/** Requests to a source, with their outcome. */
export function ReceiptList({ source }: { source: Source }) {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const outcome = filters.outcome as Filter["outcome"];
  const sort = useTimeSort();
  const list = { params: { id: source.id }, query: { outcome, sort } };
  const receipts = useApiList("GET /sources/{id}/receipts", list, { refetchInterval: 5_000 });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Select
          aria-label="Outcome"
          placeholder="Any outcome"
          data={outcomeOptions}
          value={filters.outcome ?? null}
          onChange={(value) => setFilters({ outcome: value ?? undefined })}
          clearable
          maw={220}
        />
        <ExportMenu route="GET /sources/{id}/receipts/export" input={list} />
      </Group>
      <ListTable
        label="Received requests"
        list={receipts}
        columns={tableColumns}
        linkTo={() => `/w/${id}/sources/${source.id}`}
        linkSearch={(receipt) => ({ ...filters, receipt: receipt.id })}
        empty={
          <EmptyState
            icon={InboxIcon}
            title={filters.outcome ? "No matching requests" : "Nothing received yet"}
          >
            {filters.outcome
              ? `No request of the last ${retentionDays.receipts} days had this outcome.`
              : "Enter the webhook URL above at the sender and send a test."}
          </EmptyState>
        }
      />
      <ReceiptDrawer sourceId={source.id} />
    </>
  );
}
