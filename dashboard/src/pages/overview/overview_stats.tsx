import { useMemo } from "react";
import type { Destination, Usage } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { Stat, StatGrid } from "../../ui/stat.tsx";
import { countOf, formatCount, formatShare } from "../../format/numbers.ts";
import { useFilters } from "../../url/use_filters.ts";
import { useWorkspace } from "../../api/workspace.ts";
import {
  compareUsage,
  type CountedFigure,
  describeEarlierRate,
  findEarlierRange,
} from "./compare_usage.ts";
import { describeBacklog, noBacklog } from "../destinations/describe_backlog.ts";
import { useDestinationHealth } from "./use_destination_health.ts";

/** The figures of the period, compared with the time before it. */
export function OverviewStats({ usage }: { usage: Usage | undefined }) {
  const { id } = useWorkspace();
  const { range, since, until } = useFilters().filters;
  const time = range || since || until ? { range, since, until } : { range: "24h" };
  const destinations = useDestinationHealth().data?.data;
  const { events, customers, deliveries, failures } = usage?.totals ?? {};
  const earlier = useEarlierUsage(usage);
  const compare = (figure: CountedFigure) =>
    usage && earlier && compareUsage(figure, { usage, earlier }, Date.now());
  const earlierRate = earlier && describeEarlierRate(earlier);
  const show = (count: number | undefined) => count === undefined ? undefined : formatCount(count);
  return (
    <StatGrid>
      <Stat
        label="Events"
        value={show(events)}
        note={compare("events")}
        to={`/w/${id}/events`}
        search={time}
      />
      <Stat
        label="New customers"
        value={show(customers)}
        note={compare("customers")}
        title="Customers who were merged later are counted too. The list has fewer."
        to={`/w/${id}/customers`}
      />
      <Stat
        label="Webhook deliveries"
        value={show(deliveries)}
        note={destinations && describeDeliveries(destinations, compare("deliveries"))}
        to={`/w/${id}/deliveries`}
        search={time}
      />
      <Stat
        label="Webhook success"
        value={deliveries === undefined || failures === undefined
          ? undefined
          : formatShare(deliveries - failures, deliveries)}
        note={failures === undefined
          ? null
          : [countOf(failures, "failed attempt"), earlierRate].filter(Boolean).join("; ")}
        to={`/w/${id}/deliveries`}
        search={{ ...time, ok: "false" }}
      />
    </StatGrid>
  );
}

/** Says what waits and was missed, and if nothing does, how the number compares. */
function describeDeliveries(destinations: readonly Destination[], compared: string | undefined) {
  const backlog = describeBacklog(destinations);
  return backlog === noBacklog ? compared ?? backlog : backlog;
}

/** Reads the time before the period, once and after the figures that it is compared with. */
function useEarlierUsage(usage: Usage | undefined): Usage | undefined {
  const { data, since } = usage ?? {};
  // New figures of the same buckets compare with the same time.
  const range = useMemo(
    () => usage && findEarlierRange(usage, Date.now()),
    [data?.length, since, usage?.interval],
  );
  const earlier = useApiItem("GET /usage", { query: { ...range } }, {
    enabled: range !== undefined,
  }).data;
  return earlier?.since === range?.since ? earlier : undefined;
}
