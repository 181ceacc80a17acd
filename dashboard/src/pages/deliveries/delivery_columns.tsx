import { Text } from "@mantine/core";
import type { Delivery } from "../../api/types.ts";
import type { Column } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatDuration } from "../../format/time.ts";
import { OutcomeBadge, triggerLabel } from "./outcome_badge.tsx";

/** @param nameOf the name of a destination, by its id; leave out where all are of one. */
export function deliveryColumns(nameOf?: (id: string) => string): Column<Delivery>[] {
  const destination: Column<Delivery> = {
    label: "Destination",
    visibleFrom: "sm",
    cell: ({ destination_id }) => (
      <Text size="sm" lineClamp={1} className="break-anywhere">{nameOf?.(destination_id)}</Text>
    ),
  };
  return [
    {
      label: "Event type",
      cell: ({ event_type, destination_id }) => (
        <>
          <Text size="sm" fw={550} lineClamp={2} className="break-anywhere">{event_type}</Text>
          {nameOf && (
            <Text size="xs" c="dimmed" lineClamp={1} className="break-anywhere" hiddenFrom="sm">
              {nameOf(destination_id)}
            </Text>
          )}
        </>
      ),
    },
    ...(nameOf ? [destination] : []),
    { label: "Outcome", cell: (delivery) => <OutcomeBadge {...delivery} /> },
    {
      label: "Attempt",
      visibleFrom: "md",
      cell: ({ attempt_number, trigger }) => (
        <Text size="sm">
          {attempt_number} <Text span size="xs" c="dimmed">{triggerLabel(trigger)}</Text>
        </Text>
      ),
    },
    {
      label: "Duration",
      visibleFrom: "md",
      align: "right",
      cell: ({ duration_ms }) => duration_ms === null ? "–" : formatDuration(duration_ms),
    },
    { label: "When", align: "right", cell: (row) => <TimeAgo time={row.attempted_at} /> },
  ];
}
