import { Group, Paper, Stack, Title } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { TimeChart } from "../../charts/time_chart.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { RangePicker } from "../../ui/range_picker.tsx";
import { useRange } from "../../url/use_filters.ts";

/** Customers that entered and left by hour or day, and the number of members. */
export function SegmentHistory({ segmentId }: { segmentId: string }) {
  const range = useRange("24h");
  const history = useApiItem("GET /segments/{id}/history", {
    params: { id: segmentId },
    query: { ...range },
  });
  if (history.error && !history.data) {
    return <ErrorState error={history.error} retry={history.refetch} />;
  }
  const data = history.data?.data;
  return (
    <Stack>
      <Group justify="flex-end">
        <RangePicker fallback="24h" />
      </Group>
      <Paper p="md">
        <Title order={2} size="h5" mb="md">Entered and left</Title>
        <TimeChart
          label="Entered and left"
          data={data}
          kind="bar"
          series={[
            { name: "entered", label: "Entered", color: "teal.6" },
            { name: "left", label: "Left", color: "orange.6" },
          ]}
        />
      </Paper>
      <Paper p="md">
        <Title order={2} size="h5" mb="md">Members</Title>
        <TimeChart
          label="Members"
          data={data}
          kind="line"
          series={[{ name: "members", label: "Members", color: "signal.6" }]}
        />
      </Paper>
    </Stack>
  );
}
