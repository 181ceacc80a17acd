import { Anchor, Button, Select } from "@mantine/core";
import { PaperAirplaneIcon, WebhookIcon } from "@primer/octicons-react";
import type { MessageState } from "../../../../supabase/functions/api/contract/messages.ts";
import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { useApiList, useWholeList } from "../../api/use_api.ts";
import { useEventTypes } from "../../api/use_event_types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { Filters, SuggestInput } from "../../ui/filters.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { NoMatches } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { ViewsMenu } from "../../ui/views_menu.tsx";
import { useFilters, useOptionalRange } from "../../url/use_filters.ts";
import { stateLabels } from "./describe_state.ts";
import { messageColumns } from "./message_columns.tsx";
import { MessageDrawer } from "./message_drawer.tsx";

const stateOptions = Object.entries(stateLabels).map(([value, label]) => ({ value, label }));

export function MessagesPage() {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const destinations = useWholeList("GET /destinations", {});
  const { destination_id, event_type } = filters;
  const state = readState(filters.state);
  const { since, until } = useOptionalRange();
  const types = useEventTypes();
  const query = { destination_id, event_type, state, since, until };
  const messages = useApiList("GET /messages", { query }, { refetchInterval: 5_000 });
  const isFiltered = Boolean(destination_id || event_type || state || since);
  return (
    <Page
      title="Messages"
      description={
        <>
          Every message with its state at each destination, newest first.{" "}
          <Anchor {...linkTo(`/w/${id}/deliveries`)} inherit>All attempts</Anchor>
        </>
      }
      actions={
        <>
          <ViewsMenu list="messages" />
          <ExportMenu route="GET /messages/export" input={{ query }} />
        </>
      }
    >
      <Filters>
        <Select
          aria-label="State"
          placeholder="Any state"
          data={stateOptions}
          value={state ?? null}
          onChange={(value) => setFilters({ state: value ?? undefined })}
          clearable
        />
        <Select
          aria-label="Destination"
          placeholder="Any destination"
          data={destinations.map(({ id, name }) => ({ value: id, label: name }))}
          value={destination_id ?? null}
          onChange={(value) => setFilters({ destination_id: value ?? undefined })}
          clearable
          searchable
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
        label="Messages"
        list={messages}
        columns={messageColumns(({ id }) => setFilters({ message: id }))}
        keyOf={(message) => message.id + message.destination_id}
        empty={isFiltered ? <NoMatchingMessages /> : <NoMessages workspaceId={id} />}
      />
      <MessageDrawer />
    </Page>
  );
}

function NoMatchingMessages() {
  return (
    <NoMatches title="No matching messages">
      Choose another state, a longer time range, or remove a filter. Messages are kept for{" "}
      {retentionDays.deliveries} days.
    </NoMatches>
  );
}

function NoMessages({ workspaceId }: { workspaceId: string }) {
  return (
    <EmptyState
      icon={PaperAirplaneIcon}
      title="No messages yet"
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

function readState(state: string | undefined): MessageState | undefined {
  return state !== undefined && Object.hasOwn(stateLabels, state)
    ? state as MessageState
    : undefined;
}
