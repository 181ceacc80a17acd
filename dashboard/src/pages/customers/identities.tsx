import { Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Customer } from "../../api/types.ts";
import { IdText } from "../../components/id_text.tsx";

/** All ids that lead to the customer. */
export function Identities({ customer }: { customer: Customer }) {
  const ids = [
    ...customer.external_ids.map((value) => ({ kind: "external", value })),
    ...customer.anon_ids.map((value) => ({ kind: "anonymous", value })),
  ];
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Ids</Title>
      <Stack gap="xs">
        {ids.map(({ kind, value }) => (
          <Group key={`${kind} ${value}`} gap="sm" wrap="nowrap">
            <Badge color={kind === "external" ? "signal" : "gray"}>{kind}</Badge>
            <IdText value={value} label={`the id ${value}`} />
          </Group>
        ))}
      </Stack>
      <Text size="xs" c="dimmed" mt="md">Each of them leads to this customer, for good.</Text>
    </Paper>
  );
}
