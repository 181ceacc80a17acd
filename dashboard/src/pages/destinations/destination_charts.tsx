import { Paper, SimpleGrid, Title } from "@mantine/core";
import { useMemo } from "react";
import { listRows, useApiList } from "../../api/use_api.ts";
import { TimeChart } from "../../charts/time_chart.tsx";
import { countOf } from "../../numbers.ts";
import { bucketAttempts, spanMs } from "./bucket_attempts.ts";

const ATTEMPTS = 200;
/** Below it there is no course of time to show. */
const LEAST_SPAN_MS = 60_000;

/** How the latest attempts went, and how long they took. */
export function DestinationCharts({ destinationId }: { destinationId: string }) {
  const attempts = useApiList("GET /deliveries", {
    query: { destination_id: destinationId, limit: ATTEMPTS },
  }, { refetchInterval: 30_000 });
  const rows = listRows(attempts);
  const data = useMemo(
    () => bucketAttempts(rows).map((bucket) => ({ ...bucket })),
    [attempts.data],
  );
  if (spanMs(rows) < LEAST_SPAN_MS) return null;
  const latest = `of the latest ${countOf(rows.length, "attempt")}`;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Paper p="md">
        <Title order={2} size="h5" mb="md">Outcome {latest}</Title>
        <TimeChart
          label={`Outcome ${latest}`}
          data={data}
          series={[
            { name: "delivered", label: "Delivered", color: "teal.6" },
            { name: "failed", label: "Failed", color: "red.6" },
          ]}
          kind="bar"
          height={180}
        />
      </Paper>
      <Paper p="md">
        <Title order={2} size="h5" mb="md">Time to answer</Title>
        <TimeChart
          label="Mean time to answer"
          data={data}
          series={[{ name: "duration_ms", label: "Time to answer", color: "signal.6" }]}
          kind="line"
          unit=" ms"
          height={180}
        />
      </Paper>
    </SimpleGrid>
  );
}
