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
import type { ReactNode } from "react";
import type { Campaign, CampaignStats } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { countOf, formatShare, formatWhole } from "../../format/numbers.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { Stat } from "../../ui/stat.tsx";
import { explainReason } from "../sends/describe_send.ts";
import { letterOf } from "./letter_of.ts";
import { useNames } from "./campaign_facts.tsx";

const movingMs = 2_000;
const restingMs = 15_000;

/** Progress and figures of a campaign that has begun. */
export function CampaignResults({ campaign }: { campaign: Campaign }) {
  const stats = useApiItem("GET /campaigns/{id}/stats", { params: { id: campaign.id } }, {
    // The figures of the last message may come after the end.
    refetchInterval: (data) =>
      campaign.state === "sending" || (campaign.state === "completed" && data?.waiting !== 0)
        ? movingMs
        : restingMs,
  });
  return (
    <ItemView item={stats} skeleton={<Skeleton h={180} />}>
      {(data) => (
        <>
          <Progressing campaign={campaign} stats={data} />
          <Figures campaign={campaign} stats={data} />
          {data.variants.length > 0 && <Variants campaign={campaign} stats={data} />}
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <Problems stats={data} />
            <LeftOut campaign={campaign} stats={data} />
          </SimpleGrid>
        </>
      )}
    </ItemView>
  );
}

interface ResultProps {
  campaign: Campaign;
  stats: CampaignStats;
}

function Progressing({ campaign, stats }: ResultProps) {
  const { recipients } = campaign;
  if (recipients === null) {
    return (
      <Paper p="md">
        <Text size="sm" role="status">The audience is being fixed.</Text>
      </Paper>
    );
  }
  const done = recipients - stats.waiting;
  const text = (
    <>
      {formatWhole(done)} of {countOf(recipients, "recipient")}, {formatWhole(stats.waiting)}{" "}
      waiting
    </>
  );
  if (stats.waiting === 0) {
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
    </Paper>
  );
}

/** The figures that say how well it went, each with the list behind it. */
function Figures({ campaign, stats }: ResultProps) {
  const { id } = useWorkspace();
  const figures: [label: string, count: number, note: string][] = [
    ["Sent", stats.sent, `${formatShare(stats.sent, stats.recipients)} of recipients`],
    ["Delivered", stats.delivered, `${formatShare(stats.delivered, stats.sent)} of sent`],
    ["Opened", stats.opened, `${formatShare(stats.opened, stats.sent)} of sent`],
    ["Clicked", stats.clicked, `${formatShare(stats.clicked, stats.sent)} of sent`],
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, md: 2, lg: 4 }}>
      {figures.map(([label, count, note]) => (
        <Stat
          key={label}
          label={label}
          value={formatWhole(count)}
          note={note}
          to={`/w/${id}/sends`}
          search={{ campaign_id: campaign.id, state: "sent" }}
        />
      ))}
    </SimpleGrid>
  );
}

/** Bad outcomes of messages that were sent. */
function Problems({ stats }: Pick<ResultProps, "stats">) {
  const rows: [label: string, count: number][] = [
    ["Bounced", stats.bounced],
    ["Complained", stats.complained],
    ["Unsubscribed", stats.unsubscribed],
  ];
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">After sending</Title>
      <Table aria-label="After sending" verticalSpacing="xs" horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([label, count]) => (
            <Row key={label} label={label} count={count} share={formatShare(count, stats.sent)} />
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

interface RowProps {
  label: ReactNode;
  count: number;
  share?: string;
}

function Row({ label, count, share }: RowProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fz="sm" c="var(--mantine-color-text)" fw={400}>{label}</Table.Th>
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
          The winner is chosen {winner.after} after the last message of the test.
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

/** Recipients who got nothing, by reason. */
function LeftOut({ campaign, stats }: ResultProps) {
  const { id } = useWorkspace();
  const { no_address, same_address } = stats.left_out;
  const skipped = Object.entries(stats.skipped);
  const show = (state: string) => linkTo(`/w/${id}/sends`, { campaign_id: campaign.id, state });
  const all: [reason: ReactNode, count: number][] = [
    [<Anchor key="failed" {...show("failed")} size="sm">The sending failed</Anchor>, stats.failed],
    ...skipped.map(([reason, count]): [string, number] => [explainReason(reason), count]),
    ["The outcome is unknown", stats.unknown],
    ["Members without an address", no_address],
    ["Members with another member’s address", same_address],
  ];
  const rows = all.filter(([, count]) => count > 0);
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Not sent</Title>
      {rows.length === 0
        ? <Text size="sm" c="dimmed">Nobody was left out.</Text>
        : (
          <Table aria-label="Not sent" verticalSpacing="xs" horizontalSpacing={0}>
            <Table.Tbody>
              {rows.map(([reason, count], n) => <Row key={n} label={reason} count={count} />)}
            </Table.Tbody>
          </Table>
        )}
      {skipped.length > 0 && (
        <Text size="sm" mt="sm">
          <Anchor {...show("skipped")} size="sm">See the messages</Anchor>
        </Text>
      )}
    </Paper>
  );
}
