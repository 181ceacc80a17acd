import { Code, Stack, Text, Title } from "@mantine/core";
import type { DeliveryDetail, Destination } from "../../api/types.ts";
import { prettyJson } from "../../format/pretty_json.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { HeaderTable } from "./header_table.tsx";

interface SentRequestProps {
  delivery: DeliveryDetail;
  /** The destination as it is today; undefined if it was deleted. */
  destination: Destination | undefined;
}

/** The request as it was sent, to the destination's URL of today: headers and exact body. */
export function SentRequest({ delivery, destination }: SentRequestProps) {
  const { message } = delivery;
  return (
    <Stack>
      {destination && <Code block className="break-anywhere">POST {destination.url}</Code>}
      <div>
        <Title order={3} size="h6" mb="xs">Headers</Title>
        <HeaderTable label="Request headers" headers={headersOf(delivery, destination)} />
        <Text size="xs" c="dimmed" mt="xs">
          Signatures are generated for each attempt and not stored.
        </Text>
      </div>
      <div>
        <Title order={3} size="h6" mb="xs">Body</Title>
        {message?.body
          ? <CodeView code={prettyJson(message.body)} language="json" label="Request body" />
          : (
            <Text size="sm" c="dimmed">
              {message ? "The body was erased with its customer." : "The body is no longer kept."}
            </Text>
          )}
      </div>
    </Stack>
  );
}

function headersOf(
  delivery: DeliveryDetail,
  destination: Destination | undefined,
): [name: string, value: string][] {
  const seconds = Math.floor(Date.parse(delivery.attempted_at) / 1000);
  return [
    ["content-type", "application/json"],
    ["x-service-event", delivery.event_type],
    ["x-service-signature", "hex HMAC-SHA256 of the body"],
    ["webhook-id", delivery.message_id],
    ["webhook-timestamp", String(seconds)],
    ["webhook-signature", "v1,… for each live secret"],
    ...(destination?.header_names ?? []).map((name): [string, string] => [name, "Never shown"]),
  ];
}
