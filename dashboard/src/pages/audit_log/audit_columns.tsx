import { Anchor, Group, Text, Tooltip } from "@mantine/core";
import { type Icon, KeyIcon, PersonIcon, ServerIcon } from "@primer/octicons-react";
import type { AuditEntry } from "../../api/types.ts";
import type { Column } from "../../ui/list_table.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { actionLabel } from "./actions.ts";

/** @param workspace path of the workspace, for links. */
export function auditColumns(workspace: string): Column<AuditEntry>[] {
  return [
    {
      label: "Action",
      cell: ({ action, actor }) => (
        <>
          <Text size="sm" fw={550}>{actionLabel(action)}</Text>
          <Text size="xs" c="dimmed" ff="monospace">{action}</Text>
          <Group gap={6} wrap="nowrap" hiddenFrom="sm" mt={4}>
            <Actor actor={actor} />
          </Group>
        </>
      ),
    },
    {
      label: "Actor",
      visibleFrom: "sm",
      cell: ({ actor }) => (
        <Group gap="xs" wrap="nowrap">
          <Actor actor={actor} />
        </Group>
      ),
    },
    {
      label: "Target",
      visibleFrom: "sm",
      cell: (entry) => <Entity {...entry} workspace={workspace} />,
    },
    {
      label: "Details",
      visibleFrom: "lg",
      cell: ({ details }) => (
        <Text size="xs" className="break-anywhere" lineClamp={3}>{describe(details)}</Text>
      ),
    },
    { label: "When", align: "right", cell: (entry) => <TimeAgo time={entry.created_at} /> },
  ];
}

const actorKinds: Record<AuditEntry["actor"]["kind"], { label: string; icon: Icon }> = {
  user: { label: "Person", icon: PersonIcon },
  api_key: { label: "API key", icon: KeyIcon },
  system: { label: "Service", icon: ServerIcon },
};

function Actor({ actor: { kind, id, name } }: Pick<AuditEntry, "actor">) {
  const { label, icon: Icon } = actorKinds[kind];
  return (
    <>
      <Icon aria-label={label} />
      <Text size="sm" className="break-anywhere">{name ?? id ?? "The service"}</Text>
    </>
  );
}

/** Pages of targets, by the first word of the action. */
const targetPages: Record<string, string> = {
  customer: "customers",
  destination: "destinations",
  delivery: "deliveries",
  source: "sources",
};

function Entity(
  { action, entity_id, entity_name, workspace }: AuditEntry & { workspace: string },
) {
  const page = targetPages[action.split(".")[0] ?? ""];
  const isGone = /\.(delete|erase)$/.test(action);
  return (
    <>
      {entity_name && <Text size="sm" className="break-anywhere">{entity_name}</Text>}
      {entity_id && (
        <Tooltip label={entity_id}>
          {page && !isGone
            ? (
              <Anchor {...linkTo(`${workspace}/${page}/${entity_id}`)} size="xs" ff="monospace">
                {shorten(entity_id)}
              </Anchor>
            )
            : <Text span size="xs" c="dimmed" ff="monospace">{shorten(entity_id)}</Text>}
        </Tooltip>
      )}
    </>
  );
}

/** Returns the end of an ID, which differs between IDs created together. */
function shorten(id: string): string {
  return `…${id.slice(-12)}`;
}

/** Describes details: "fields: enabled, name". The name is left out: it is the target. */
function describe({ name: _, ...details }: AuditEntry["details"]): string {
  const parts = Object.entries(details).map(([key, value]) =>
    `${key.replaceAll("_", " ")}: ${Array.isArray(value) ? value.join(", ") : String(value)}`
  );
  return parts.join(" · ") || "–";
}
