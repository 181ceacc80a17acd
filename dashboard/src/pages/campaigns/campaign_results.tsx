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
          <LeftOut campaign={campaign} stats={data} />
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
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Progress</Title>
      <Progress
        value={recipients === 0 ? 100 : (done / recipients) * 100}
        size="lg"
        aria-label="Recipients that have an outcome"
      />
      <Text size="sm" mt="xs" role="status" className="tabular">
        {formatWhole(done)} of {countOf(recipients, "recipient")}, {formatWhole(stats.waiting)}{" "}
        waiting
      </Text>
    </Paper>
  );
}

function Figures({ campaign, stats }: ResultProps) {
  const { id } = useWorkspace();
  const figures: [label: string, count: number, state?: string][] = [
    ["Sent", stats.sent, "sent"],
    ["Delivered", stats.delivered],
    ["Opened", stats.opened],
    ["Clicked", stats.clicked],
    ["Unsubscribed", stats.unsubscribed],
    ["Bounced", stats.bounced],
    ["Complained", stats.complained],
    ["Failed", stats.failed, "failed"],
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, md: 2, lg: 4 }}>
      {figures.map(([label, count, state]) => (
        <Stat
          key={label}
          label={label}
          value={formatWhole(count)}
          note={label === "Sent" || label === "Failed"
            ? formatShare(count, stats.recipients)
            : formatShare(count, stats.sent)}
          to={`/w/${id}/sends`}
          search={{ campaign_id: campaign.id, state: state ?? "sent" }}
        />
      ))}
    </SimpleGrid>
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
  const rows: [reason: string, count: number][] = [
    ...skipped.map(([reason, count]): [string, number] => [explainReason(reason), count]),
    ["The outcome is unknown", stats.unknown],
    ["Members without an address", no_address],
    ["Members with another member’s address", same_address],
  ];
  return (
    <Paper p="md">
      <Title order={2} size="h5" mb="sm">Not sent</Title>
      <Table aria-label="Not sent" verticalSpacing="xs" horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([reason, count]) => (
            <Table.Tr key={reason}>
              <Table.Th scope="row" fz="sm" c="var(--mantine-color-text)" fw={400}>
                {reason}
              </Table.Th>
              <Table.Td ta="right" pl="md" className="tabular">{formatWhole(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {skipped.length > 0 && (
        <Text size="sm" mt="sm">
          <Anchor
            {...linkTo(`/w/${id}/sends`, { campaign_id: campaign.id, state: "skipped" })}
            size="sm"
          >
            See the messages
          </Anchor>
        </Text>
      )}
    </Paper>
  );
}
