import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { Button } from "@mantine/core";
import { PaperAirplaneIcon, WebhookIcon } from "@primer/octicons-react";
import { useApiList, useReadList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { FilterSelect } from "../../ui/filter_select.tsx";
import { Filters, SuggestInput } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { BackLink, Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { ViewsMenu } from "../../ui/views/views_menu.tsx";
import { useTimeSort } from "../../ui/use_sort.ts";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { deliveryColumns } from "./delivery_columns.tsx";
import { useEventTypes } from "../../api/use_event_types.ts";
import { Select } from "../../ui/overlays.tsx";

const columns = deliveryColumns({ hasDestination: true });
const outcomeTexts = [{ value: "true", label: "Delivered" }, { value: "false", label: "Failed" }];

export function DeliveriesPage() {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const destinations = useReadList("GET /destinations", {});
  const { destination_id, event_type, ok } = filters;
  const { since, until } = useOptionalRange();
  const types = useEventTypes();
  const sort = useTimeSort();
  const query = { destination_id, event_type, ok: readOutcome(ok), since, until, sort };
  const deliveries = useApiList("GET /deliveries", { query }, { refetchInterval: 10_000 });
  const isFiltered = Boolean(destination_id || event_type || ok || since);
  return (
    <Page
      title="Deliveries"
      description="Every attempt to deliver a message to a destination."
      above={<BackLink path="/messages">Messages</BackLink>}
      actions={
        <>
          <ViewsMenu list="deliveries" />
          <ExportMenu route="GET /deliveries/export" input={{ query }} />
        </>
      }
    >
      <Filters>
        <FilterSelect
          label="Destination"
          list={destinations}
          value={destination_id}
          onChange={(value) => setFilters({ destination_id: value })}
        />
        <Select
          aria-label="Outcome"
          placeholder="Any outcome"
          data={outcomeTexts}
          value={ok ?? null}
          onChange={(value) => setFilters({ ok: value ?? undefined })}
          clearable
        />
        <SuggestInput
          aria-label="Event type"
          placeholder="Event type"
          value={event_type}
          onChange={(value) => setFilters({ event_type: value })}
          data={[...new Set([...types.seen, ...types.service])]}
        />
        <RangePicker fallback="all" />
      </Filters>
      <ListTable
        label="Deliveries"
        list={deliveries}
        columns={columns}
        linkTo={(delivery) => `/w/${id}/deliveries/${delivery.id}`}
        empty={isFiltered
          ? (
            <NoMatches title="No matching deliveries">
              <WidenHint /> Deliveries are kept for {retentionDays.deliveries} days.
            </NoMatches>
          )
          : <NoDeliveries workspaceId={id} />}
      />
    </Page>
  );
}

function NoDeliveries({ workspaceId }: { workspaceId: string }) {
  return (
    <EmptyState
      icon={PaperAirplaneIcon}
      title="No deliveries yet"
      action={
        <Button {...linkTo(`/w/${workspaceId}/destinations`)} leftSection={<WebhookIcon />}>
          Go to destinations
        </Button>
      }
    >
      Create a destination and send it a test ping, or wait for the first event it subscribes to.
    </EmptyState>
  );
}

function readOutcome(ok: string | undefined): boolean | undefined {
  return ok === undefined ? undefined : ok === "true";
}
