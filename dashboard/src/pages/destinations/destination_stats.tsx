import { SimpleGrid } from "@mantine/core";
import type { Destination } from "../../api/types.ts";
import { Stat } from "../../components/stat.tsx";
import { TimeAgo } from "../../components/time_ago.tsx";
import { countOf, formatCount, formatShare } from "../../numbers.ts";
import { useWorkspace } from "../../workspace.ts";

export function DestinationStats({ destination }: { destination: Destination }) {
  const { id } = useWorkspace();
  const { health } = destination;
  const deliveries = `/w/${id}/deliveries`;
  const ofThis = { destination_id: destination.id };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Stat
        label="Delivered, 24 hours"
        value={formatShare(health.ok_24h, health.ok_24h + health.failed_24h)}
        note={countOf(health.ok_24h, "delivery", "deliveries")}
        to={deliveries}
        search={{ ...ofThis, range: "24h" }}
      />
      <Stat
        label="Failed, 24 hours"
        value={formatCount(health.failed_24h)}
        note={
          <>
            last <TimeAgo time={health.last_failure_at} />
          </>
        }
        to={deliveries}
        search={{ ...ofThis, range: "24h", ok: "false" }}
      />
      <Stat
        label="Backlog"
        value={formatCount(health.pending)}
        note={<NextAttempt time={health.next_attempt_at} />}
        to={deliveries}
        search={{ ...ofThis, ok: "false" }}
      />
      <Stat
        label="Last success"
        value={<TimeAgo time={health.last_success_at} />}
        to={deliveries}
        search={{ ...ofThis, ok: "true" }}
      />
    </SimpleGrid>
  );
}

function NextAttempt({ time }: { time: string | null }) {
  if (time === null) return null;
  return Date.parse(time) <= Date.now() ? "due now" : (
    <>
      next <TimeAgo time={time} />
    </>
  );
}
