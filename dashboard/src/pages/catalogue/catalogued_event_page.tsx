import {
  Anchor,
  Badge,
  Box,
  Button,
  Code,
  Group,
  Paper,
  Stack,
  Table,
  Text,
  Title,
} from "@mantine/core";
import { GraphIcon, PencilIcon } from "@primer/octicons-react";
import { toCatalogued } from "../../api/to_catalogued.ts";
import type { CataloguedEventDetails } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { TimeChart } from "../../charts/time_chart.tsx";
import { countOf, formatCount, formatShare } from "../../format/numbers.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { BackLink, Page } from "../../ui/page.tsx";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { StatusBadge } from "./status_badge.tsx";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { latePanel } from "../../ui/late_panel.tsx";

const NewestEvents = latePanel(async () => (await import("./newest_events.tsx")).NewestEvents);
const DefinitionModal = lateDialog(async () =>
  (await import("./definition_modal.tsx")).DefinitionModal
);

type Property = CataloguedEventDetails["property_list"][number];

const refreshMs = 15_000;

export function CataloguedEventPage() {
  const { name = "" } = useFilters().filters;
  const item = useApiItem("GET /catalogue/{name}", toCatalogued(name), {
    enabled: name !== "",
    refetchInterval: refreshMs,
  });
  return (
    <ItemView item={item}>
      {(event) => <EventView event={event} />}
    </ItemView>
  );
}

function EventView({ event }: { event: CataloguedEventDetails }) {
  const { id } = useWorkspace();
  const mayEdit = useMay("member");
  const [isOpen, { open, close }] = useDraftDialog(`catalogue:${event.name}`);
  return (
    <Page
      title={event.name}
      search={{ name: event.name }}
      heading={
        <Group gap="sm">
          <span dir="auto">{event.name}</span>
          <StatusBadge status={event.status} />
        </Group>
      }
      description={
        <>
          <div dir="auto">{event.description ?? "No description yet."}</div>
          {event.owner !== null && (
            <div>
              Owner: <bdi>{event.owner}</bdi>
            </div>
          )}
        </>
      }
      above={<BackLink path="/catalogue">Catalogue</BackLink>}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<GraphIcon />}
            {...linkTo(`/w/${id}/explore`, { events: JSON.stringify([{ event: event.name }]) })}
          >
            Explore
          </Button>
          {mayEdit && <Button leftSection={<PencilIcon />} onClick={open}>Describe</Button>}
        </>
      }
    >
      <Stack>
        <EventStats event={event} />
        <Paper p="md">
          <Group justify="space-between" mb="md">
            <Title order={2} size="h5">Events per day</Title>
            <Text size="xs" c="dimmed">By the time they arrived, in UTC</Text>
          </Group>
          <TimeChart
            label="Events per day"
            data={event.days}
            kind="bar"
            series={[{ name: "events", label: "Events", color: "signal.6" }]}
            height={160}
          />
        </Paper>
        <Properties event={event} />
        <NewestEvents name={event.name} />
      </Stack>
      {isOpen && <DefinitionModal event={event} isOpen close={close} />}
    </Page>
  );
}

/** Counts of the event. Each figure leads to the events. */
function EventStats({ event }: { event: CataloguedEventDetails }) {
  const { id } = useWorkspace();
  const link = { to: `/w/${id}/events`, search: { name: event.name } };
  return (
    <StatGrid>
      <Stat
        label="Today"
        value={formatCount(event.events_today)}
        note="since midnight UTC"
        {...link}
      />
      <Stat
        label="Per day"
        value={formatCount(event.events_per_day)}
        note="7-day average"
        {...link}
      />
      <Stat
        label="In total"
        value={formatCount(event.events)}
        note={
          <>
            first seen <TimeAgo time={event.first_seen_at} />
          </>
        }
        {...link}
      />
      <Stat label="Last seen" value={<TimeAgo time={event.last_seen_at} />} {...link} />
    </StatGrid>
  );
}

function Properties({ event }: { event: CataloguedEventDetails }) {
  return (
    <Paper>
      <Group justify="space-between" p="md">
        <Title order={2} size="h5">Properties</Title>
        <Text size="xs" c="dimmed">
          Based on {countOf(event.sampled_events, "sampled event")}
        </Text>
      </Group>
      <Box style={{ overflowX: "auto" }} tabIndex={0} role="region" aria-label="Properties">
        <Table aria-label="Properties" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              {["Property", "Type", "Example"].map((label) => (
                <Table.Th key={label} scope="col" className="list-heading">{label}</Table.Th>
              ))}
              <Table.Th scope="col" ta="right" className="list-heading">In events</Table.Th>
              <Table.Th scope="col" ta="right" visibleFrom="sm">Last seen</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {event.property_list.map((row) => (
              <PropertyRow key={row.property} name={event.name} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {event.property_list.length === 0 && (
        <Text size="sm" c="dimmed" p="md">No properties in the sampled events.</Text>
      )}
    </Paper>
  );
}

/** Types of values by which a trend can be split. */
const splitTypes = new Set(["string", "number", "boolean"]);

const problems = { property: "Unexpected", type: "Unexpected type" };

interface PropertyRowProps {
  /** Name of the event. */
  name: string;
  row: Property;
}

/** A property; a click on its name leads to the trend of its values. */
function PropertyRow({ name, row }: PropertyRowProps) {
  const { id } = useWorkspace();
  const split = { events: JSON.stringify([{ event: name }]), property: row.property };
  const isSeen = row.first_seen_at !== null && row.types.some(({ type }) => splitTypes.has(type));
  const types = row.types.map(({ type, share }) =>
    share === 1 ? type : `${type} ${formatShare(share, 1)}`
  );
  return (
    <Table.Tr>
      <Table.Td miw={120}>
        <Group gap={6}>
          <Text size="sm" fw={550} ff="monospace" className="break-anywhere" dir="auto">
            {isSeen
              ? (
                <Anchor
                  {...linkTo(`/w/${id}/explore`, split)}
                  fz="inherit"
                  fw="inherit"
                  title={`Explore the values of ${row.property}`}
                >
                  {row.property}
                </Anchor>
              )
              : row.property}
          </Text>
          {row.is_required && <Badge color="gray">Required</Badge>}
          {row.unexpected && <Badge color="orange">{problems[row.unexpected]}</Badge>}
        </Group>
        {row.description && <Text size="xs" c="dimmed" dir="auto">{row.description}</Text>}
      </Table.Td>
      <Table.Td>{types.join(", ") || row.expected_type || "–"}</Table.Td>
      <Table.Td maw={280}>
        {row.example === null || row.example === undefined
          ? "–"
          : <Code className="break-anywhere">{JSON.stringify(row.example)}</Code>}
      </Table.Td>
      <Table.Td ta="right" className="tabular">
        {row.first_seen_at === null ? "Not seen" : formatShare(row.share, 1)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {row.last_seen_at ? <TimeAgo time={row.last_seen_at} /> : "–"}
      </Table.Td>
    </Table.Tr>
  );
}
