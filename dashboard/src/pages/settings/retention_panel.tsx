import { Paper, Text, Title } from "@mantine/core";
import { retentionDays } from "../../../../supabase/functions/api/contract/limits.ts";
import { FieldList } from "../../ui/field_list.tsx";

const inDays = (days: number) => `${days} days`;

/** The time for which records are kept, before the service deletes them. */
export function RetentionPanel() {
  return (
    <Paper p="lg">
      <Title order={2} size="h4" mb={4}>Retention</Title>
      <Text size="sm" c="dimmed" mb="md">
        After this time, records are deleted. Export what you need for longer.
      </Text>
      <FieldList
        fields={[
          ["Deliveries", inDays(retentionDays.deliveries)],
          ["Requests to sources", inDays(retentionDays.receipts)],
          ["Rejected entries", inDays(retentionDays.rejectedEntries)],
          ["Events", "Until the operator deletes them"],
          ["Customers", "Until you erase them"],
        ]}
      />
    </Paper>
  );
}
