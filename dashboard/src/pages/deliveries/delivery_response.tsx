import { Alert, Code, Group, Stack, Text } from "@mantine/core";
import { LightBulbIcon } from "@primer/octicons-react";
import type { Delivery } from "../../api/types.ts";
import { formatDuration } from "../../format/time.ts";
import { explainDelivery } from "./explain_delivery.ts";
import { OutcomeBadge } from "./outcome_badge.tsx";

/** The destination's response, and what it means. */
export function DeliveryResponse({ delivery }: { delivery: Delivery }) {
  const explanation = explainDelivery(delivery);
  const { duration_ms, response_snippet } = delivery;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <OutcomeBadge {...delivery} />
        {duration_ms !== null && (
          <Text size="sm" c="dimmed">
            {delivery.status_code === null ? "After" : "Response in"} {formatDuration(duration_ms)}
          </Text>
        )}
      </Group>
      {explanation && (
        <Alert color="orange" icon={<LightBulbIcon />} title={explanation.what}>
          {explanation.remedy}
        </Alert>
      )}
      {response_snippet
        ? <Code block className="break-anywhere snippet" tabIndex={0}>{response_snippet}</Code>
        : (
          <Text size="sm" c="dimmed">
            {delivery.status_code === null ? "No response" : "Empty response body"}
          </Text>
        )}
    </Stack>
  );
}
