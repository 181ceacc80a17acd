import { Paper, Progress, Table, Text, Title } from "@mantine/core";
import type { Campaign, CampaignStats } from "../../api/types.ts";
import { ChartCard } from "../../charts/chart_card.tsx";
import type { Series } from "../../charts/series.ts";
import { formatCount, formatShare } from "../../format/numbers.ts";
import { ErrorState } from "../../ui/error_state.tsx";
import { hasHistory, spanOf } from "./activity_span.ts";
import { shareOf } from "./share_of.ts";
import {
  type CampaignActivity as Activity,
  type FollowedLink,
  useCampaignActivity,
} from "./use_campaign_activity.ts";

const series: Series[] = [
  { name: "sent", label: "Sent", color: "gray.5" },
  { name: "opened", label: "Opened", color: "signal.6" },
  { name: "clicked", label: "Clicked", color: "teal.6" },
];

interface ActivityProps {
  campaign: Campaign;
  stats: CampaignStats;
}

/** When the mails were sent, opened and clicked, and which links were followed. */
export function CampaignActivity({ campaign, stats }: ActivityProps) {
  const { started_at } = campaign;
  const hasMails = stats.sent > 0 && started_at !== null;
  const { data, error, refetch } = useCampaignActivity(campaign, hasMails);
  if (!hasMails) return null;
  if (error) return <ErrorState error={error} retry={refetch} />;
  return (
    <>
      {hasHistory(started_at, Date.now()) && <Chart campaign={campaign} activity={data} />}
      {data && data.links.length > 0 && <Links links={data.links} sent={stats.sent} />}
    </>
  );
}

interface ChartProps {
  campaign: Campaign;
  /** Undefined while it loads. */
  activity: Activity | undefined;
}

function Chart({ campaign: { started_at }, activity }: ChartProps) {
  const { interval } = spanOf(started_at!, Date.now());
  const isExact = activity?.isExact ?? true;
  return (
    <ChartCard
      title={`Opens and clicks by ${interval}${isExact ? "" : ", estimated"}`}
      data={activity?.buckets}
      kind="line"
      series={series}
    />
  );
}

/** The links of the mail by the customers who followed them. */
function Links({ links, sent }: { links: readonly FollowedLink[]; sent: number }) {
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Clicks by link</Title>
      <Table aria-label="Clicks by link" verticalSpacing="xs" horizontalSpacing={0}>
        <Table.Tbody>
          {links.map(({ url, customers }) => (
            <Table.Tr key={url}>
              <Table.Th scope="row" fw={400}>
                <Text size="sm" className="break-anywhere" c="var(--mantine-color-text)">
                  <bdi>{url.replace(/^https?:\/\//, "")}</bdi>
                </Text>
                <Progress
                  value={shareOf(customers, sent) * 100}
                  size={4}
                  mt={4}
                  aria-hidden
                />
              </Table.Th>
              <Table.Td ta="right" pl="md" w={110} className="tabular">
                {formatCount(customers)}{" "}
                <Text span size="xs" c="dimmed">{formatShare(customers, sent)}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
