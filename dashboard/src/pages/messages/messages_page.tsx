import { Anchor, Button } from "@mantine/core";
import { PaperAirplaneIcon, WebhookIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { listRows, useApiList, useWholeList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import type { Message } from "../../api/types.ts";
import { type BulkAction, BulkActions } from "../../ui/bulk_actions.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { countOf } from "../../format/numbers.ts";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { ViewsMenu } from "../../ui/views/views_menu.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { destinationName } from "../deliveries/outcome_badge.tsx";
import { messageColumns } from "./message_columns.tsx";
import { MessageFilters, useMessageQuery } from "./message_filters.tsx";
import { UnsentMessages } from "./unsent_messages.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const MessageDrawer = lateDialog(async () => (await import("./message_drawer.tsx")).MessageDrawer);

/** A row is a message at one destination. */
function keyOfMessage({ id, destination_id }: Message): string {
  return `${id} ${destination_id}`;
}

function nameMessage({ event_type, destination_name }: Message): string {
  return `${event_type} to ${destination_name ?? "a deleted destination"}`;
}

function readKey(key: string) {
  const [id = "", destination_id = ""] = key.split(" ");
  return { params: { id }, body: { destination_id } };
}

const tryNow: BulkAction = {
  label: "Try now",
  verb: "Try",
  explanation:
    "Tries each message at its destination immediately. Delivered messages stay as they are.",
  run: (api, key) => api.call("POST /messages/{id}/try-now", readKey(key)),
};

const cancel: BulkAction = {
  label: "Cancel delivery",
  verb: "Cancel delivery of",
  dismissal: "Keep",
  explanation:
    "Stops sending each message to its destination. Delivered messages stay as they are.",
  run: (api, key) => api.call("POST /messages/{id}/cancel", readKey(key)),
  isDangerous: true,
};

interface MessageActionsProps {
  messages: readonly Message[];
  selected: ReadonlySet<string>;
  clear: () => void;
}

function MessageActions({ messages, ...chosen }: MessageActionsProps) {
  const destinations = useWholeList("GET /destinations", {}, {
    enabled: chosen.selected.size > 0,
  });
  const disabled = new Set(destinations.filter(({ enabled }) => !enabled).map(({ id }) => id));
  const held =
    messages.filter((message) =>
      disabled.has(message.destination_id) && chosen.selected.has(keyOfMessage(message))
    ).length;
  const actions = held === chosen.selected.size ? [cancel] : [withHeld(tryNow, held), cancel];
  const describe = (key: string) => {
    const message = messages.find((each) => keyOfMessage(each) === key);
    return message && `${message.event_type} to ${destinationName(message)}`;
  };
  return <BulkActions noun="message" {...chosen} actions={actions} describe={describe} />;
}

/** Adds to an action how many messages it cannot try: those whose destination is disabled. */
function withHeld(action: BulkAction, held: number): BulkAction {
  if (held === 0) return action;
  const note = `${countOf(held, "message")} cannot be tried: the destination is disabled.`;
  return { ...action, explanation: `${action.explanation} ${note}` };
}

export function MessagesPage() {
  const { id } = useWorkspace();
  const { filters, setFilters } = useFilters();
  const { query, isFiltered } = useMessageQuery();
  const messages = useApiList("GET /messages", { query }, { refetchInterval: 5_000 });
  const columns = useMemo(
    () => messageColumns(({ id }) => setFilters({ message: id })),
    [setFilters],
  );
  const mayChange = useMay("member");
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  return (
    <Page
      title="Messages"
      description={
        <>
          Every message with its state at each destination, newest first.{" "}
          <Anchor {...linkTo(`/w/${id}/deliveries`)} inherit>All deliveries</Anchor>
        </>
      }
      actions={
        <>
          <ViewsMenu list="messages" />
          <ExportMenu route="GET /messages/export" input={{ query }} />
        </>
      }
    >
      <MessageFilters />
      <UnsentMessages />
      <MessageActions
        messages={listRows(messages)}
        selected={selected}
        clear={() => select(new Set())}
      />
      <ListTable
        label="Messages"
        selection={mayChange ? { selected, onChange: select, nameOf: nameMessage } : undefined}
        list={messages}
        columns={columns}
        keyOf={keyOfMessage}
        empty={isFiltered ? <NoMatchingMessages /> : <NoMessages workspaceId={id} />}
      />
      <MessageDrawer isOpen={filters.message !== undefined} />
    </Page>
  );
}

function NoMatchingMessages() {
  return (
    <NoMatches title="No matching messages">
      <WidenHint /> Messages are kept for {retentionDays.deliveries} days.
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
