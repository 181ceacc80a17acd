import { Anchor, Group, Skeleton, Text } from "@mantine/core";
import { useApiItem } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { formatWhole } from "../../format/numbers.ts";
import { type LinkSearch, linkTo } from "../../ui/link_to.ts";
import { useFilters } from "../../url/use_filters.ts";

/** Filters that make the list a part of a campaign's emails, besides their state. */
const narrower = [
  "customer_id",
  "journey_id",
  "template_id",
  "sender_id",
  "range",
  "since",
  "until",
] as const;

/** Numbers of emails of the chosen campaign by state; nothing while another filter applies. */
export function CampaignTotals() {
  const { filters } = useFilters();
  const { campaign_id: id } = filters;
  if (id === undefined || narrower.some((name) => filters[name] !== undefined)) return null;
  const { columns, sort } = filters;
  return <Totals campaignId={id} kept={{ columns, sort }} />;
}

interface TotalsProps {
  campaignId: string;
  /** Parameters of the address that a total keeps. */
  kept: LinkSearch;
}

function Totals({ campaignId, kept }: TotalsProps) {
  const { id } = useWorkspace();
  const { data, isError } = useApiItem("GET /campaigns/{id}/stats", {
    params: { id: campaignId },
  });
  if (isError) return null;
  if (data === undefined) return <Skeleton h={22} w={260} mb="sm" />;
  const { sent, opened, clicked, bounced, failed, unknown, skipped } = data;
  const notSent = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const totals = [
    ["sent", sent, { state: "sent" }],
    ["opened", opened, { engagement: "opened" }],
    ["clicked", clicked, { engagement: "clicked" }],
    ["bounced", bounced, { engagement: "bounced" }],
    ["not sent", notSent, { state: "skipped" }],
    // The unknown ones count as failed, too.
    ["failed", failed - unknown, { state: "failed" }],
    ["unknown", unknown, { state: "unknown" }],
  ] as const;
  return (
    <Group
      gap="4px 16px"
      component="ul"
      className="plain-list"
      p={0}
      mx={0}
      mt={0}
      mb="sm"
      mih={22}
      aria-label="Totals"
    >
      {totals.filter(([, count]) => count > 0).map(([label, count, filter]) => (
        <li key={label}>
          <Anchor
            {...linkTo(`/w/${id}/sends`, { ...kept, campaign_id: campaignId, ...filter })}
            size="sm"
          >
            <Text span inherit fw={600} className="tabular">{formatWhole(count)}</Text> {label}
          </Anchor>
        </li>
      ))}
    </Group>
  );
}
