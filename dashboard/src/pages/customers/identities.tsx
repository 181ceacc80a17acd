import { Badge, Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { formatCount } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { MergeHistory } from "./merge_history.tsx";

/** The IDs of a customer with their origin, and the history of merges. */
export function Identities({ customer }: { customer: Customer }) {
  const merges = useApiList("GET /customers/{id}/merges", { params: { id: customer.id } });
  const rows = listRows(merges);
  // The api lists the newest IDs last.
  const ids = [
    ...customer.external_ids.toReversed()
      .map((value) => ({ kind: "external", value, list: "external_ids" })),
    ...customer.anon_ids.toReversed()
      .map((value) => ({ kind: "anonymous", value, list: "anon_ids" })),
  ] as const;
  const hidden = customer.external_ids_count + customer.anon_ids_count - ids.length;
  const originOf = ({ list, value }: { list: string; value: string }) => {
    const merge = rows.find((row) => row[list as "anon_ids" | "external_ids"].includes(value));
    if (!merge) return "Original ID";
    return merge.cause === "identify" ? "Added by identify" : "Added by alias";
  };
  return (
    <Stack>
      <Paper p="md">
        <Title order={2} size="h5" mb="sm">IDs</Title>
        <Stack gap="xs">
          {ids.map((id) => (
            <Group key={`${id.kind} ${id.value}`} gap="sm" justify="space-between">
              <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
                <Badge color={id.kind === "external" ? "signal" : "gray"} w={92} tt="capitalize">
                  {id.kind}
                </Badge>
                <IdText value={id.value} label={`ID ${id.value}`} />
              </Group>
              <Text size="xs" c="dimmed">{merges.isSuccess && originOf(id)}</Text>
            </Group>
          ))}
        </Stack>
        {hidden > 0 && (
          <Text size="sm" c="dimmed" mt="sm">
            Showing the newest 100 IDs of each kind. {formatCount(hidden)} more not shown.
          </Text>
        )}
      </Paper>
      <Paper p="md">
        <Title order={2} size="h5" mb="md">Merge history</Title>
        {merges.isPending && <Skeleton h={90} />}
        {merges.error && <ErrorState error={merges.error} retry={merges.refetch} />}
        {merges.isSuccess && <MergeHistory customer={customer} merges={merges} />}
      </Paper>
    </Stack>
  );
}
