import { Text } from "@mantine/core";
import type { Delivery } from "../../api/types.ts";
import type { Column } from "../../ui/list_table.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatDuration } from "../../format/time.ts";
import { destinationName, nameAttempt, OutcomeBadge } from "./outcome_badge.tsx";

/** @param options.hasDestination whether deliveries of several destinations are listed. */
export function deliveryColumns({ hasDestination = false } = {}): Column<Delivery>[] {
  const destination: Column<Delivery> = {
    label: "Destination",
    visibleFrom: "sm",
    cell: (delivery) => (
      <Text size="sm" lineClamp={1} className="break-anywhere">{destinationName(delivery)}</Text>
    ),
  };
  return [
    {
      label: "Event type",
      cell: (delivery) => (
        <>
          <Text size="sm" fw={550} lineClamp={2} className="break-anywhere">
            {delivery.event_type}
          </Text>
          {hasDestination && (
            <Text size="xs" c="dimmed" lineClamp={1} className="break-anywhere" hiddenFrom="sm">
              {destinationName(delivery)}
            </Text>
          )}
        </>
      ),
    },
    ...(hasDestination ? [destination] : []),
    { label: "Outcome", cell: (delivery) => <OutcomeBadge {...delivery} /> },
    {
      label: "Attempt",
      visibleFrom: "md",
      cell: (delivery) => <Text size="sm">{nameAttempt(delivery)}</Text>,
    },
    {
      label: "Duration",
      visibleFrom: "md",
      align: "right",
      cell: ({ duration_ms }) => duration_ms === null ? "–" : formatDuration(duration_ms),
    },
    {
      label: "When",
      align: "right",
      ...hasDestination ? { sort: "time" as const } : {},
      cell: (row) => <TimeAgo time={row.attempted_at} />,
    },
  ];
}
