import { Button, Text } from "@mantine/core";
import { MailIcon, PlusIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import type { Sender } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { countOf, formatCount } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { useNameSort } from "../../ui/use_sort.ts";
import { providers } from "./provider_fields.ts";
import { Rate } from "./rate.tsx";
import { SenderHealth, SenderNote } from "./sender_health.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";

const SenderModal = lateDialog(async () => (await import("./sender_modal.tsx")).SenderModal);

const refreshMs = 10_000;

export function SendersPage() {
  const { id: workspaceId } = useWorkspace();
  const mayEdit = useMay("admin");
  const navigate = useNavigate();
  const sort = useNameSort();
  const senders = useApiList("GET /senders", { query: { sort } }, { refetchInterval: refreshMs });
  const [isCreating, { open, close }] = useDraftDialog("sender:new");
  const create = mayEdit && <Button leftSection={<PlusIcon />} onClick={open}>New sender</Button>;
  return (
    <Page
      title="Senders"
      description="The addresses that emails are sent from, each with its provider."
      actions={create}
    >
      <ListTable
        label="Senders"
        list={senders}
        columns={columns}
        linkTo={(sender) => `/w/${workspaceId}/senders/${sender.id}`}
        empty={
          <EmptyState icon={MailIcon} title="No senders yet" action={create}>
            {mayEdit
              ? "A sender needs an address of your domain and the credentials of a provider."
              : "Ask an admin of this workspace to create one."}
          </EmptyState>
        }
      />
      {isCreating && (
        <SenderModal
          isOpen
          close={close}
          onCreated={({ id: senderId }) =>
            void navigate({
              to: "/w/$workspaceId/senders/$senderId",
              params: { workspaceId, senderId },
            })}
        />
      )}
    </Page>
  );
}

const columns: Column<Sender>[] = [
  {
    label: "Sender",
    sort: "name",
    cell: ({ name, from }) => (
      <div style={{ minWidth: "11rem" }}>
        <Text size="sm" fw={550} lineClamp={1} className="break-anywhere" dir="auto">{name}</Text>
        <Text size="xs" c="dimmed" lineClamp={2} className="break-anywhere">{from}</Text>
      </div>
    ),
  },
  {
    label: "Provider",
    visibleFrom: "sm",
    cell: ({ provider }) => (
      <Text size="sm" style={{ whiteSpace: "nowrap" }}>{providers[provider].label}</Text>
    ),
  },
  {
    label: "State",
    cell: (sender) => (
      <>
        <SenderHealth sender={sender} />
        <SenderNote sender={sender} />
        {sender.health.ok_24h > 0 && (
          <Text size="xs" c="dimmed" mt={4} hiddenFrom="sm" className="tabular">
            {formatCount(sender.health.ok_24h)} sent in 24 h,{" "}
            <Rate kind="bounce" percent={sender.health.bounce_rate_24h} /> bounced
          </Text>
        )}
      </>
    ),
  },
  { label: "In use by", visibleFrom: "lg", cell: ({ used_by }) => <Uses uses={used_by} /> },
  {
    label: "Sent (24 h)",
    align: "right",
    visibleFrom: "sm",
    cell: ({ health: { ok_24h, failed_24h } }) => (
      <>
        <span className="tabular">{formatCount(ok_24h)}</span>
        {failed_24h > 0 && (
          <Text size="xs" c="var(--mantine-color-error)" className="tabular">
            {countOf(failed_24h, "failed attempt")}
          </Text>
        )}
      </>
    ),
  },
  {
    label: "Bounced (24 h)",
    align: "right",
    visibleFrom: "md",
    cell: ({ health: { bounce_rate_24h, complaint_rate_24h } }) => (
      <>
        <Rate kind="bounce" percent={bounce_rate_24h} />
        {complaint_rate_24h !== null && complaint_rate_24h > 0 && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            <Rate kind="complaint" percent={complaint_rate_24h} /> complained
          </Text>
        )}
      </>
    ),
  },
  {
    label: "Waiting",
    align: "right",
    visibleFrom: "lg",
    cell: ({ health }) => <span className="tabular">{formatCount(health.pending)}</span>,
  },
  {
    label: "Last sent",
    align: "right",
    visibleFrom: "sm",
    cell: ({ health }) => <TimeAgo time={health.last_success_at} />,
  },
];

const nouns = ["campaign", "journey", "segment"] as const;

function Uses({ uses }: { uses: Sender["used_by"] }) {
  const counts = nouns.map((noun) =>
    [noun, uses.filter(({ kind }) => kind === noun).length] as const
  )
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => countOf(count, noun));
  return counts.length === 0
    ? <Text size="sm" c="dimmed">Not in use</Text>
    : <Text size="sm">{counts.join(", ")}</Text>;
}
