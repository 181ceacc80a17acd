import { Anchor, Box, Group, Text } from "@mantine/core";
import {
  ChevronDownIcon,
  ChevronRightIcon,
  type Icon,
  KeyIcon,
  PersonIcon,
  ServerIcon,
} from "@primer/octicons-react";
import type { AuditEntry } from "../../api/types.ts";
import { countOf } from "../../format/numbers.ts";
import { type Column, RowButton } from "../../ui/list_table.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { actionLabel } from "./actions.ts";
import { ChangeList } from "./change_list.tsx";
import { isLong, otherDetails, readChanges } from "./changes.ts";
import type { AuditRow } from "./group_entries.ts";

interface AuditColumnsOptions {
  /** Path of the workspace, for links. */
  workspace: string;
  /** Opens an entry. */
  show: (entry: AuditEntry) => void;
  /** Unfolds a group of entries, or folds it again. */
  unfold: (id: string) => void;
}

/** Makes the columns of the audit log. */
export function auditColumns(
  { workspace, show, unfold }: AuditColumnsOptions,
): Column<AuditRow>[] {
  return [
    {
      label: "Action",
      cell: (entry) => (
        <>
          <RowButton
            isOpen={entry.group?.isOpen}
            onClick={() => entry.group ? unfold(entry.id) : show(entry)}
          >
            <Text size="sm" fw={550}>{actionLabel(entry.action)}</Text>
            {entry.group && <GroupCount {...entry.group} />}
            <Text size="xs" c="dimmed" ff="monospace" visibleFrom="sm">{entry.action}</Text>
          </RowButton>
          <Box hiddenFrom="sm" mt={4}>
            <Entity {...entry} workspace={workspace} />
            <Group gap={6} wrap="nowrap" c="dimmed">
              <Actor actor={entry.actor} />
            </Group>
          </Box>
        </>
      ),
    },
    {
      label: "Actor",
      visibleFrom: "sm",
      cell: ({ actor }) => (
        <>
          <ActorName actor={actor} />
          <Text size="xs" c="dimmed">{actorKinds[actor.kind].label}</Text>
        </>
      ),
    },
    {
      label: "Target",
      visibleFrom: "sm",
      cell: (entry) => (
        <Box miw={{ base: "7rem", lg: "10rem" }}>
          <Entity {...entry} workspace={workspace} />
        </Box>
      ),
    },
    {
      label: "Details",
      visibleFrom: "xl",
      width: "30%",
      cell: ({ details, group }) =>
        group
          ? <Text size="xs">Saves of the draft</Text>
          : readChanges(details).length > 0
          ? <ChangeList details={details} isShort />
          : (
            <Text size="xs" className="break-anywhere" lineClamp={3}>
              {otherDetails(details).map(([field, text]) =>
                `${field}: ${isLong(text) ? "…" : text}`
              )
                .join(" · ") || "–"}
            </Text>
          ),
    },
    {
      label: "When",
      align: "right",
      sort: "time",
      cell: (entry) => <TimeAgo time={entry.created_at} />,
    },
  ];
}

function GroupCount({ count, isOpen }: NonNullable<AuditRow["group"]>) {
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon;
  return (
    <Group gap={4} wrap="nowrap">
      <Chevron />
      <Text size="xs">{countOf(count, "change")}</Text>
    </Group>
  );
}

const actorKinds: Record<AuditEntry["actor"]["kind"], { label: string; icon: Icon }> = {
  user: { label: "Person", icon: PersonIcon },
  api_key: { label: "API key", icon: KeyIcon },
  system: { label: "Service", icon: ServerIcon },
};

function Actor({ actor }: Pick<AuditEntry, "actor">) {
  const { label, icon: Icon } = actorKinds[actor.kind];
  return (
    <>
      <Icon aria-label={label} />
      <ActorName actor={actor} />
    </>
  );
}

function ActorName({ actor: { id, name } }: Pick<AuditEntry, "actor">) {
  return (
    <Text size="sm" truncate maw={200} title={name ?? undefined}>
      {name ?? id ?? "The service"}
    </Text>
  );
}

/** Pages of targets, by the first word of the action. */
const targetPages: Record<string, string> = {
  campaign: "campaigns",
  customer: "customers",
  delivery: "deliveries",
  destination: "destinations",
  journey: "journeys",
  segment: "segments",
  send: "sends",
  sender: "senders",
  source: "sources",
  template: "templates",
};

function Entity(
  { action, entity_id, entity_name, workspace }: AuditEntry & { workspace: string },
) {
  const page = targetPages[action.split(".")[0] ?? ""];
  const isGone = /\.(delete|erase)$/.test(action);
  const text = entity_name ?? (entity_id ? `${nameKind(action)} ${shorten(entity_id)}` : "–");
  if (!page || !entity_id || isGone) {
    return <Text size="sm" className="break-anywhere" dir="auto">{text}</Text>;
  }
  return (
    <Anchor
      {...linkTo(`${workspace}/${page}/${entity_id}`)}
      size="sm"
      className="break-anywhere"
      dir="auto"
    >
      {text}
    </Anchor>
  );
}

/** Names what an action is about: "Delivery", "Rejected entry". */
function nameKind(action: string): string {
  const kind = (action.split(".")[0] ?? "").replaceAll("_", " ");
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** Returns the end of an ID, which differs between IDs created together. */
function shorten(id: string): string {
  return `…${id.slice(-12)}`;
}
