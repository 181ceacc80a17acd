import { Alert, Paper, Table, Text, Title } from "@mantine/core";
import { AlertIcon, ClockIcon } from "@primer/octicons-react";
import type { Campaign, CampaignReview as Review } from "../../api/types.ts";
import { useApiItem } from "../../api/use_api.ts";
import { countOf, formatWhole } from "../../format/numbers.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { countReached } from "./count_reached.ts";
import { TemplateWarnings } from "./template_warnings.tsx";
import { useReview } from "./use_review.ts";

/** Numbers of those who would get the campaign, and of others by reason, before it begins. */
export function CampaignReview({ campaign }: { campaign: Campaign }) {
  const review = useReview(campaign);
  return (
    <>
      <SenderWarning senderId={campaign.sender} />
      <TemplateWarnings campaign={campaign} />
      <Paper p="md">
        <Title order={2} size="h5" mb="sm">Review</Title>
        <ItemView item={review} skeleton={<TableSkeleton columns={2} />}>
          {(data) => <Numbers review={data} hasTopic={campaign.topic !== null} />}
        </ItemView>
      </Paper>
    </>
  );
}

type Row = [label: string, count: string, isKept?: boolean];

function Numbers({ review, hasTopic }: { review: Review; hasTopic: boolean }) {
  const addresses = countOf(countReached(review), "address", "addresses");
  const rows: Row[] = [
    ["Members of the segment", formatWhole(review.members)],
    ["In an excluded segment", formatLoss(review.excluded)],
    ["Without an email address", formatLoss(review.no_address)],
    ["With the same address as another", formatLoss(review.same_address)],
    ["Recipients", formatWhole(review.recipients), true],
    ["Suppressed addresses", formatLoss(review.suppressed)],
    ...hasTopic
      ? [["Not subscribed to the topic", formatLoss(review.unsubscribed)] satisfies Row]
      : [],
  ];
  return (
    <>
      {review.is_computing && (
        <Alert color="blue" icon={<ClockIcon />} title="A segment is still being computed" mb="md">
          The campaign waits for its members. These numbers will change.
        </Alert>
      )}
      <Table aria-label="Who gets it" verticalSpacing="xs" horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([label, count, isKept]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fz="sm" c="var(--mantine-color-text)" fw={isKept ? 650 : 400}>
                {label}
              </Table.Th>
              <Table.Td ta="right" fw={isKept ? 650 : undefined} className="tabular">
                {count}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text mt="md" fw={550} role="status">
        {review.is_exact && !review.is_computing
          ? `This campaign will go to ${addresses}.`
          : `Would be sent to about ${addresses} now.`}
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        {hasTopic
          ? "Caps and quiet hours are checked for each message when it is sent. "
          : "It has no topic, so subscriptions are not checked. "}
        The audience is fixed when the campaign begins.
      </Text>
    </>
  );
}

/** Formats the number of those who are left out, with a minus sign. */
function formatLoss(count: number): string {
  return count === 0 ? "0" : `−${formatWhole(count)}`;
}

/** Warns about a sender that is not working. */
function SenderWarning({ senderId }: { senderId: string }) {
  const { data } = useApiItem("GET /senders/{id}", { params: { id: senderId } });
  if (data === undefined || (data.enabled && data.health.state !== "failing")) return null;
  return (
    <Alert
      color="red"
      icon={<AlertIcon />}
      title={data.enabled ? `${data.name} is failing` : `${data.name} is disabled`}
    >
      {data.enabled ? data.health.last_error : "Nothing is sent until you enable the sender."}
    </Alert>
  );
}
