import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Badge, Button, Text } from "@mantine/core";
import { ShieldCheckIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import type { ApiInput } from "../../api/api_client.ts";
import type { RejectedEntry } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { type BulkAction, BulkActions } from "../../ui/bulk_actions.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable, RowButton } from "../../ui/list_table.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { useFilters } from "../../url/use_filters.ts";
import { FixModal } from "./fix_modal.tsx";
import { originLabels, type RejectedStatus, statusLabels, statusOf } from "./labels.ts";
import { listReasons } from "./list_reasons.ts";
import { RejectedDrawer } from "./rejected_drawer.tsx";

type Query = ApiInput<"GET /rejected-entries">["query"];

/** Reads the list in the order of the page's address. */
export function useRejectedEntries(query: Query) {
  const sort = useTimeSort();
  return useApiList("GET /rejected-entries", { query: { ...query, sort } }, {
    refetchInterval: 10_000,
  });
}

interface RejectedListProps {
  query: Query;
  /** The page has filters, and some are chosen. */
  isFiltered?: boolean;
}

export function RejectedList({ query, isFiltered = false }: RejectedListProps) {
  const { setFilters } = useFilters();
  const entries = useRejectedEntries(query);
  const columns = useMemo(() => makeColumns((entry) => setFilters({ entry })), [setFilters]);
  const mayResend = useMay("member");
  const [chosen, select] = useState<ReadonlySet<string>>(new Set());
  const [fixed, fix] = useState<RejectedEntry[]>();
  const rows = listRows(entries);
  const resent = new Set(rows.filter((each) => !canSelect(each)).map(({ id }) => id));
  const selected = new Set([...chosen].filter((id) => !resent.has(id)));
  return (
    <>
      <BulkActions
        noun="entry"
        plural="entries"
        selected={selected}
        clear={() => select(new Set())}
        actions={[resend, discard]}
        describe={(key) => {
          const entry = rows.find(({ id }) => id === key);
          return entry && listReasons(entry.error).join("; ");
        }}
        more={
          <Button
            size="compact-sm"
            onClick={() => fix(rows.filter(({ id }) => selected.has(id)))}
          >
            Fix and resend…
          </Button>
        }
      />
      {fixed && (
        <FixModal
          target={{ kind: "selected", entries: fixed }}
          close={(isDone) => {
            fix(undefined);
            if (isDone) select(new Set());
          }}
        />
      )}
      <ListTable
        label="Rejected entries"
        selection={mayResend
          ? { selected, onChange: select, nameOf: nameEntry, canSelect }
          : undefined}
        list={entries}
        columns={columns}
        empty={isFiltered ? <NoMatchingEntries /> : <NoEntries />}
      />
      <RejectedDrawer />
    </>
  );
}

/** An entry is resent once. */
function canSelect({ resent_at }: RejectedEntry): boolean {
  return resent_at === null;
}

function NoMatchingEntries() {
  return (
    <NoMatches title="No matching entries">
      <WidenHint /> Entries are kept for {retentionDays.rejectedEntries} days.
    </NoMatches>
  );
}

function NoEntries() {
  return (
    <EmptyState icon={ShieldCheckIcon} title="No rejected entries">
      Entries that fail validation are kept here for {retentionDays.rejectedEntries}{" "}
      days, so nothing is lost.
    </EmptyState>
  );
}

const resend: BulkAction = {
  label: "Resend",
  explanation:
    "Entries are sent unchanged. Any that still fail stay in the list. To change them first, use " +
    "“Fix and resend…”.",
  run: (api, id) => api.call("POST /rejected-entries/{id}/resend", { params: { id }, body: {} }),
};

const discard: BulkAction = {
  label: "Discard",
  explanation:
    "The entries leave the list of reasons and are not stored as events. You find them " +
    "under the status Discarded, and can still resend them.",
  isDangerous: true,
  run: (api, id) => api.call("POST /rejected-entries/{id}/discard", { params: { id } }),
};

/** Returns the name and the customer ID of an entry of any format; a dash and nothing without them. */
function summarize(entry: unknown): { name: string; id: string } {
  if (typeof entry !== "object" || entry === null) return { name: "–", id: "" };
  const fields = entry as Record<string, unknown>;
  const pick = (...names: string[]) =>
    names.map((name) => fields[name]).find((value) => typeof value === "string" && value !== "");
  return {
    name: String(pick("name", "event", "type") ?? "–"),
    id: String(pick("external_id", "userId", "anon_id", "anonymousId") ?? ""),
  };
}

/** Names an entry by what its row shows. */
function nameEntry({ entry, error }: RejectedEntry): string {
  const { name, id } = summarize(entry);
  return [name, id, listReasons(error).join("; ")].filter((text) => !["", "–"].includes(text))
    .join(", ");
}

const statusColors: Record<RejectedStatus, string> = {
  rejected: "yellow",
  resent: "green",
  discarded: "gray",
};

function makeColumns(show: (entryId: string) => void): Column<RejectedEntry>[] {
  return [
    {
      label: "Reason",
      cell: (entry) => (
        <RowButton onClick={() => show(entry.id)}>
          {listReasons(entry.error).map((reason, index) => (
            <Text
              key={reason}
              size={index === 0 ? "sm" : "xs"}
              c={index === 0 ? undefined : "dimmed"}
              className="break-anywhere"
            >
              {reason}
            </Text>
          ))}
        </RowButton>
      ),
    },
    {
      label: "Entry",
      visibleFrom: "md",
      cell: ({ entry }) => {
        const { name, id } = summarize(entry);
        return (
          <>
            <Text size="sm" lineClamp={1} className="break-anywhere" dir="auto">{name}</Text>
            <Text size="xs" c="dimmed" ff="monospace" lineClamp={1} className="break-anywhere">
              {id}
            </Text>
          </>
        );
      },
    },
    {
      label: "Channel",
      visibleFrom: "sm",
      cell: ({ origin }) => <Badge color="gray">{originLabels[origin]}</Badge>,
    },
    {
      label: "Status",
      visibleFrom: "sm",
      cell: (entry) => {
        const status = statusOf(entry);
        return <Badge color={statusColors[status]}>{statusLabels[status]}</Badge>;
      },
    },
    {
      label: "When",
      align: "right",
      sort: "time",
      cell: ({ rejected_at }) => <TimeAgo time={rejected_at} />,
    },
  ];
}
