import { Badge, Group, Text } from "@mantine/core";
import { KeyIcon, PersonIcon, ServerIcon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import type { AuditEntry } from "../../api/types.ts";
import type { Column } from "../../components/list_table.tsx";
import { TimeAgo } from "../../components/time_ago.tsx";

const ACTOR_ICONS: Record<AuditEntry["actor"]["kind"], ReactNode> = {
  user: <PersonIcon />,
  api_key: <KeyIcon />,
  system: <ServerIcon />,
};

export const AUDIT_COLUMNS: Column<AuditEntry>[] = [
  {
    label: "Who",
    cell: ({ actor }) => (
      <Group gap="xs" wrap="nowrap">
        {ACTOR_ICONS[actor.kind]}
        <Text size="sm" className="break-anywhere">{actor.name ?? actor.id ?? "The service"}</Text>
      </Group>
    ),
  },
  {
    label: "What",
    cell: ({ action }) => <Badge color="gray" ff="monospace" fw={500}>{action}</Badge>,
  },
  {
    label: "Of",
    visibleFrom: "sm",
    cell: ({ entity_id, details }) => (
      <>
        {typeof details.name === "string" && <Text size="sm">{details.name}</Text>}
        <Text size="xs" c="dimmed" ff="monospace" className="break-anywhere">{entity_id}</Text>
      </>
    ),
  },
  {
    label: "Details",
    visibleFrom: "md",
    cell: ({ details }) => (
      <Text size="xs" ff="monospace" className="break-anywhere" lineClamp={3}>
        {Object.keys(details).length === 0 ? "–" : JSON.stringify(details)}
      </Text>
    ),
  },
  { label: "When", align: "right", cell: (entry) => <TimeAgo time={entry.created_at} /> },
];
