import { Checkbox, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { MegaphoneIcon } from "@primer/octicons-react";
import type { ApiResponse } from "../../api/api_client.ts";
import { useApiAction, useApiItem } from "../../api/use_api.ts";
import { useMay } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ErrorState } from "../../ui/error_state.tsx";
import { ItemView } from "../../ui/item_view.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";

type CustomerTopic = ApiResponse<"GET /customers/{id}/topics">["data"][number];

interface CustomerTopicsProps {
  customerId: string;
  /** True if the customer has an email address, to which topics belong. */
  hasEmail: boolean;
}

/** The topics, and whether the customer's address is subscribed to them. */
export function CustomerTopics({ customerId, hasEmail }: CustomerTopicsProps) {
  const params = { id: customerId };
  const topics = useApiItem("GET /customers/{id}/topics", { params });
  const change = useApiAction(
    "PUT /customers/{id}/topics",
    (body: { topic: string; subscribed: boolean }) => ({ params, body }),
  );
  return (
    <ItemView item={topics} skeleton={<Skeleton h={180} />}>
      {({ data }) => (
        <Paper p={data.length > 0 ? "md" : 0}>
          {data.length === 0 && (
            <EmptyState icon={MegaphoneIcon} title="No topics yet">
              Topics that customers can subscribe to are listed under Topics.
            </EmptyState>
          )}
          <Stack>
            {change.error && <ErrorState error={change.error} />}
            {data.length > 0 && (
              <Text size="sm" c="dimmed">
                {hasEmail
                  ? "Marketing emails on a topic go only to customers who are subscribed to it."
                  : "Subscriptions belong to an email address, and this customer has none."}
              </Text>
            )}
            {data.map((topic) => (
              <TopicRow
                key={topic.id}
                topic={topic}
                isLocked={!hasEmail || change.isPending}
                set={(subscribed) => change.mutate({ topic: topic.id, subscribed })}
              />
            ))}
          </Stack>
        </Paper>
      )}
    </ItemView>
  );
}

interface TopicRowProps {
  topic: CustomerTopic;
  isLocked: boolean;
  set: (subscribed: boolean) => void;
}

function TopicRow({ topic, isLocked, set }: TopicRowProps) {
  const mayEdit = useMay("member");
  return (
    <Group justify="space-between">
      <Checkbox
        label={<bdi>{topic.name}</bdi>}
        checked={topic.subscribed}
        disabled={!mayEdit || isLocked}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed" component="span">
        {topic.subscribed ? "Subscribed" : topic.changed_at ? "Unsubscribed" : "Not subscribed"}
        {" "}
        {topic.changed_at ? <TimeAgo time={topic.changed_at} /> : "by default"}
      </Text>
    </Group>
  );
}
