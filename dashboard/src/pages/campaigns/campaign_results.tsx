import {
  Anchor,
  Badge,
  Paper,
  Progress,
  SimpleGrid,
  Skeleton,
  Table,
  Text,
  Title,
} from "@mantine/core";
import type { Campaign, CampaignStats, Sender, SendSummary } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatShare, formatWhole } from "../../format/numbers.ts";
import { formatShort } from "../../format/time.ts";
import { useZone } from "../../format/use_zone.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { type LinkSearch, linkTo } from "../../ui/link_to.ts";
import { Stat } from "../../ui/stat.tsx";
import { type Engagement, engagementLabels, explainReason } from "../sends/describe_send.ts";
import { CampaignActivity } from "./campaign_activity.tsx";
import { describeTrouble, reportsDeliveries } from "./campaign_sender.ts";
import { describeSendingTime, estimateRest } from "./estimate_sending.ts";
import { letterOf } from "./letter_of.ts";
import { describeProgress, measureProgress } from "./measure_progress.ts";
import { useNames } from "./campaign_facts.tsx";
import { shareOf } from "./share_of.ts";

const movingMs = 2_000;
const restingMs = 15_000;

interface CampaignResultsProps {
  campaign: Campaign;
  /** Undefined until it is read. */
  sender: Sender | undefined;
}

/** Progress and figures of a campaign that has begun. */
export function CampaignResults({ campaign, sender }: CampaignResultsProps) {
  const stats = useApiItem("GET /campaigns/{id}/stats", { params: { id: campaign.id } }, {
    // The figures are read apart from the campaign, so the newest may be from before its end.
    refetchInterval: (data) =>
      campaign.state === "sending" ||
        (campaign.state === "completed" && !isComplete(campaign, data))
        ? movingMs
        : restingMs,
  });
  return (
    <ItemView item={stats} skeleton={<Skeleton h={180} />}>
      {(data) => (
        <>
          <Progressing campaign={campaign} stats={data} sender={sender} />
          <Figures campaign={campaign} stats={data} sender={sender} />
          <EmailsLink campaign={campaign} />
          <CampaignActivity campaign={campaign} stats={data} />
          {data.variants.length > 0 && <Variants campaign={campaign} stats={data} />}
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <Problems campaign={campaign} stats={data} />
            <LeftOut campaign={campaign} stats={data} />
          </SimpleGrid>
        </>
      )}
    </ItemView>
  );
}

/** Returns whether the figures have the outcome of every recipient. */
function isComplete({ recipients }: Campaign, stats: CampaignStats | undefined): boolean {
  return stats !== undefined && recipients !== null &&
    measureProgress(recipients, stats).waiting === 0;
}

interface ResultProps {
  campaign: Campaign;
  stats: CampaignStats;
}

function Progressing({ campaign, stats, sender }: ResultProps & CampaignResultsProps) {
  const { recipients } = campaign;
  if (recipients === null) {
    return (
      <Paper p="md">
        <Text size="sm" role="status">Preparing the audience…</Text>
      </Paper>
    );
  }
  const { done, waiting } = measureProgress(recipients, stats);
  const text = describeProgress(recipients, stats);
  if (waiting === 0) {
    return <Text size="sm" c="dimmed" role="status" className="tabular">{text}</Text>;
  }
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Progress</Title>
      <Progress
        value={recipients === 0 ? 100 : (done / recipients) * 100}
        size="lg"
        aria-label="Recipients that have an outcome"
      />
      <Text size="sm" mt="xs" role="status" className="tabular">{text}</Text>
      <TimeLeft campaign={campaign} sender={sender} waiting={waiting} />
    </Paper>
  );
}

/** Says when the last email goes out; nothing without a limit, or while nothing is sent. */
function TimeLeft(
  { campaign, sender, waiting }: CampaignResultsProps & { waiting: number },
) {
  const zone = useZone();
  if (campaign.state !== "sending" || sender === undefined || describeTrouble(sender)) return null;
  const time = estimateRest(waiting, { campaign, sender });
  if (time === null) return null;
  const end = new Date(Date.now() + time.seconds * 1000).toISOString();
  return (
    <Text size="sm" c="dimmed" className="tabular">
      {describeSendingTime(time)}. Done at about {formatShort(end, zone)}.
    </Text>
  );
}

/** Leads to the list of a campaign's emails. */
function EmailsLink({ campaign }: { campaign: Campaign }) {
  const { id } = useWorkspace();
  return (
    <Text size="sm">
      <Anchor {...linkTo(`/w/${id}/sends`, { campaign_id: campaign.id })} size="sm">
        See the emails
      </Anchor>
    </Text>
  );
}

/** The filter of the list of emails that a figure counts. */
type Counted = { state: SendSummary["state"] } | { engagement: Engagement };

/** The figures that say how well it went, each with the list of the emails that it counts. */
function Figures({ campaign, stats, sender }: ResultProps & CampaignResultsProps) {
  const { id } = useWorkspace();
  const { sent, delivered, opened, clicked, recipients } = stats;
  const ofSent = (count: number) => `${formatShare(count, sent)} of sent`;
  // Some senders report nothing: a zero would look like a failure.
  const hasReports = delivered + stats.bounced + stats.complained > 0;
  const figures: [label: string, count: number | null, note: string, counted?: Counted][] = [
    ["Sent", sent, `${formatShare(sent, recipients)} of recipients`, { state: "sent" }],
    // A complaint counts as delivered, but the list shows only the newest report.
    [
      "Delivered",
      hasReports ? delivered : null,
      hasReports
        ? ofSent(delivered)
        : sender && !reportsDeliveries(sender)
        ? "This sender reports no deliveries"
        : "No reports yet",
      stats.complained === 0 ? { engagement: "delivered" } : undefined,
    ],
    ["Opened", opened, ofSent(opened), { engagement: "opened" }],
    ["Clicked", clicked, ofSent(clicked), { engagement: "clicked" }],
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, md: 2, lg: 4 }}>
      {figures.map(([label, count, note, counted]) => (
        <Stat
          key={label}
          label={label}
          value={count === null ? "–" : formatWhole(count)}
          note={note}
          share={count === null ? null : shareOf(count, label === "Sent" ? recipients : sent)}
          {...counted && count && {
            to: `/w/${id}/sends`,
            search: { campaign_id: campaign.id, ...counted },
          }}
        />
      ))}
    </SimpleGrid>
  );
}

/** Bad outcomes of emails that were sent. */
function Problems({ campaign, stats }: ResultProps) {
  const kinds = ["bounced", "complained", "unsubscribed"] as const;
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">After sending</Title>
      <Rows
        label="After sending"
        rows={kinds.map((kind) => ({
          label: engagementLabels[kind],
          count: stats[kind],
          share: formatShare(stats[kind], stats.sent),
          search: { campaign_id: campaign.id, engagement: kind },
        }))}
      />
    </Paper>
  );
}

interface RowProps {
  label: string;
  count: number;
  share?: string;
  /** The list of the emails that are counted; undefined where no list shows just them. */
  search?: LinkSearch | undefined;
}

function Row({ label, count, share, search }: RowProps) {
  const { id } = useWorkspace();
  return (
    <Table.Tr>
      <Table.Th scope="row" fz="sm" c="var(--mantine-color-text)" fw={400}>
        {search && count > 0
          ? <Anchor {...linkTo(`/w/${id}/sends`, search)} size="sm">{label}</Anchor>
          : label}
      </Table.Th>
      <Table.Td ta="right" pl="md" className="tabular">
        {formatWhole(count)} {share && <Text span size="xs" c="dimmed">{share}</Text>}
      </Table.Td>
    </Table.Tr>
  );
}

function Variants({ campaign, stats }: ResultProps) {
  const template = useNames("GET /templates", "templates");
  const { winner, winner_variant } = campaign;
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Templates compared</Title>
      {winner && winner_variant === null && (
        <Text size="sm" c="dimmed" mb="sm">
          The winner is chosen {winner.after} after the last email of the test.
        </Text>
      )}
      <Table aria-label="Templates compared">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Template</Table.Th>
            <Table.Th scope="col" ta="right">Sent</Table.Th>
            <Table.Th scope="col" ta="right">Opened</Table.Th>
            <Table.Th scope="col" ta="right">Clicked</Table.Th>
            {winner?.by === "goal" && <Table.Th scope="col" ta="right">Goal</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stats.variants.map((each) => (
            <Table.Tr key={each.variant}>
              <Table.Td>
                {letterOf(each.variant)}{" "}
                {winner_variant === each.variant && <Badge color="green">Winner</Badge>}
                {template(each.template)}
              </Table.Td>
              <Table.Td ta="right" className="tabular">{formatWhole(each.sent)}</Table.Td>
              <Table.Td ta="right" className="tabular">
                {formatShare(each.opened, each.sent)}
              </Table.Td>
              <Table.Td ta="right" className="tabular">
                {formatShare(each.clicked, each.sent)}
              </Table.Td>
              {winner?.by === "goal" && (
                <Table.Td ta="right" className="tabular">{formatWhole(each.goal)}</Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** Recipients who got nothing, and members who are not recipients, by reason. */
function LeftOut({ campaign, stats }: ResultProps) {
  const { id } = useWorkspace();
  const { failed, unknown, left_out: { no_address, same_address } } = stats;
  const skipped = Object.entries(stats.skipped);
  const listOf = (state: SendSummary["state"]) => ({ campaign_id: campaign.id, state });
  const notSent: RowProps[] = [
    // The unknown ones count as failed, too.
    { label: "The sending failed", count: failed - unknown, search: listOf("failed") },
    ...skipped.map(([reason, count]) => ({
      label: explainReason(reason),
      count,
      // The list cannot tell one reason from another.
      search: skipped.length === 1 ? listOf("skipped") : undefined,
    })),
    { label: "The outcome is unknown", count: unknown, search: listOf("unknown") },
  ].filter(({ count }) => count > 0);
  const leftOut: RowProps[] = [
    { label: "Members without an address", count: no_address },
    { label: "Members with the same address as another", count: same_address },
  ].filter(({ count }) => count > 0);
  const isDone = campaign.state === "completed" && isComplete(campaign, stats);
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Not sent</Title>
      {notSent.length === 0
        ? (
          <Text size="sm" c="dimmed">
            {isDone ? "Sent to every recipient." : "No recipient was left out so far."}
          </Text>
        )
        : <Rows label="Not sent" rows={notSent} />}
      {skipped.length > 0 && (
        <Text size="sm" mt="sm">
          <Anchor {...linkTo(`/w/${id}/sends`, listOf("skipped"))} size="sm">
            See the emails that were not sent
          </Anchor>
        </Text>
      )}
      {leftOut.length > 0 && (
        <>
          <Title order={3} size="h6" mt="md" mb="xs">Not recipients</Title>
          <Rows label="Not recipients" rows={leftOut} />
        </>
      )}
    </Paper>
  );
}

function Rows({ label, rows }: { label: string; rows: RowProps[] }) {
  return (
    <Table aria-label={label} verticalSpacing="xs" horizontalSpacing={0}>
      <Table.Tbody>
        {rows.map((row) => <Row key={row.label} {...row} />)}
      </Table.Tbody>
    </Table>
  );
}
