import type { Usage } from "../../api/types.ts";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { countOf, formatCount, formatShare } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { describeBacklog } from "./describe_backlog.ts";
import { useDestinationHealth } from "./use_destination_health.ts";

export function OverviewStats({ usage }: { usage: Usage | undefined }) {
  const { id } = useWorkspace();
  const { range, since, until } = useFilters().filters;
  const time = range || since || until ? { range, since, until } : { range: "24h" };
  const destinations = useDestinationHealth().data?.data;
  const { events, customers, deliveries, failures } = usage?.totals ?? {};
  const show = (count: number | undefined) => count === undefined ? undefined : formatCount(count);
  return (
    <StatGrid>
      <Stat
        label="Events"
        value={show(events)}
        note="including identifies and aliases"
        to={`/w/${id}/events`}
        search={time}
      />
      <Stat label="New customers" value={show(customers)} to={`/w/${id}/customers`} />
      <Stat
        label="Deliveries"
        value={show(deliveries)}
        note={destinations && describeBacklog(destinations)}
        to={`/w/${id}/deliveries`}
        search={time}
      />
      <Stat
        label="Success rate"
        value={deliveries === undefined || failures === undefined
          ? undefined
          : formatShare(deliveries - failures, deliveries)}
        note={failures === undefined ? null : countOf(failures, "failed attempt")}
        to={`/w/${id}/deliveries`}
        search={{ ...time, ok: "false" }}
      />
    </StatGrid>
  );
}
