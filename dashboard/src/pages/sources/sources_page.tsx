import { Button, Text } from "@mantine/core";
import { InboxIcon, PlusIcon } from "@primer/octicons-react";
import type { Source } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatCount } from "../../format/numbers.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { SCHEMES } from "./schemes.ts";
import { SourceHealth } from "./source_health.tsx";

const COLUMNS: Column<Source>[] = [
  {
    label: "Source",
    cell: ({ name, scheme }) => (
      <>
        <Text size="sm" fw={550} className="break-anywhere" lineClamp={1}>{name}</Text>
        <Text size="xs" c="dimmed">{SCHEMES[scheme].label}</Text>
      </>
    ),
  },
  { label: "Health", cell: (source) => <SourceHealth source={source} /> },
  {
    label: "Received, 24 hours",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <span className="tabular">{formatCount(health.received_24h)}</span>,
  },
  {
    label: "Last received",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <TimeAgo time={health.last_received_at} />,
  },
];

export function SourcesPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const sources = useApiList("GET /sources", {}, { refetchInterval: 15_000 });
  const create = mayEdit && (
    <Button {...linkTo(`/w/${id}/sources/new`)} leftSection={<PlusIcon />}>New source</Button>
  );
  return (
    <Page
      title="Sources"
      description="Other systems whose webhooks become events here."
      actions={create}
    >
      <ListTable
        label="Sources"
        list={sources}
        columns={COLUMNS}
        linkTo={(source) => `/w/${id}/sources/${source.id}`}
        empty={
          <EmptyState icon={InboxIcon} title="No sources yet" action={create}>
            {mayEdit
              ? "Create one for Shopify, Stripe, Resend, GitHub or any sender of signed webhooks, and paste its address there."
              : "An admin of the workspace can create one."}
          </EmptyState>
        }
      />
    </Page>
  );
}
