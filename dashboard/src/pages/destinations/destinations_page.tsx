import { Button } from "@mantine/core";
import { PlusIcon, SearchIcon, WebhookIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { FilterInput, Filters } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { useFilters } from "../../url/use_filters.ts";
import { destinationColumns } from "./destination_columns.tsx";
import { Select } from "../../ui/overlays.tsx";

type Health = Destination["health"]["state"];

const healthOptions: { value: Health; label: string }[] = [
  { value: "healthy", label: "Healthy" },
  { value: "failing", label: "Failing" },
  { value: "disabled", label: "Disabled" },
  { value: "unused", label: "Nothing sent yet" },
];

export function DestinationsPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const { filters, setFilters } = useFilters();
  const { q } = filters;
  const health = filters.health as Health | undefined;
  const sort = useNameSort();
  const destinations = useApiList("GET /destinations", { query: { q, health, sort } }, {
    refetchInterval: 15_000,
  });
  const create = mayEdit && (
    <Button {...linkTo(`/w/${id}/destinations/new`)} leftSection={<PlusIcon />}>
      New destination
    </Button>
  );
  return (
    <Page
      title="Destinations"
      description="Forward events to your systems as signed webhooks."
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
          aria-label="Health"
          placeholder="Any health"
          data={healthOptions}
          value={health ?? null}
          onChange={(value: string | null) => setFilters({ health: value ?? undefined })}
          clearable
        />
      </Filters>
      <ListTable
        label="Destinations"
        list={destinations}
        columns={destinationColumns}
        linkTo={(destination) => `/w/${id}/destinations/${destination.id}`}
        empty={q || health
          ? <NoMatches title="No matching destinations">Remove a filter to see more.</NoMatches>
          : (
            <EmptyState icon={WebhookIcon} title="No destinations yet" action={create}>
              {mayEdit
                ? "Enter the URL of your system and choose the events to send."
                : "Ask an admin of this workspace to create one."}
            </EmptyState>
          )}
      />
    </Page>
  );
}
