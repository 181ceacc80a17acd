import { SimpleGrid } from "@mantine/core";
import { memo } from "react";
import type { Destination } from "../../api/types.ts";
import { Stat } from "../../ui/stat.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatCount } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";

/** Messages waiting for a destination, and its last outcomes. */
export const DestinationBacklog = memo(
  function DestinationBacklog({ destination }: { destination: Destination }) {
    const { id } = useWorkspace();
    const { health } = destination;
    const deliveries = `/w/${id}/deliveries`;
    const failed = { destination_id: destination.id, ok: "false" };
    return (
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <Stat
          label="Backlog"
          value={formatCount(health.pending)}
          note={health.pending === 1 ? "message waiting" : "messages waiting"}
          to={deliveries}
          search={failed}
        />
        <Stat
          label="Next attempt"
          value={<NextAttempt time={health.next_attempt_at} />}
          to={deliveries}
          search={failed}
        />
        <Stat
          label="Last success"
          value={<TimeAgo time={health.last_success_at} />}
          to={deliveries}
          search={{ destination_id: destination.id, ok: "true" }}
        />
        <Stat
          label="Last failure"
          value={<TimeAgo time={health.last_failure_at} />}
          to={deliveries}
          search={failed}
        />
      </SimpleGrid>
    );
  },
);

function NextAttempt({ time }: { time: string | null }) {
  if (time === null) return "None";
  return Date.parse(time) <= Date.now() ? "Due now" : <TimeAgo time={time} />;
}
