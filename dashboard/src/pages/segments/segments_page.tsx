import { Badge, Button, Group, Text } from "@mantine/core";
import { PeopleIcon, PlusIcon, SearchIcon } from "@primer/octicons-react";
import type { Segment } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { countOf, formatCount } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { FilterInput, Filters } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { nameColumn, showName } from "../../ui/name_column.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { TrendLine } from "../../charts/trend_line.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { useFilters } from "../../url/use_filters.ts";
import { SegmentState } from "./segment_state.tsx";
import { Select } from "../../ui/overlays.tsx";

const kindOptions = [{ value: "live", label: "Live" }, { value: "static", label: "Static" }];

export function SegmentsPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("member");
  const { filters, setFilters } = useFilters();
  const { q } = filters;
  const kind = filters.kind as Segment["kind"] | undefined;
  const sort = useNameSort();
  const segments = useApiList("GET /segments", { query: { q, kind, sort } }, {
    refetchInterval: 10_000,
  });
  const create = mayEdit && (
    <Button {...linkTo(`/w/${id}/segments/new`)} leftSection={<PlusIcon />}>New segment</Button>
  );
  return (
    <Page
      title="Segments"
      description="Groups of customers, defined by a condition or a list."
      actions={create}
    >
      <Filters>
        <FilterInput
          aria-label="Name"
          placeholder="Search by name"
          leftSection={<SearchIcon />}
          value={q}
          onChange={(value) => setFilters({ q: value })}
        />
        <Select
          aria-label="Kind"
          placeholder="Any kind"
          data={kindOptions}
          value={kind ?? null}
          onChange={(value: string | null) => setFilters({ kind: value ?? undefined })}
          clearable
        />
      </Filters>
      <ListTable
        label="Segments"
        list={segments}
        columns={columns}
        linkTo={(segment) => `/w/${id}/segments/${segment.id}`}
        empty={q || kind
          ? <NoMatches title="No matching segments">Remove a filter to see more.</NoMatches>
          : (
            <EmptyState icon={PeopleIcon} title="No segments yet" action={create}>
              A live segment follows its condition. A static one is a list.
            </EmptyState>
          )}
      />
    </Page>
  );
}

/** Counts what uses a segment: "1 campaign, 2 journeys". */
function summarizeUses(uses: Segment["used_by"]): string {
  const kinds = ["campaign", "journey", "segment"] as const;
  return kinds.flatMap((kind) => {
    const count = uses.filter((use) => use.kind === kind).length;
    return count === 0 ? [] : [countOf(count, kind)];
  }).join(", ");
}

const columns: Column<Segment>[] = [
  { ...nameColumn("Segment"), cell: (row) => showName({ ...row, note: row.description }) },
  {
    label: "Kind",
    visibleFrom: "sm",
    // Most are ready: only those that are not say so.
    cell: (segment) => (
      <Group gap={6}>
        <Badge color="gray">{segment.kind === "live" ? "Live" : "Static"}</Badge>
        {segment.state !== "ready" && <SegmentState segment={segment} />}
      </Group>
    ),
  },
  {
    label: "In use by",
    visibleFrom: "md",
    cell: ({ used_by }) =>
      used_by.length === 0
        ? <Text size="sm" c="dimmed">Not in use</Text>
        : <Text size="sm">{summarizeUses(used_by)}</Text>,
  },
  {
    label: "Members",
    align: "right",
    cell: ({ members }) => <span className="tabular">{formatCount(members)}</span>,
  },
  {
    label: "Last 30 days",
    align: "right",
    visibleFrom: "sm",
    cell: ({ name, members_by_day }) => (
      <TrendLine values={members_by_day} label={`Members of ${name} in the last 30 days`} />
    ),
  },
  {
    label: "Updated",
    align: "right",
    visibleFrom: "md",
    cell: (segment) => <TimeAgo time={segment.updated_at} />,
  },
];
