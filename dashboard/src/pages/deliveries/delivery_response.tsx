import { Alert, Code, Group, Stack, Text } from "@mantine/core";
import { LightBulbIcon } from "@primer/octicons-react";
import type { Delivery, Message } from "../../api/types.ts";
import { formatDuration } from "../../format/time.ts";
import { explainDelivery, explainNext } from "./explain_delivery.ts";
import { OutcomeBadge } from "./outcome_badge.tsx";

interface DeliveryResponseProps {
  delivery: Delivery;
  /** The message at the destination; undefined where it is not known. */
  message?: Message | undefined;
}

/** The destination's response, what it means, and what happens next. */
export function DeliveryResponse({ delivery, message }: DeliveryResponseProps) {
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
          {explanation.remedy} {message && explainNext(message)}
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
