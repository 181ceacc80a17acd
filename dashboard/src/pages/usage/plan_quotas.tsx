import { Group, SimpleGrid, Text } from "@mantine/core";
import { AlertIcon, CheckIcon, type Icon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import type { Usage } from "../../api/types.ts";
import { formatBytes, formatCount, formatWhole } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ShareBar } from "./share_bar.tsx";

interface PlanQuotasProps {
  usage: Usage | undefined;
  interval: "hour" | "day";
}

/** The quotas of the plan, and how much of them was used. */
export function PlanQuotas({ usage, interval }: PlanQuotasProps) {
  const { plan } = useWorkspace();
  const dailyBytes = plan.ingest_bytes_per_day;
  const mostBytes = usage && mostPerDay(usage, interval);
  const perSecond = usage && usage.totals.busiest_minute / 60;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
      <Quota
        label="Events per second"
        used={perSecond}
        quota={plan.ingest_per_second}
        format={formatRate}
        note={`Bursts of up to ${formatWhole(plan.ingest_burst)}`}
      >
        {usage && <Text size="xs" mt={6}>The busiest minute of this period</Text>}
      </Quota>
      <Quota
        label="Storage per day"
        used={mostBytes}
        quota={dailyBytes}
        format={formatBytes}
        note="In any 24 hours, before compression"
      >
        {usage && <Text size="xs" mt={6}>The busiest day of this period</Text>}
      </Quota>
      <Quota
        label="API requests per second"
        used={undefined}
        quota={plan.api_per_second}
        format={formatRate}
        note={`Bursts of up to ${formatWhole(plan.api_burst)}`}
      >
        {usage && <Refused usage={usage} />}
      </Quota>
    </SimpleGrid>
  );
}

interface QuotaProps {
  label: string;
  /** Undefined while it loads, and where it is not counted. */
  used: number | undefined;
  quota: number;
  format: (figure: number) => string;
  note: string;
  /** Says when so much was used, or what was refused. */
  children: ReactNode;
}

function Quota({ label, used, quota, format, note, children }: QuotaProps) {
  return (
    <div>
      <Text size="sm" fw={550}>{label}</Text>
      <Group gap={6} align="baseline" className="tabular">
        {used !== undefined && <Text size="xl" fw={650}>{format(used)}</Text>}
        <Text size="sm" c="dimmed">{used === undefined ? "Up to" : "of"}</Text>
        <Text {...used === undefined ? { size: "xl", fw: 650 } : { size: "sm" }}>
          {format(quota)}
        </Text>
      </Group>
      {used !== undefined && (
        <ShareBar label={`${label}: share of the quota`} part={used} whole={quota} />
      )}
      {children}
      <Text size="xs" c="dimmed">{note}</Text>
    </div>
  );
}

/** The requests that the quota refused: those that it let pass are not counted. */
function Refused({ usage: { throttled_by, totals } }: { usage: Usage }) {
  const count = (rows: Usage["throttled_by"]) =>
    rows.reduce((sum, { requests }) => sum + requests, 0);
  const refused = count(throttled_by.filter(({ bucket }) => bucket === "api"));
  // Only the callers with the most are listed.
  const isWhole = count(throttled_by) >= totals.throttled;
  if (refused === 0) return isWhole && <RefusedText icon={CheckIcon} text="None were refused" />;
  const number = `${isWhole ? "" : "At least "}${formatWhole(refused)}`;
  return (
    <RefusedText icon={AlertIcon} text={`${number} ${refused === 1 ? "was" : "were"} refused`} />
  );
}

function RefusedText({ icon: Icon, text }: { icon: Icon; text: string }) {
  return (
    <Group gap={6} mt={6} wrap="nowrap" className="tabular">
      <Icon size={14} />
      <Text size="xs">{text} in this period</Text>
    </Group>
  );
}

/** Returns the most bytes that were stored in a day, or in 24 hours in a row. */
function mostPerDay({ data }: Usage, interval: "hour" | "day"): number {
  const length = interval === "day" ? 1 : 24;
  const days = data.map((_, end) =>
    data.slice(Math.max(0, end + 1 - length), end + 1).reduce((sum, { bytes }) => sum + bytes, 0)
  );
  return Math.max(0, ...days);
}

/** Formats a number per second: "0", "8.07", "312", "20,000". */
function formatRate(rate: number): string {
  return formatCount(Number(rate.toFixed(rate > 100 ? 0 : 2)));
}
