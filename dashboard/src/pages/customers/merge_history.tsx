import { Badge, Group, Text, Timeline } from "@mantine/core";
import { GitMergeIcon, PersonAddIcon } from "@primer/octicons-react";
import type { Customer, Merge } from "../../api/types.ts";
import { type ListQuery, listRows } from "../../api/use_api.ts";
import { LoadMore } from "../../ui/load_more.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

const causeTexts = {
  identify: "Anonymous visitor identified",
  alias: "Accounts merged",
} as const;

interface MergeHistoryProps {
  customer: Customer;
  merges: ListQuery<Merge>;
}

/** The records merged into the customer, newest first. */
export function MergeHistory({ customer, merges }: MergeHistoryProps) {
  return (
    <>
      <Timeline bulletSize={26} lineWidth={2} active={listRows(merges).length}>
        {listRows(merges).map((merge) => (
          <Timeline.Item
            key={merge.id}
            bullet={<GitMergeIcon size={14} />}
            title={causeTexts[merge.cause]}
          >
            <Group gap={6} my={4}>
              {[...merge.external_ids, ...merge.anon_ids].map((id) => (
                <Badge key={id} color="gray" ff="monospace" fw={500}>{id}</Badge>
              ))}
            </Group>
            <Text size="xs" c="dimmed" component="div">
              <TimeAgo time={merge.merged_at} />
              {" · merged record "}
              <Text span ff="monospace" size="xs">{merge.merged_customer_id}</Text>
            </Text>
          </Timeline.Item>
        ))}
        <Timeline.Item bullet={<PersonAddIcon size={14} />} title="Created">
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo time={customer.created_at} />
          </Text>
        </Timeline.Item>
      </Timeline>
      <LoadMore list={merges} />
    </>
  );
}
