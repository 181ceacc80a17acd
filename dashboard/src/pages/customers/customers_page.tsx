import { Anchor, Button, Group, Text } from "@mantine/core";
import { PersonIcon, RocketIcon, SearchIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import type { Customer } from "../../api/types.ts";
import { useApiItem, useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { FilterBar } from "../../conditions/filter_bar.tsx";
import { useAttributePaths } from "../../conditions/use_suggestions.ts";
import { ColumnsMenu, useColumns } from "../../ui/columns_menu.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { FilterInput, Filters } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { ViewsMenu } from "../../ui/views/views_menu.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { useFilters } from "../../url/use_filters.ts";
import { BulkBar } from "./bulk_bar.tsx";
import { attributeColumn, customerColumns } from "./customer_columns.tsx";
import { describeCount } from "./describe_count.ts";

const refreshMs = 15_000;

export function CustomersPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("member");
  const { filters, setFilters } = useFilters();
  const { q, filter } = filters;
  const isNarrowed = q !== undefined || filter !== undefined;
  const sort = useTimeSort();
  // The API sorts the whole list only.
  const query = filter !== undefined ? { filter } : q !== undefined ? { q } : { sort };
  // The rows do not wait for their number.
  const customers = useApiList("GET /customers", {
    query: filter !== undefined ? { filter, count: false } : query,
    // A filter or a search may read much more than a page.
  }, { refetchInterval: isNarrowed ? false : refreshMs });
  const counting = useCount({ q, filter });
  const { columns, attributes } = useCustomerColumns(isNarrowed);
  const list = JSON.stringify(query);
  const [selected, setSelected] = useSelection(list);
  return (
    <Page
      title="Customers"
      description="Everyone your events are about, identified or anonymous."
      actions={
        <>
          <ViewsMenu list="customers" />
          <ColumnsMenu usual={customerColumns.map(({ label }) => label)} further={attributes} />
          <ExportMenu route="GET /customers/export" input={{ query }} />
        </>
      }
    >
      <Filters>
        <FilterInput
          aria-label="Search customers"
          placeholder="ID, email or name"
          leftSection={<SearchIcon />}
          value={q}
          onChange={(q) => setFilters({ q, filter: undefined })}
          className="long-filter"
        />
        <FilterBar
          subject="customers"
          value={filter}
          onChange={(filter) => setFilters({ filter, q: undefined })}
        />
      </Filters>
      <Matching isNarrowed={isNarrowed} filter={filter} counting={counting} />
      {mayEdit && (
        <BulkBar
          key={list}
          selected={selected}
          clear={() => setSelected(nobody)}
          query={query}
          matching={filter === undefined && !counting.isExact ? undefined : counting.count}
          isNarrowed={isNarrowed}
        />
      )}
      <ListTable
        label="Customers"
        list={customers}
        columns={columns}
        linkTo={(customer) => `/w/${id}/customers/${customer.id}`}
        selection={mayEdit
          ? { selected, onChange: setSelected, nameOf: (row: Customer) => row.email ?? row.id }
          : undefined}
        empty={<Nobody q={q} isFiltered={filter !== undefined} />}
      />
    </Page>
  );
}

/** The columns that the page's address chooses, and the attributes that can be one. */
function useCustomerColumns(isNarrowed: boolean) {
  const paths = useAttributePaths();
  const attributes = useMemo(() => paths.map(({ path }) => path), [paths]);
  const further = useMemo(() => attributes.map(attributeColumn), [attributes]);
  const chosen = useColumns(customerColumns, further);
  // A narrowed list has an order of its own.
  const columns = useMemo(
    () => isNarrowed ? chosen.map(withoutSort) : chosen,
    [isNarrowed, chosen],
  );
  return { columns, attributes };
}

const nobody: ReadonlySet<string> = new Set();

/** Customers who are chosen in a list; none in another list. */
function useSelection(list: string) {
  const [chosen, choose] = useState({ list, ids: nobody });
  const ids = chosen.list === list ? chosen.ids : nobody;
  return [ids, (ids: ReadonlySet<string>) => choose({ list, ids })] as const;
}

interface Counting {
  /** Customers of the list; undefined until they are counted. */
  count: number | undefined;
  /** False for an estimate of a filter's customers, and for more than are counted without one. */
  isExact: boolean;
  error: Error | null;
}

/** Counts the customers of the list. */
function useCount({ q, filter }: { q: string | undefined; filter: string | undefined }): Counting {
  const { data, isPlaceholderData, error } = useApiItem("GET /customers", {
    query: { ...filter !== undefined ? { filter } : { q }, count: true, limit: 1 },
  }, { refetchInterval: q === undefined && filter === undefined ? refreshMs : false });
  const counted = isPlaceholderData ? undefined : data;
  return { count: counted?.count, isExact: counted?.is_exact !== false, error };
}

interface MatchingProps {
  /** True for the customers of a search or a filter. */
  isNarrowed: boolean;
  filter: string | undefined;
  counting: Counting;
}

/** The number of customers of the list, and a link that makes a segment of those who match a filter. */
function Matching({ isNarrowed, filter, counting }: MatchingProps) {
  const { id } = useWorkspace();
  const mayEdit = useMay("member");
  const { count, isExact, error } = counting;
  // The list says so itself.
  if (!isNarrowed && (count === 0 || error)) return null;
  return (
    <Group gap="sm" mb="xs">
      <Text size="sm" role="status">
        {error
          ? "Couldn’t count the customers who match"
          : count === undefined
          ? "Counting…"
          : describeCount({ count, isExact, isNarrowed, isEstimated: filter !== undefined })}
      </Text>
      {mayEdit && filter !== undefined && (
        <Anchor {...linkTo(`/w/${id}/segments/new`, { filter })} size="sm">
          Create a segment from this filter
        </Anchor>
      )}
    </Group>
  );
}

function withoutSort({ sort: _, ...column }: Column<Customer>): Column<Customer> {
  return column;
}

function Nobody({ q, isFiltered }: { q: string | undefined; isFiltered: boolean }) {
  const { id } = useWorkspace();
  if (isFiltered) {
    return <NoMatches title="No customers match">Change the filter to see more.</NoMatches>;
  }
  if (q) {
    return (
      <EmptyState icon={SearchIcon} title="No customers found">
        No customer matches “{q}”. Enter a full ID, or the start of a name or email.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={PersonIcon}
      title="No customers yet"
      action={
        <Button {...linkTo(`/w/${id}/getting-started`)} leftSection={<RocketIcon />}>
          Send the first event
        </Button>
      }
    >
      The first event or identify call with a new ID creates its customer.
    </EmptyState>
  );
}
