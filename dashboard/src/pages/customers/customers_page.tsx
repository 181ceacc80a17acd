import { Button } from "@mantine/core";
import { PersonIcon, RocketIcon, SearchIcon } from "@primer/octicons-react";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { FilterInput } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { customerColumns } from "./customer_columns.tsx";

export function CustomersPage() {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const customers = useApiList("GET /customers", { query: { q: filters.q } });
  return (
    <Page
      title="Customers"
      description="Everyone your events are about, identified or anonymous."
    >
      <FilterInput
        aria-label="Search customers"
        placeholder="ID, email or name"
        leftSection={<SearchIcon />}
        value={filters.q}
        onChange={(q) => setFilters({ q })}
        mb="md"
        maw={420}
      />
      <ListTable
        label="Customers"
        list={customers}
        columns={customerColumns}
        linkTo={(customer) => `/w/${id}/customers/${customer.id}`}
        empty={filters.q ? <NoMatch q={filters.q} /> : (
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
        )}
      />
    </Page>
  );
}

function NoMatch({ q }: { q: string }) {
  return (
    <EmptyState icon={SearchIcon} title="No customers found">
      No customer matches “{q}”. Enter a full ID, or the start of a name or email.
    </EmptyState>
  );
}
