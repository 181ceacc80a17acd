import { Text } from "@mantine/core";
import type { Destination } from "../../api/types.ts";
import type { Column } from "../../components/list_table.tsx";
import { formatCount } from "../../numbers.ts";
import { Tags } from "../../components/tags.tsx";
import { HealthBadge } from "./health_badge.tsx";
import { SuccessBar } from "./success_bar.tsx";

export const DESTINATION_COLUMNS: Column<Destination>[] = [
  {
    label: "Destination",
    cell: ({ name, url }) => (
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} className="break-anywhere" lineClamp={1}>{name}</Text>
        <Text size="xs" c="dimmed" ff="monospace" className="break-anywhere" lineClamp={1}>
          {url}
        </Text>
      </div>
    ),
  },
  {
    label: "Event types",
    visibleFrom: "md",
    cell: ({ event_types }) => <EventTypes types={event_types} />,
  },
  { label: "Health", cell: (destination) => <HealthBadge destination={destination} /> },
  {
    label: "Delivered",
    visibleFrom: "sm",
    width: 210,
    cell: ({ health }) => <SuccessBar ok={health.ok_24h} failed={health.failed_24h} />,
  },
  {
    label: "Backlog",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <span className="tabular">{formatCount(health.pending)}</span>,
  },
];

export function EventTypes({ types }: { types: string[] }) {
  return <Tags values={types.map((type) => type === "*" ? "all events" : type)} />;
}
