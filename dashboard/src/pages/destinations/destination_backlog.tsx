import { memo } from "react";
import type { Destination } from "../../api/types.ts";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { formatCount } from "../../format/numbers.ts";
import { isDue } from "../../format/time.ts";
import { useWorkspace } from "../../api/workspace.ts";

/** Messages waiting for a destination or missed by it, and when it last succeeded and failed. */
export const DestinationBacklog = memo(
  function DestinationBacklog({ destination }: { destination: Destination }) {
    const { id } = useWorkspace();
    const { health } = destination;
    const messages = `/w/${id}/messages`;
    const deliveries = `/w/${id}/deliveries`;
    const own = { destination_id: destination.id };
    const waiting = health.next_probe_at || !destination.enabled ? { ...own, state: "held" } : own;
    return (
      <StatGrid>
        <Stat
          label="Waiting"
          value={formatCount(health.pending)}
          note={health.pending === 1 ? "message" : "messages"}
          to={messages}
          search={waiting}
        />
        <Stat
          label="Missed"
          value={formatCount(health.missed)}
          note={health.missed_since && (
            <>
              since <TimeAgo time={health.missed_since} />
            </>
          )}
          to={messages}
          search={{ ...own, state: "missed" }}
        />
        <Stat
          label="Last success"
          value={<TimeAgo time={health.last_success_at} />}
          to={deliveries}
          search={{ ...own, ok: "true" }}
        />
        <Stat
          label="Last failure"
          value={<TimeAgo time={health.last_failure_at} />}
          to={deliveries}
          search={{ ...own, ok: "false" }}
        />
        {health.next_probe_at === null && (
          <Stat
            label="Next attempt"
            value={<NextAttempt time={health.next_attempt_at} />}
            to={messages}
            search={waiting}
          />
        )}
      </StatGrid>
    );
  },
);

function NextAttempt({ time }: { time: string | null }) {
  if (time === null) return "None";
  return isDue(time) ? "Due now" : <TimeAgo time={time} />;
}
