import { Group, Progress, SimpleGrid, Text } from "@mantine/core";
import { AlertIcon, CheckIcon, type Icon } from "@primer/octicons-react";
import type { ReactNode } from "react";
import type { Usage } from "../../api/types.ts";
import { formatBytes, formatCount, formatWhole } from "../../format/numbers.ts";
import { useWorkspace } from "../../api/workspace.ts";

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
        label="Events"
        quota={`${formatCount(plan.ingest_per_second)} per second`}
        note={`Bursts of up to ${formatWhole(plan.ingest_burst)}`}
      >
        {perSecond !== undefined && (
          <Share
            label="Share of the event quota in the busiest minute"
            percent={percentOf(perSecond, plan.ingest_per_second)}
          >
            The busiest minute had {perSecond.toFixed(2)} per second
          </Share>
        )}
      </Quota>
      <Quota
        label="Storage"
        quota={`${formatBytes(dailyBytes)} per day`}
        note="In any 24 hours, before compression"
      >
        {mostBytes !== undefined && (
          <Share
            label="Share of the daily storage in the busiest day"
            percent={percentOf(mostBytes, dailyBytes)}
          >
            The busiest day stored {formatBytes(mostBytes)}
          </Share>
        )}
      </Quota>
      <Quota
        label="API requests"
        quota={`${formatCount(plan.api_per_second)} per second`}
        note={`Bursts of up to ${formatWhole(plan.api_burst)}`}
      >
        {usage && <Refused usage={usage} />}
      </Quota>
    </SimpleGrid>
  );
}

interface QuotaProps {
  label: string;
  quota: string;
  note: string;
  children: ReactNode;
}

function Quota({ label, quota, note, children }: QuotaProps) {
  return (
    <div>
      <Text size="sm" fw={550}>{label}</Text>
      <Text size="xl" fw={650} className="tabular">{quota}</Text>
      <Text size="xs" c="dimmed">{note}</Text>
      {children}
    </div>
  );
}

interface ShareProps {
  label: string;
  percent: number;
  children: ReactNode;
}

function Share({ label, percent, children }: ShareProps) {
  return (
    <>
      <Progress value={percent} mt={8} mb={6} aria-label={label} />
      <Text size="xs" c="dimmed" className="tabular">{children}</Text>
    </>
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
    <Group gap={6} mt={4} wrap="nowrap" className="tabular">
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

/** Returns whole percent, at most 100, for screen readers. */
function percentOf(part: number, whole: number): number {
  return Math.round(Math.min(100, (part / whole) * 100));
}
