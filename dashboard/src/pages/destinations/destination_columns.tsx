import { Badge, Group, Progress, Text } from "@mantine/core";
import { DotFillIcon } from "@primer/octicons-react";
import type { Destination } from "../../api/types.ts";
import type { Column } from "../../ui/list_table.tsx";
import { countOf, formatCount, formatShare } from "../../format/numbers.ts";
import { Tags } from "../../ui/tags.tsx";
import { describeBacklog } from "./describe_backlog.ts";
import { describeHealth } from "./destination_health.ts";
import { Tooltip } from "../../ui/overlays.tsx";

export const destinationColumns: Column<Destination>[] = [
  {
    label: "Destination",
    sort: "name",
    cell: ({ name, url }) => (
      <div style={{ minWidth: "8rem" }}>
        <Text size="sm" fw={550} className="break-anywhere" lineClamp={1} dir="auto">{name}</Text>
        <Text size="xs" c="dimmed" className="break-everywhere" lineClamp={2} title={url}>
          {url}
        </Text>
      </div>
    ),
  },
  {
    label: "Event types",
    visibleFrom: "lg",
    cell: ({ event_types }) =>
      event_types.includes("*")
        ? <Text size="sm">All events</Text>
        : (
          <Text size="xs" ff="monospace" className="break-anywhere" lineClamp={2}>
            {event_types.join(", ")}
          </Text>
        ),
  },
  {
    label: "Health",
    cell: (destination) => (
      <>
        <HealthBadge destination={destination} />
        {destination.health.pending + destination.health.missed > 0 && (
          <Text size="xs" c="dimmed" mt={4} hiddenFrom="sm" className="tabular">
            {describeBacklog([destination])}
          </Text>
        )}
      </>
    ),
  },
  {
    label: "Delivered (24 h)",
    visibleFrom: "sm",
    cell: ({ health }) => <SuccessBar ok={health.ok_24h} failed={health.failed_24h} />,
  },
  {
    label: "Waiting",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <Held count={health.pending} />,
  },
  {
    label: "Missed",
    visibleFrom: "sm",
    align: "right",
    cell: ({ health }) => <Held count={health.missed} />,
  },
];

/** Messages that were not delivered. Zeros stand back. */
function Held({ count }: { count: number }) {
  return count === 0
    ? <Text size="sm" c="dimmed">0</Text>
    : <Text size="sm" fw={550} className="tabular">{formatCount(count)}</Text>;
}

export function EventTypes({ types }: { types: string[] }) {
  return <Tags values={types.map((type) => type === "*" ? "All events" : type)} />;
}

interface SuccessBarProps {
  ok: number;
  failed: number;
}

/** Share of the attempts of 24 hours that were delivered. */
export function SuccessBar({ ok, failed }: SuccessBarProps) {
  const total = ok + failed;
  if (total === 0) return <Text size="xs" c="dimmed">No attempts (24 h)</Text>;
  const share = formatShare(ok, total);
  return (
    <Tooltip
      label={`${countOf(ok, "delivered", "delivered")}, ${
        countOf(failed, "failed", "failed")
      } in 24 hours`}
    >
      <Group gap="xs" wrap="nowrap" data-hint>
        <Progress.Root size={6} flex={1} miw={60} maw={140}>
          <Progress.Section
            value={(ok / total) * 100}
            color="green"
            aria-label={`${share} delivered`}
          />
          <Progress.Section
            value={(failed / total) * 100}
            color="red"
            aria-label={countOf(failed, "failed attempt")}
          />
        </Progress.Root>
        <Text size="xs" className="tabular" w={44}>{share}</Text>
      </Group>
    </Tooltip>
  );
}

export function HealthBadge({ destination }: { destination: Destination }) {
  const { label, color } = describeHealth(destination);
  return <Badge color={color} leftSection={<DotFillIcon size={12} />}>{label}</Badge>;
}
