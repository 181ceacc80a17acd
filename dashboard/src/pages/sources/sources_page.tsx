import { Button, Text } from "@mantine/core";
import { InboxIcon, PlusIcon } from "@primer/octicons-react";
import type { Source } from "../../api/types.ts";
import { useApiList } from "../../api/use_api.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useNameSort } from "../../ui/use_sort.ts";
import { formatCount, formatShare } from "../../format/numbers.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { senderLabel } from "./schemes.ts";
import { SourceHealth, SourceNote } from "./source_health.tsx";

const tableColumns: Column<Source>[] = [
  {
    label: "Source",
    sort: "name",
    cell: (source) => (
      <>
        <Text size="sm" fw={550} className="break-anywhere" lineClamp={1}>{source.name}</Text>
        <Text size="xs" c="dimmed" className="balanced">{senderLabel(source)}</Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
          Last received: <TimeAgo time={source.health.last_received_at} />
        </Text>
      </>
    ),
  },
  {
    label: "Health",
    cell: (source) => (
      <>
        <SourceHealth source={source} />
        <SourceNote source={source} />
      </>
    ),
  },
  {
    label: "Received (24 h)",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <span className="tabular">{formatCount(health.received_24h)}</span>,
  },
  {
    label: "Rejected (24 h)",
    visibleFrom: "md",
    align: "right",
    cell: ({ health }) => <Problems count={health.rejected_24h} of={health.received_24h} />,
  },
  {
    label: "Refused (24 h)",
    visibleFrom: "md",
    align: "right",
    cell: ({ health }) => <Problems count={health.refused_24h} of={health.received_24h} />,
  },
  {
    label: "Last received",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <TimeAgo time={health.last_received_at} />,
  },
];

/** A count that should be zero, with its share of all requests. Zeros stand back. */
function Problems({ count, of }: { count: number; of: number }) {
  if (count === 0) return <Text size="sm" c="dimmed">0</Text>;
  return (
    <>
      <Text size="sm" c="var(--mantine-color-error)" className="tabular">{formatCount(count)}</Text>
      <Text size="xs" c="dimmed" className="tabular">{formatShare(count, of)}</Text>
    </>
  );
}

export function SourcesPage() {
  const { id } = useWorkspace();
  const mayEdit = useMay("admin");
  const sort = useNameSort();
  const sources = useApiList("GET /sources", { query: { sort } }, { refetchInterval: 15_000 });
  const create = mayEdit && (
    <Button {...linkTo(`/w/${id}/sources/new`)} leftSection={<PlusIcon />}>New source</Button>
  );
  return (
    <Page
      title="Sources"
      description="Receive webhooks from other systems as events."
      actions={create}
    >
      <ListTable
        label="Sources"
        list={sources}
        columns={tableColumns}
        linkTo={(source) => `/w/${id}/sources/${source.id}`}
        empty={
          <EmptyState icon={InboxIcon} title="No sources yet" action={create}>
            {mayEdit
              ? "Create a source for Shopify, Stripe, GitHub or any sender of signed webhooks, and enter its URL there."
              : "Ask an admin of this workspace to create one."}
          </EmptyState>
        }
      />
    </Page>
  );
}
