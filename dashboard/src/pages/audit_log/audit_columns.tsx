import { Box, Group, Text } from "@mantine/core";
import {
  ChevronDownIcon,
  ChevronRightIcon,
  type Icon,
  KeyIcon,
  PersonIcon,
  ServerIcon,
} from "@primer/octicons-react";
import type { AuditEntry } from "../../api/types.ts";
import { formatShort } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { countOf } from "../../format/numbers.ts";
import { type Column, RowButton } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { describeAction } from "./actions.ts";
import { ChangeList } from "./change_list.tsx";
import { isLong, otherDetails, readChanges } from "./changes.ts";
import type { AuditRow } from "./group_entries.ts";
import { TargetLink } from "./target_link.tsx";

interface AuditColumnsOptions {
  /** Path of the workspace, for links. */
  workspace: string;
  /** Opens an entry. */
  show: (id: string) => void;
  /** Unfolds a group of entries, or folds it again. */
  unfold: (id: string) => void;
}

/** Makes the columns of the audit log. */
export function auditColumns(
  { workspace, show, unfold }: AuditColumnsOptions,
): Column<AuditRow>[] {
  return [
    {
      label: "Who",
      visibleFrom: "sm",
      cell: ({ actor }) => (
        <>
          <ActorName actor={actor} />
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {actorKinds[actor.kind].label}
          </Text>
        </>
      ),
    },
    {
      label: "What",
      cell: (entry) => (
        <>
          <RowButton
            isOpen={entry.group?.isOpen}
            onClick={() => entry.group ? unfold(entry.id) : show(entry.id)}
          >
            <Text size="sm" fw={550} miw={{ xl: "max-content" }}>{describeAction(entry)}</Text>
            {entry.group && <GroupCount {...entry.group} />}
          </RowButton>
          <Box hiddenFrom="sm" mt={4}>
            <TargetLink entry={entry} workspace={workspace} />
            <Group gap={6} wrap="nowrap" c="dimmed">
              <Actor actor={entry.actor} />
            </Group>
          </Box>
        </>
      ),
    },
    {
      label: "Target",
      visibleFrom: "sm",
      cell: (entry) => (
        <Box miw={{ base: "7rem", lg: "10rem" }}>
          <TargetLink entry={entry} workspace={workspace} />
        </Box>
      ),
    },
    {
      label: "Details",
      visibleFrom: "xl",
      width: "30%",
      cell: (entry) => <Details {...entry} />,
    },
    {
      label: "When",
      align: "right",
      sort: "time",
      cell: ({ created_at }) => (
        <>
          <TimeAgo time={created_at} />
          <ExactDay time={created_at} />
        </>
      ),
    },
  ];
}

/** The values that a change made different, or else the other details of the entry. */
function Details({ action, details, entity_name, group }: AuditRow) {
  if (group) return <Text size="xs">Saves of the draft</Text>;
  if (readChanges(details).length > 0) return <ChangeList details={details} />;
  // The target stands beside it.
  const texts = otherDetails({ action, details })
    .filter(([field, text]) => field !== "Name" || text !== entity_name)
    .map(([field, text]) => `${field}: ${isLong(text) ? "…" : text}`);
  return <Text size="xs" className="break-anywhere" lineClamp={3}>{texts.join(" · ") || "–"}</Text>;
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
    <Text size="sm" truncate maw={160} title={name ?? undefined}>
      {name ?? id ?? "The service"}
    </Text>
  );
}

/** The day and the time of a change, beside how long ago it was. */
function ExactDay({ time }: { time: string }) {
  const zone = useZone();
  return (
    <Text
      size="xs"
      c="dimmed"
      className="tabular"
      visibleFrom="sm"
      style={{ whiteSpace: "nowrap" }}
    >
      {formatShort(time, zone)}
    </Text>
  );
}
