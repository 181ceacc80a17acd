import { Alert, Paper, Table, Text, Title } from "@mantine/core";
import { ClockIcon } from "@primer/octicons-react";
import type { Campaign, CampaignReview as Review } from "../../api/types.ts";
import { countOf, formatWhole } from "../../format/numbers.ts";
import { ItemView } from "../../ui/item_view.tsx";
import { TableSkeleton } from "../../ui/skeletons.tsx";
import { BeforeYouSend } from "./before_you_send.tsx";
import { countReached } from "./count_reached.ts";
import { useReview } from "./use_review.ts";

/** The checks of a campaign before it begins, and the number of people who would get it. */
export function CampaignReview({ campaign }: { campaign: Campaign }) {
  const review = useReview(campaign);
  return (
    <>
      <BeforeYouSend campaign={campaign} />
      <Paper p="md">
        <Title order={2} size="h5" mb="sm">Who gets it</Title>
        <ItemView item={review} skeleton={<TableSkeleton columns={2} />}>
          {(data) => <Numbers review={data} hasTopic={campaign.topic !== null} />}
        </ItemView>
      </Paper>
    </>
  );
}

type Row = [label: string, count: string, isKept?: boolean];

function Numbers({ review, hasTopic }: { review: Review; hasTopic: boolean }) {
  const reached = countReached(review);
  const people = countOf(reached, "person", "people");
  const rows: Row[] = [
    ["Members of the segment", formatWhole(review.members)],
    ["In an excluded segment", formatLoss(review.excluded)],
    ["Without an email address", formatLoss(review.no_address)],
    ["With the same address as another", formatLoss(review.same_address)],
    ["Audience", formatWhole(review.recipients), true],
    ["Suppressed addresses", formatLoss(review.suppressed)],
    ...hasTopic
      ? [["Not subscribed to the topic", formatLoss(review.unsubscribed)] satisfies Row]
      : [],
    ["Will get it", formatWhole(reached), true],
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
          ? `This campaign will go to ${people}.`
          : `Would be sent to about ${people} now.`}
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        {hasTopic
          ? "Caps and quiet hours are checked for each email when it is sent. "
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
