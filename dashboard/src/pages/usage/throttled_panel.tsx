import { Group, Paper, Table, Text, Title } from "@mantine/core";
import { CheckIcon } from "@primer/octicons-react";
import type { Usage } from "../../api/types.ts";
import { useWholeList } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { zoneOfBuckets } from "../../charts/buckets.ts";
import { TimeChart } from "../../charts/time_chart.tsx";
import { formatWhole } from "../../format/numbers.ts";
import { useZone } from "../../format/use_zone.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

type Throttled = Usage["throttled_by"][number];

const quotaTexts: Record<Throttled["bucket"], string> = {
  ingest: "Events per second",
  api: "API requests per second",
};

/** Requests that a quota refused, over time and by caller. */
export function ThrottledPanel({ usage }: { usage: Usage | undefined }) {
  const zone = useZone();
  return (
    <Paper p="md">
      <Group justify="space-between" mb="md">
        <Group gap="xs">
          <Title order={2} size="h5">Throttled requests</Title>
          {usage && <Text size="xs" c="dimmed">{zoneOfBuckets(usage.data, zone)}</Text>}
        </Group>
        {usage && <Text size="sm" className="tabular">{formatWhole(usage.totals.throttled)}</Text>}
      </Group>
      {usage?.totals.throttled === 0
        ? (
          <EmptyState icon={CheckIcon} title="No request was refused">
            All requests of this period were within the quotas.
          </EmptyState>
        )
        : (
          <TimeChart
            label="Throttled requests"
            data={usage?.data}
            kind="bar"
            series={[{ name: "throttled", label: "Throttled", color: "orange.6" }]}
          />
        )}
      {usage && usage.throttled_by.length > 0 && <CallerTable callers={usage.throttled_by} />}
    </Paper>
  );
}

function CallerTable({ callers }: { callers: readonly Throttled[] }) {
  const nameOf = useCallerNames();
  return (
    <Table mt="md" aria-label="Callers of throttled requests">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Caller</Table.Th>
          <Table.Th scope="col">Quota</Table.Th>
          <Table.Th scope="col" ta="right">Requests</Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="sm">Last hour with any</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {callers.map(({ bucket, reason, caller, requests, last_at }) => (
          <Table.Tr key={`${bucket} ${reason} ${caller.id}`}>
            <Table.Td className="break-anywhere">
              <bdi>{nameOf(caller)}</bdi>
            </Table.Td>
            <Table.Td>{reason === "bytes" ? "Bytes per day" : quotaTexts[bucket]}</Table.Td>
            <Table.Td ta="right" className="tabular">{formatWhole(requests)}</Table.Td>
            <Table.Td ta="right" visibleFrom="sm">
              <TimeAgo time={last_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const kindTexts: Record<Throttled["caller"]["kind"], string> = {
  api_key: "API key",
  source: "Source",
  user: "Person",
};

/** Returns a function that names a caller, if the user may know the name and it still exists. */
function useCallerNames(): (caller: Throttled["caller"]) => string {
  const mayManage = useMay("admin");
  const keys = useWholeList("GET /api-keys", {}, { enabled: mayManage });
  const sources = useWholeList("GET /sources", {});
  const members = useWholeList("GET /members", {});
  const names = new Map([
    ...keys.map(({ id, name }) => [id, name] as const),
    ...sources.map(({ id, name }) => [id, name] as const),
    ...members.map(({ id, email }) => [id, email ?? id] as const),
  ]);
  return ({ kind, id }) => names.get(id) ?? `${kindTexts[kind]} …${id.slice(-12)}`;
}
