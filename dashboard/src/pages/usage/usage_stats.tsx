import type { Usage } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf, formatBytes, formatCount } from "../../format/numbers.ts";
import type { LinkSearch } from "../../ui/link_to.ts";
import { Stat, StatGrid } from "../../ui/stat.tsx";

interface UsageStatsProps {
  /** Undefined while it loads. */
  usage: Usage | undefined;
  /** The chosen time, for the lists behind the figures. */
  time: LinkSearch;
}

/** Totals of the chosen time. */
export function UsageStats({ usage, time }: UsageStatsProps) {
  const { id } = useWorkspace();
  const { events, customers, deliveries, failures, bytes } = usage?.totals ?? {};
  const show = (count: number | undefined) => count === undefined ? undefined : formatCount(count);
  return (
    <StatGrid>
      <Stat
        label="Events"
        value={show(events)}
        note="with profile updates and aliases"
        to={`/w/${id}/events`}
        search={time}
      />
      <Stat
        label="New customers"
        value={show(customers)}
        note="including those merged later"
        to={`/w/${id}/customers`}
      />
      <Stat
        label="Deliveries"
        value={show(deliveries)}
        note={failures === undefined ? null : countOf(failures, "failed attempt")}
        to={`/w/${id}/deliveries`}
        search={time}
      />
      <Stat
        label="Storage"
        value={bytes === undefined ? undefined : formatBytes(bytes)}
        note="before compression"
      />
    </StatGrid>
  );
}
